package io.penstock.dataplane.workers;

import io.penstock.dataplane.pipeline.SlotPosition;
import java.util.List;

/**
 * Whoever reads the engines' KV events.
 *
 * <p><b>Threading:</b> called on the fleet's control thread; must not block for long.
 */
public interface EventFeeds {
    /**
     * Starts reading a worker's events; replaces the feeds it had.
     *
     * @param worker the worker with nothing left open
     * @param ranks where each rank publishes
     * @param positions slot of each rank and what its index last applied, in the order of the ranks
     */
    void add(WorkerSpec worker, List<RankFeed> ranks, List<SlotPosition> positions);

    /** Stops reading a worker's events; nothing more is offered for its slots after this returns. */
    void remove(String worker);

    /** The slot's index missed something: ask the worker's engine for a replay. */
    void replay(String worker, int slot);
}
