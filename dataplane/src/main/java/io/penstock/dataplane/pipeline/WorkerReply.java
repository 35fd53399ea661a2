package io.penstock.dataplane.pipeline;

import java.util.List;

/**
 * Hears of a worker's slots.
 *
 * <p><b>Threading:</b> called on the core's thread: hand over to your own thread, do nothing else.
 */
public interface WorkerReply {
    /**
     * The worker has its slots. Called again with the same slots when the core had to reopen its indexes: every feed then
     * proves its engine anew, from the position given.
     *
     * @param ranks one entry per rank, in the order of the ranks
     */
    void added(int workerNumber, List<SlotPosition> ranks);

    /** The worker was not taken in. */
    void refused(int workerNumber, String why);

    /**
     * Blocks of the slot came whose parent the index does not know: something was missed. Ask the engine for a replay.
     * At most once a second and slot.
     */
    default void replayWanted(int slot) {}
}
