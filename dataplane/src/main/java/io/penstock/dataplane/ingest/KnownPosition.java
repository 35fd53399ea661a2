package io.penstock.dataplane.ingest;

import io.penstock.dataplane.pipeline.SlotPosition;

/**
 * Last event batch that the index has applied of one rank: what proves, after a reconnect or a restart, that the engine
 * is still in the same life.
 *
 * @param sequence sequence number of the batch, or -1 if none was ever applied
 * @param timestampBits raw bits of the batch's timestamp
 * @param batchHash XXH3-64 (seed 0) of the batch's payload
 */
public record KnownPosition(long sequence, long timestampBits, long batchHash) {
    /** Nothing was ever applied. */
    public static final KnownPosition NONE = new KnownPosition(-1, 0, 0);

    /** The position that the core answered when it gave the slot. */
    public static KnownPosition of(SlotPosition rank) {
        return new KnownPosition(rank.sequence(), rank.timestampBits(), rank.batchHash());
    }

    /** Whether there is a batch to prove. */
    public boolean known() {
        return sequence >= 0;
    }
}
