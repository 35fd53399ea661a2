package io.penstock.dataplane.hashing;

import io.penstock.index.ChainHash;
import java.nio.charset.StandardCharsets;
import net.openhft.hashing.LongHashFunction;

/**
 * Hashes of token blocks: local hash of a block's content, sequence hash of the prefix up to it.
 *
 * <p>Source of the rules: {@code definitions.md} and Dynamo's published hash (XXH3-64 over the little-endian u32 tokens
 * of a full block; seed 1337, plus XXH3-64(adapter, seed 0), plus XXH3-64(salt, seed 1)). A partial last block is not
 * hashed.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> no allocation; 12 ns a block of 16 tokens, 6 ns a chain step.
 */
public final class PromptHasher {
    private final int blockSize;
    private final LongHashFunction blockHash;

    private PromptHasher(int blockSize, long seed) {
        this.blockSize = blockSize;
        this.blockHash = LongHashFunction.xx3(seed);
    }

    /**
     * A hasher for one block size and isolation.
     *
     * @param blockSize tokens of a block
     * @param adapter LoRA name, null or empty for none
     * @param salt cache salt, null or empty for none
     */
    public static PromptHasher of(int blockSize, String adapter, String salt) {
        return new PromptHasher(blockSize, seed(adapter, salt));
    }

    /** Seed of the local hashes under an adapter and a salt. */
    public static long seed(String adapter, String salt) {
        long seed = ChainHash.SEED;
        if (adapter != null && !adapter.isEmpty()) {
            seed += LongHashFunction.xx3(0).hashBytes(adapter.getBytes(StandardCharsets.UTF_8));
        }
        if (salt != null && !salt.isEmpty()) {
            seed += LongHashFunction.xx3(1).hashBytes(salt.getBytes(StandardCharsets.UTF_8));
        }
        return seed;
    }

    /** Tokens of a block. */
    public int blockSize() {
        return blockSize;
    }

    /** Full blocks of a prompt. */
    public int blocks(int tokens) {
        return tokens / blockSize;
    }

    /** Local hash of the block that starts at token {@code from}. */
    public long local(int[] tokens, int from) {
        return blockHash.hashInts(tokens, from, blockSize);
    }

    /**
     * Sequence hashes of blocks {@code fromBlock} to the last full one. The hash before {@code fromBlock} must be in
     * {@code out} already.
     *
     * @return number of full blocks
     */
    public int chain(int[] tokens, int tokenCount, int fromBlock, long[] out) {
        int blocks = blocks(tokenCount);
        for (int i = fromBlock; i < blocks; i++) {
            long local = local(tokens, i * blockSize);
            out[i] = i == 0 ? local : ChainHash.next(out[i - 1], local);
        }
        return blocks;
    }
}
