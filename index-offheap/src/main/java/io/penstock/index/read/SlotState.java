package io.penstock.index.read;

/**
 * What the directory says of an open slot at one instant.
 *
 * @param slot its number
 * @param worker name of the worker
 * @param dpRank rank of the worker
 * @param generation goes up with every clear and removal of the slot
 * @param positionSequence engine's number of the last event batch applied, or {@code PrefixIndex.NO_POSITION}
 * @param positionTimestampBits the batch's timestamp, raw bits of the engine's double
 * @param positionHash XXH3-64 of the batch
 * @param batchOpen whether a batch was being applied
 *
 * <p><b>Threading:</b> immutable.
 */
public record SlotState(
        int slot,
        String worker,
        int dpRank,
        int generation,
        long positionSequence,
        long positionTimestampBits,
        long positionHash,
        boolean batchOpen) {}
