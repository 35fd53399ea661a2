package io.penstock.index.layout;

/**
 * The first 4 KiB of page 0: what the file is, where its regions lie, who writes it, and the roots of all structures.
 *
 * <pre>
 *    0 magic u64          8 layoutVersion u32   12 headerBytes u32
 *   16 pageBytes u32     20 pageCount u32       24 blockSize u32      28 maxSlots u32
 *   32 capacityBlocks u64
 *   40 holderCount u32   44 undoEntries u32     48 bucketCount u32    52 granuleCount u32
 *   56 headSlots u32     60 runCount u32        64 sideUnits u32      68 poolPage u32
 *   72 offsets u64 x 10: page sums, undo, slots, holders, map, granules, heads, runs, side, columns
 *  152 staticSum u64     CRC32C of bytes 0..151
 *  160 state u64 · owner pid u64 · since u64 (ms) · boot id 2 x u64
 *  200 undoCount u64     stores of the step in flight u32 | the same, inverted u32
 *  208 contentSum u64    CRC32C of the page sums and of the roots, valid when clean
 *  216 headsVersion u64  odd while entries of the heads table move
 *  224 holdersVersion u64  odd while holders or slots change
 *  256 roots u64 x n     nextDomain and slotLimit through the undo log, the others derived from the truth
 * </pre>
 *
 * <p>Offsets count bytes in the linear space of the pages put end to end (page = offset / pageBytes). Written once at
 * creation, except state to contentSum (opener) and the roots (writer).
 *
 * <p><b>Threading:</b> immutable.
 */
public final class HeaderLayout {
    /** "PENSTOCK" read as a little-endian number. */
    public static final long MAGIC_VALUE = 0x4B434F54534E4550L;

    /** Version of everything under {@code layout}. */
    public static final int VERSION_VALUE = 2;

    /** Bytes of the header. */
    public static final int BYTES = 4096;

    /** Magic. */
    public static final int MAGIC = 0;

    /** Layout version. */
    public static final int LAYOUT_VERSION = MAGIC + Long.BYTES;

    /** Bytes of this header. */
    public static final int HEADER_BYTES = LAYOUT_VERSION + Integer.BYTES;

    /** Bytes of a page. */
    public static final int PAGE_BYTES = HEADER_BYTES + Integer.BYTES;

    /** Pages of the file. */
    public static final int PAGE_COUNT = PAGE_BYTES + Integer.BYTES;

    /** Tokens of a block. */
    public static final int BLOCK_SIZE = PAGE_COUNT + Integer.BYTES;

    /** Slots at a time. */
    public static final int MAX_SLOTS = BLOCK_SIZE + Integer.BYTES;

    /** Distinct blocks the file was made for. */
    public static final int CAPACITY_BLOCKS = MAX_SLOTS + Integer.BYTES;

    /** Holder records. */
    public static final int HOLDER_COUNT = CAPACITY_BLOCKS + Long.BYTES;

    /** Entries of the undo log. */
    public static final int UNDO_ENTRIES = HOLDER_COUNT + Integer.BYTES;

    /** Buckets of the engine-hash map. */
    public static final int BUCKET_COUNT = UNDO_ENTRIES + Integer.BYTES;

    /** Granules of 16 blocks. */
    public static final int GRANULE_COUNT = BUCKET_COUNT + Integer.BYTES;

    /** Slots of the heads table. */
    public static final int HEAD_SLOTS = GRANULE_COUNT + Integer.BYTES;

    /** Run headers. */
    public static final int RUN_COUNT = HEAD_SLOTS + Integer.BYTES;

    /** Units of 64 bytes in the side arena. */
    public static final int SIDE_UNITS = RUN_COUNT + Integer.BYTES;

    /** First page of the shared pool's region, which begins with {@link PoolLayout}; 0 = none. */
    public static final int POOL_PAGE = SIDE_UNITS + Integer.BYTES;

