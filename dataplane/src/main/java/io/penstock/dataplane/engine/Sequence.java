package io.penstock.dataplane.engine;

import java.util.Arrays;

/**
 * One request as the scheduler sees it: its tokens, its blocks, how far it is computed.
 *
 * <p><b>Threading:</b> built on an HTTP loop, then owned by the engine thread.
 */
final class Sequence {
    private final Listener listener;
    private final OutputPlan plan;
    private final BlockHashes hashes;
    private final int promptLength;
    private final String salt;
    private final String sessionId;
    private final BlockHasher.Adapter adapter;
    private final boolean reportHits;
    private int[] tokens;
    private int length;
    private int[] blocks = new int[8];
    private int blockCount;

    // Written by the scheduler alone.
    int computed;
    int published;
    int cachedTokens = -1;
    int scheduled;
    boolean decoding;
    FinishReason finished;
    int preemptions;
    long arrivalNs;
    long admittedNs;
    long firstTokenNs;
    long lastTokenNs;

    /**
     * @param tokens prompt; the sequence keeps the array
     * @param hashes chain over the prompt, may be computed already
     * @param plan what it will say
     * @param salt cache salt or null
     * @param adapter LoRA adapter or null
     * @param sessionId session that the stored events name, or null
     * @param reportHits whether cache hits are told again as stored (vLLM's {@code kv_cache_report_mode=full})
     * @param listener hears of tokens and of the end
     */
    Sequence(
            int[] tokens,
            BlockHashes hashes,
            OutputPlan plan,
            String salt,
            BlockHasher.Adapter adapter,
            String sessionId,
            boolean reportHits,
            Listener listener) {
        this.tokens = tokens;
        this.length = tokens.length;
        this.promptLength = tokens.length;
        this.hashes = hashes;
        this.plan = plan;
        this.salt = salt;
        this.adapter = adapter;
        this.sessionId = sessionId;
        this.reportHits = reportHits;
        this.listener = listener;
    }

    /** Hears what a sequence produces, on the engine thread. */
    interface Listener {
        /** Token number {@code output} (from 0) is visible; {@code end} is null unless it is the last. */
        void onToken(Sequence sequence, int output, int token, FinishReason end);

        /** The sequence ended without a further token: aborted, or the engine was restarted. */
        void onAborted(Sequence sequence, FinishReason end);
    }

    int promptLength() {
        return promptLength;
    }

    int length() {
        return length;
    }

    int outputs() {
        return length - promptLength;
    }

    int[] tokens() {
        return tokens;
    }

    BlockHashes hashes() {
        return hashes;
    }

    OutputPlan plan() {
        return plan;
    }

    String salt() {
        return salt;
    }

    String sessionId() {
        return sessionId;
    }

    BlockHasher.Adapter adapter() {
        return adapter;
    }

    boolean reportHits() {
        return reportHits;
    }

    Listener listener() {
        return listener;
    }

    /** Prompt tokens that the cache did not hold and holds now, whole blocks. */
    int createdCacheTokens(int blockSize) {
        return Math.max(0, promptLength / blockSize * blockSize - Math.max(0, cachedTokens));
    }

    void appendToken(int token) {
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, length + Math.max(16, Math.min(plan.length(), length)));
        }
        tokens[length++] = token;
    }

    int block(int index) {
        return blocks[index];
    }

    int blockCount() {
        return blockCount;
    }

    void addBlock(int block) {
        if (blockCount == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * blockCount);
        }
        blocks[blockCount++] = block;
    }

    /** Gives all blocks back, the last one first, so that a suffix is evicted before its prefix. */
    void releaseBlocks(BlockPool pool) {
        while (blockCount > 0) {
            pool.release(blocks[--blockCount]);
        }
        computed = 0;
        published = 0;
        decoding = false;
    }
}
