package io.penstock.index.layout;

/**
 * The first 4 KiB of the shared pool's region: what it was made for, where its parts lie, and its roots.
 *
 * <pre>
 *    0 magic u64          8 capacityPages u64    16 objects u32         20 recordBytes u32
 *   24 lineCount u32     28 reserved u32
 *   32 offsets u64 x 3: table, heads, records    56 poolSum u64         CRC32C of bytes 0..55
 *   64 roots u64 x n
 * </pre>
 *
 * <p>The region begins with a page of the file. Nothing in it is logged: a file that was not closed in order has its pool
 * emptied, since the pool's owner is listed anyway.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class PoolLayout {
    /** "PSTKPOOL" read as a little-endian number. */
    public static final long MAGIC_VALUE = 0x4C4F4F504B545350L;

    /** {@link #STATE}: the rest of the roots and the table hold. */
    public static final long USED = 1;

    /** {@link #STATE}: to be emptied before use. */
    public static final long EMPTIED = 0;

    /** {@link #CURSOR}: the sweep has been everywhere. */
    public static final long SWEPT = Integer.MAX_VALUE;

    /** Bytes of the header. */
    public static final int BYTES = 4096;

    /** Magic. */
    public static final int MAGIC = 0;

    /** Logical pages it was made for. */
    public static final int CAPACITY_PAGES = MAGIC + Long.BYTES;

    /** Objects of a page. */
    public static final int OBJECTS = CAPACITY_PAGES + Long.BYTES;

    /** Bytes of a record. */
    public static final int RECORD_BYTES = OBJECTS + Integer.BYTES;

    /** Lines of the table. */
    public static final int LINE_COUNT = RECORD_BYTES + Integer.BYTES;

    /** First of the three offsets: table, heads, records. */
    public static final int OFFSETS = LINE_COUNT + 2 * Integer.BYTES;

    /** CRC32C of all bytes before. */
    public static final int POOL_SUM = OFFSETS + 3 * Long.BYTES;

    /** {@link #USED} or {@link #EMPTIED}. */
    public static final int STATE = POOL_SUM + Long.BYTES;

    /** Records in use, dead ones included until swept. */
    public static final int PAGES = STATE + Long.BYTES;

    /** Records ever used. */
    public static final int HIGH = PAGES + Long.BYTES;

    /** First free record, plus 1. */
    public static final int FREE_FIRST = HIGH + Long.BYTES;

    /** Last free record, plus 1. */
    public static final int FREE_LAST = FREE_FIRST + Long.BYTES;

    /** Record confirmed longest ago, plus 1. */
    public static final int OLDEST = FREE_LAST + Long.BYTES;

    /** Record confirmed last, plus 1. */
    public static final int NEWEST = OLDEST + Long.BYTES;

    /** Record taken into use last, plus 1. */
    public static final int LAST_TAKEN = NEWEST + Long.BYTES;

    /** Number of the latest listing begun. */
    public static final int LISTING = LAST_TAKEN + Long.BYTES;

    /** Number of the latest listing told to its end; objects confirmed only before it are gone. */
    public static final int PROVEN = LISTING + Long.BYTES;

    /** Listing at the latest clear; objects confirmed only before it are forgotten. */
    public static final int CLEARED = PROVEN + Long.BYTES;

    /** 1 between a listing's begin and its end. */
    public static final int IN_LISTING = CLEARED + Long.BYTES;

    /** Next record that the sweep after a listing or a clear looks at; {@link #SWEPT} when it is done. */
    public static final int CURSOR = IN_LISTING + Long.BYTES;

    private PoolLayout() {}
}
