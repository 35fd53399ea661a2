package io.penstock.dataplane.workers;

import java.util.List;

/**
 * A worker with nothing left open: what was configured, and what its engine said about the rest.
 *
 * @param engine {@code vllm}, {@code sglang}, {@code trtllm} or {@code none}
 * @param model name of the base model
 * @param aliases other names of the base model
 * @param adapters names of the adapters, configured and found
 * @param blockSize tokens of a block
 * @param dpSize ranks
 * @param feeds one per rank; empty where no KV events can be read
 * @param kvBlocks blocks of the device cache per rank, 0 if unknown
 * @param maxBatchedTokens tokens of the largest batch, 0 if unknown
 * @param problem what an operator should know, in one line, or null
 */
record EngineFacts(
        String engine,
        String model,
        List<String> aliases,
        List<String> adapters,
        int blockSize,
        int dpSize,
        List<RankFeed> feeds,
        long kvBlocks,
        long maxBatchedTokens,
        String problem) {
    /** Block size assumed where an engine has no events and says nothing: it only rounds predictions. */
    static final int DEFAULT_BLOCK_SIZE = 16;

    /** The configured worker with everything filled in. */
    WorkerSpec resolved(WorkerSpec spec) {
        RankFeed first = feeds.isEmpty() ? new RankFeed(null, null, spec.kvTopic()) : feeds.getFirst();
        return new WorkerSpec(
                spec.name(),
                spec.url(),
                model,
                engine,
                blockSize,
                dpSize,
                first.kvEvents(),
                first.kvReplay(),
                first.topic(),
                adapters,
                spec.taints(),
                spec.role(),
                spec.hints());
    }

    /** Whether the core and the feeds can keep what they have: only names and figures differ at most. */
    boolean sameShape(EngineFacts other) {
        return engine.equals(other.engine)
                && model.equals(other.model)
                && blockSize == other.blockSize
                && dpSize == other.dpSize
                && feeds.equals(other.feeds);
    }
}
