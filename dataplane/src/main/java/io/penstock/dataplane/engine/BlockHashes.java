package io.penstock.dataplane.engine;

import java.util.Arrays;

/**
 * The chained hashes of one sequence's full blocks, extended as tokens come.
 *
 * <p><b>Threading:</b> owned by the thread that owns the sequence: first the HTTP loop that hashes the prompt, then the
 * engine thread.
 * <b>Cost:</b> a digest and a long for each block.
 */
final class BlockHashes {
    private final BlockHasher hasher;
    private final int blockSize;
    private final int digestBytes;
    private final byte[] firstExtra;
    private final byte[] laterExtra;
    private byte[] digests;
    private long[] wire;
    private int count;

    /**
     * @param hasher block hash
     * @param blockSize tokens of a block
     * @param adapter LoRA adapter, null for none; part of every block's hash
     * @param salt cache salt, null for none; part of the first block's hash
     * @param expectedBlocks blocks to make room for
     */
    BlockHashes(BlockHasher hasher, int blockSize, BlockHasher.Adapter adapter, String salt, int expectedBlocks) {
        this.hasher = hasher;
        this.blockSize = blockSize;
        this.digestBytes = hasher.algorithm().digestBytes();
        this.firstExtra = BlockHasher.extraKeys(adapter, salt);
        this.laterExtra = BlockHasher.extraKeys(adapter, null);
        this.digests = new byte[Math.max(1, expectedBlocks) * digestBytes];
        this.wire = new long[Math.max(1, expectedBlocks)];
    }

    /** A chain whose digests are known already, one after the other in {@code digests}. */
    static BlockHashes known(byte[] digests, int digestBytes) {
        return new BlockHashes(digests, digestBytes);
    }

    private BlockHashes(byte[] digests, int digestBytes) {
        this.hasher = null;
        this.blockSize = 0;
        this.digestBytes = digestBytes;
        this.firstExtra = null;
        this.laterExtra = null;
        this.digests = digests;
        this.count = digests.length / digestBytes;
        this.wire = new long[count];
        for (int b = 0; b < count; b++) {
            wire[b] = BlockHasher.wireHash(digests, b * digestBytes, digestBytes);
        }
    }

    /** Hashes full blocks up to {@code blocks}, where not done yet. */
    void extendTo(int[] tokens, int blocks) {
        if (blocks > wire.length) {
            int room = Math.max(blocks, wire.length + (wire.length >> 1));
            wire = Arrays.copyOf(wire, room);
            digests = Arrays.copyOf(digests, room * digestBytes);
        }
        for (; count < blocks; count++) {
            int at = count * digestBytes;
            hasher.hash(
                    count == 0 ? null : digests,
                    at - digestBytes,
                    tokens,
                    count * blockSize,
                    blockSize,
                    count == 0 ? firstExtra : laterExtra,
                    digests,
                    at);
            wire[count] = BlockHasher.wireHash(digests, at, digestBytes);
        }
    }

    /** Blocks hashed so far. */
    int count() {
        return count;
    }

    /** The wire's integer of a block's hash. */
    long wire(int block) {
        return wire[block];
    }

    /** The array of full digests. */
    byte[] digests() {
        return digests;
    }

    /** Bytes of a digest; block b's starts at b times this. */
    int digestBytes() {
        return digestBytes;
    }
}