    /** First of the ten region offsets, in the order of {@link Geometry}. */
    public static final int REGION_OFFSETS = POOL_PAGE + Integer.BYTES;

    /** Regions after the header. */
    public static final int REGION_COUNT = 10;

    /** CRC32C of all bytes before. */
    public static final int STATIC_SUM = REGION_OFFSETS + REGION_COUNT * Long.BYTES;

    /** {@link #CLEAN} or {@link #DIRTY}. */
    public static final int STATE = STATIC_SUM + Long.BYTES;

    /** Process of the last writer. */
    public static final int OWNER_PID = STATE + Long.BYTES;

    /** When the last writer opened, Unix ms. */
    public static final int OWNER_SINCE = OWNER_PID + Long.BYTES;

    /** Boot under which the last writer ran, upper half. */
    public static final int BOOT_HIGH = OWNER_SINCE + Long.BYTES;

    /** Lower half. */
    public static final int BOOT_LOW = BOOT_HIGH + Long.BYTES;

    /** Entries of the undo log that belong to the step in flight. */
    public static final int UNDO_COUNT = BOOT_LOW + Long.BYTES;

    /** CRC32C of page sums and roots; valid when clean. */
    public static final int CONTENT_SUM = UNDO_COUNT + Long.BYTES;

    /** Odd while entries of the heads table move; partner: readers beside the writer. */
    public static final int HEADS_VERSION = CONTENT_SUM + Long.BYTES;

    /** Odd while holders or slots change; partner: readers beside the writer. */
    public static final int HOLDERS_VERSION = HEADS_VERSION + Long.BYTES;

    /** Begin of the roots. */
    public static final int ROOTS = 256;

    /** Blocks held by at least one holder, dead generations included until swept. */
    public static final int BLOCKS = ROOTS;

    /** Entries of the engine-hash map. */
    public static final int NAMES = BLOCKS + Long.BYTES;

    /** Next hash domain; 0 is the shared one, numbers are never used again. */
    public static final int NEXT_DOMAIN = NAMES + Long.BYTES;

    /** First free run header, plus 1. */
    public static final int RUN_FREE = NEXT_DOMAIN + Long.BYTES;

    /** Run headers ever used. */
    public static final int RUN_HIGH = RUN_FREE + Long.BYTES;

    /** Runs in use. */
    public static final int RUNS_LIVE = RUN_HIGH + Long.BYTES;

    /** Granules in use. */
    public static final int GRANULES_USED = RUNS_LIVE + Long.BYTES;

    /** Side arena units ever used. */
    public static final int SIDE_HIGH = GRANULES_USED + Long.BYTES;

    /** Side arena units in use. */
    public static final int SIDE_USED = SIDE_HIGH + Long.BYTES;

    /** Highest slot ever given plus one. */
    public static final int SLOT_LIMIT = SIDE_USED + Long.BYTES;

    /** Free lists of the side arena by size class: first unit plus 1. */
    public static final int SIDE_FREE = SLOT_LIMIT + Long.BYTES;

    /** Size classes of the side arena: 64 bytes to 32 KiB. */
    public static final int SIDE_CLASSES = 10;

    /** Which bins of free extents are not empty, one bit each. */
    public static final int BIN_BITS = SIDE_FREE + SIDE_CLASSES * Long.BYTES;

    /** Bins of free extents by granules: 1..63, then by power of two. First granule plus 1. */
    public static final int BINS = BIN_BITS + 2 * Long.BYTES;

    /** Number of bins, bin 0 unused. */
    public static final int BIN_COUNT = 96;

    /** End of the roots. */
    public static final int ROOTS_END = BINS + BIN_COUNT * Long.BYTES;

    /** Closed in order. */
    public static final long CLEAN = 1;

    /** A writer has it open, or was killed. */
    public static final long DIRTY = 2;

    private HeaderLayout() {}

    /** The word that says that the step in flight has so many stores; a flipped bit shows. */
    public static long undoCount(int entries) {
        return ~(long) entries << 32 | entries;
    }
}
