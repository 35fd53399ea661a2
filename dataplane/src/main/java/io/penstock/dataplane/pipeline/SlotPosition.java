package io.penstock.dataplane.pipeline;

/**
 * A rank's slot and the last event batch that its index knows.
 *
 * @param slot number to give with events
 * @param dpRank rank of the worker
 * @param sequence the engine's sequence number of the last batch applied, or {@link
 *     io.penstock.index.PrefixIndex#NO_POSITION}
 * @param timestampBits that batch's timestamp, raw bits of the engine's double
 * @param batchHash XXH3-64 of that batch's payload
 * @param heldBlocks blocks kept from the engine's former life, over all tiers; they count once {@link
 *     EventPort#proven} was called
 */
public record SlotPosition(int slot, int dpRank, long sequence, long timestampBits, long batchHash, long heldBlocks) {}
