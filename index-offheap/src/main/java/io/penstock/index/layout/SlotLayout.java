package io.penstock.index.layout;

/**
 * The directory's record of a slot: which worker's rank it is, under which holder its blocks stand, and the last event
 * batch applied.
 *
 * <pre>
 *   0 open u64 (1 = a worker's)   8 holder u64   16 dpRank u64   24 generation u64
 *  32 sequence u64   40 timestampBits u64   48 batchHash u64   56 nameBytes u64   64 name UTF-8, 255 bytes, zero padded
 * 320 batchOpen u64 (1 = between batchBegun and position)   328 sum u64: of the words before, each times 2 x index + 1
 * 336 version u64     odd while the position changes
 * </pre>
 *
 * <p>Every field is a word, changed only through the undo log, but for the version.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class SlotLayout {
    /** Bytes of a record. */
    public static final int BYTES = 512;

    /** 1 when the slot belongs to a worker. */
    public static final int OPEN = 0;

    /** Holder of the slot's blocks. */
    public static final int HOLDER = OPEN + Long.BYTES;

    /** Rank. */
    public static final int DP_RANK = HOLDER + Long.BYTES;

    /** Counts removals and clears of this slot number. */
    public static final int GENERATION = DP_RANK + Long.BYTES;

    /** Engine sequence of the last batch applied, or -1. */
    public static final int SEQUENCE = GENERATION + Long.BYTES;

    /** Raw bits of the batch's timestamp. */
    public static final int TIMESTAMP = SEQUENCE + Long.BYTES;

    /** XXH3-64 of the batch. */
    public static final int BATCH_HASH = TIMESTAMP + Long.BYTES;

    /** UTF-8 bytes of the worker's name. */
    public static final int NAME_BYTES = BATCH_HASH + Long.BYTES;

    /** The worker's name. */
    public static final int NAME = NAME_BYTES + Long.BYTES;

    /** 1 from the first event of a batch to its end. */
    public static final int BATCH_OPEN = NAME + 256;

    /** Weighted sum of the words before. */
    public static final int SUM = BATCH_OPEN + Long.BYTES;

    /** Odd while position or batch change; partner: readers beside the writer. */
    public static final int VERSION = SUM + Long.BYTES;

    /** Longest name, UTF-8 bytes. */
    public static final int MAX_NAME_BYTES = 255;

    private SlotLayout() {}
}
