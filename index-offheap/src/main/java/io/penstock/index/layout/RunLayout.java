package io.penstock.index.layout;

/**
 * The header of a run: up to 512 consecutive blocks of one prefix with their columns in one extent.
 *
 * <pre>
 *   0 version u64     odd while the writer changes the run; goes up with every change, also when the header is free
 *   8 extent u64      first granule u32 | granules u16 | length in blocks u16; free when granules is 0
 *  16 domain u64      of the engine hashes in the extent's own column
 *  24 head u64        sequence hash of block 0
 *  32 parent u64      sequence hash of the block before, 0 for a root: for inspection only
 *  40 shape u64       ranges u16 | sets u16 | range class u8 | set class u8 | tiers u8 | extra tiers u8
 *  48 side u64        side unit of ranges + 1 u32 | side unit of sets + 1 u32
 *  56 sum u64         of sequence hashes, own engine hashes, header and lists, each word weighted by its place
 *  64 device u64      bit h: holder h (0..63) has the whole run on its device
 *  72 ranges u64 x 7  the first seven; further ones in the side block ({@link RangeEntry})
 * </pre>
 *
 * <p>A free header's word 8 is the next free header plus 1.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class RunLayout {
    /** Bytes of a header: two cache lines. */
    public static final int BYTES = 128;

    /** Odd while the run is being changed; partner: readers beside the writer. */
    public static final int VERSION = 0;

    /** Extent and length. */
    public static final int EXTENT = VERSION + Long.BYTES;

    /** Domain of the column inside the extent. */
    public static final int DOMAIN = EXTENT + Long.BYTES;

    /** Sequence hash of the first block. */
    public static final int HEAD = DOMAIN + Long.BYTES;

    /** Sequence hash before the first block. */
    public static final int PARENT = HEAD + Long.BYTES;

    /** Counts and classes. */
    public static final int SHAPE = PARENT + Long.BYTES;

    /** Side blocks. */
    public static final int SIDE = SHAPE + Long.BYTES;

    /** Sum of all the run's words, weighted; see {@link #sequenceWeight} and the others. */
    public static final int SUM = SIDE + Long.BYTES;

    /** Whole holders on the device, holders 0..63. */
    public static final int DEVICE = SUM + Long.BYTES;

    /** Ranges in the header. */
    public static final int RANGES = DEVICE + Long.BYTES;

    /** How many. */
    public static final int INLINE_RANGES = (BYTES - RANGES) / Long.BYTES;

    private RunLayout() {}

    /** Weight of the sequence hash at a place. All weights are odd and differ, so that no flipped bit goes unseen. */
    public static long sequenceWeight(int place) {
        return 2L * place + 1;
    }

    /** Weight of the engine hash at a place of the run's own column. */
    public static long nameWeight(int place) {
        return 2L * (Geometry.MAX_RUN_BLOCKS + place) + 1;
    }

    /** Weight of the engine hash at a place of a further domain's column. */
    public static long columnWeight(long domain, int place) {
        return nameWeight(place) + (domain << 16);
    }

    /** Weight of a word of the header. */
    public static long headerWeight(int field) {
        return 2L * (2 * Geometry.MAX_RUN_BLOCKS + (field >>> 3)) + 1;
    }

    /** Weight of range {@code i}, in the header or in the side block; only those that are listed count. */
    public static long rangeWeight(int i) {
        return headerWeight(RANGES) + 2L * i;
    }

    /** Weight of word {@code i} of the sets; only those that are listed count. */
    public static long setWeight(int i) {
        return headerWeight(1 << 20) + 2L * i;
    }
}
