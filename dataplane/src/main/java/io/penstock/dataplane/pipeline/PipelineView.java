package io.penstock.dataplane.pipeline;

import java.util.List;

/**
 * What the pipeline shows to the outside: metrics, health, the live view. Figures of slots are those of the last tick.
 *
 * <p><b>Threading:</b> thread-safe, takes no lock; allocates for the caller.
 */
public interface PipelineView {
    /** Life of the pipeline. */
    enum State {
        /** Routing by index and load. */
        NORMAL,
        /** The core has failed; requests go to the least loaded worker. */
        DEGRADED,
        /** Closed. */
        CLOSED
    }

    /** What is known of a slot's blocks. */
    enum SlotState {
        /** Blocks of a former life, not yet proven to be there. */
        UNPROVEN,
        /** Blocks count. */
        PROVEN,
        /** No events: what was sent there is assumed to be kept for a while. */
        APPROXIMATE,
        /** Takes nothing new. */
        DRAINING,
        /** Health check failed. */
        UNHEALTHY
    }

    /**
     * A slot's figures.
     *
     * @param slot number
     * @param workerNumber the caller's number of the worker
     * @param worker its name
     * @param dpRank rank
     * @param model number of the model
     * @param blockSize tokens of a block
     * @param state what it may take
     * @param activeRequests requests in flight
     * @param prefillTokens prompt tokens not yet prefilled
     * @param decodeBlocks blocks of requests in flight, shared prefixes once
     * @param deviceBlocks blocks in the index, device tier
     * @param hostBlocks blocks in the index, host tier
     * @param diskBlocks blocks in the index, disk tier
     * @param externalBlocks blocks in the index, external tier
     * @param predictedTokens cached prompt tokens that were predicted, where the engine reported its own count
     * @param actualTokens cached prompt tokens that the engine reported
     * @param predictionError moving average of |predicted - actual| / max of both, 0 to 1
     * @param trust factor on the worker's overlap, 1 unless index and engine disagree
     */
    record SlotFigures(
            int slot,
            int workerNumber,
            String worker,
            int dpRank,
            int model,
            int blockSize,
            SlotState state,
            long activeRequests,
            long prefillTokens,
            long decodeBlocks,
            long deviceBlocks,
            long hostBlocks,
            long diskBlocks,
            long externalBlocks,
            long predictedTokens,
            long actualTokens,
            double predictionError,
            double trust) {}

    /**
     * A ring's figures.
     *
     * @param name {@code requests}, {@code events} or {@code decisions}
     * @param capacity slots
     * @param used slots published or claimed and not yet released
     */
    record RingFigures(String name, int capacity, long used) {}

    /**
     * An index's figures.
     *
     * @param model number of the model
     * @param blockSize tokens of a block
     * @param blocks distinct blocks held
     * @param capacityBlocks blocks the file was made for
     * @param usedBytes bytes taken
     */
    record IndexFigures(int model, int blockSize, long blocks, long capacityBlocks, long usedBytes) {}

    /**
     * A shared pool's figures.
     *
     * @param pool its number ({@link io.penstock.dataplane.pool.PoolConfig#layouts})
     * @param pageSize tokens of a page
     * @param objectsPerPage physical objects of a page
     * @param counts whether its pages are credited: not before the first complete listing, nor in doubt
     * @param pages pages of which at least one object is there
     * @param capacityPages pages that are remembered
     * @param evicted pages given up because there was no room
     * @param expired pages given up because nothing confirmed them for long
     * @param stale objects that listings showed to be gone
     */
    record PoolFigures(
            int pool,
            int pageSize,
            int objectsPerPage,
            boolean counts,
            long pages,
            long capacityPages,
            long evicted,
            long expired,
            long stale) {}

    /** Whether the core decides. */
    State state();

    /** All slots that belong to a worker. */
    List<SlotFigures> slots();

    /** The rings. */
    List<RingFigures> rings();

    /** The indexes. */
    List<IndexFigures> indexes();

    /** The shared pools whose layout is known. */
    List<PoolFigures> pools();
}
