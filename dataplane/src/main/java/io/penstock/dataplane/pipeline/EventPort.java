package io.penstock.dataplane.pipeline;

/**
 * Where KV events enter the pipeline. Every method offers one event and answers at once: false means that the ring is
 * full, and the source is then read more slowly. Buffers of an accepted event belong to the core.
 *
 * <p>Events of one slot must be offered by one thread in the engine's order.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public interface EventPort {
    /** A buffer for {@code blocks} blocks, or null while the pool is exhausted. */
    BlockBuffer acquire(int blocks);

    /** Gives a buffer back that was not handed over. */
    void release(BlockBuffer buffer);

    /** Blocks became resident in {@code tier} ({@link io.penstock.index.Tier}). */
    boolean stored(int slot, int tier, boolean root, long parentEngineHash, BlockBuffer blocks);

    /** One copy of each block left {@code tier}. */
    boolean removed(int slot, int tier, BlockBuffer blocks);

    /** The engine dropped all its blocks. */
    boolean cleared(int slot);

    /** All events of the engine's batch were offered: the position that proves the incarnation later. */
    boolean batchEnd(int slot, long sequence, long timestampBits, long batchHash);

    /** A connection or batches were lost: the slot's blocks are unproven until {@link #proven} or {@link #cold}. */
    boolean doubted(int slot);

    /** The engine proved to be the one we knew: the slot's blocks count from now on. */
    boolean proven(int slot);

    /** The engine's past is lost or not ours: forget the slot's blocks, then count what comes. */
    boolean cold(int slot);
}
