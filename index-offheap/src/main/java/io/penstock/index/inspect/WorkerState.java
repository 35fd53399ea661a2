package io.penstock.index.inspect;

/**
 * What the file says of a slot's present generation.
 *
 * @param slot its number
 * @param worker name
 * @param dpRank rank
 * @param generation counts clears and removals of the slot
 * @param domain hash domain, 0 for the shared one
 * @param batchOpen whether a batch of events was begun and not ended: such a slot is cleared at the next open
 * @param lastBatch the last batch applied, or null
 * @param held blocks, further copies not counted
 *
 * <p><b>Threading:</b> immutable.
 */
public record WorkerState(
        int slot,
        String worker,
        long dpRank,
        long generation,
        long domain,
        boolean batchOpen,
        LastBatch lastBatch,
        TierCounts held) {
    /**
     * The last event batch.
     *
     * @param sequence the engine's number
     * @param timestamp the engine's, in seconds
     * @param hash XXH3-64 of the batch, 16 hexadecimal digits
     */
    public record LastBatch(long sequence, double timestamp, String hash) {}

    WorkerState with(TierCounts counted) {
        return new WorkerState(slot, worker, dpRank, generation, domain, batchOpen, lastBatch, counted);
    }
}
