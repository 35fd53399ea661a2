package io.penstock.index.layout;

import io.penstock.index.IndexConfig;
import java.nio.ByteBuffer;

/**
 * How many records each region has and where it begins: computed from the configuration alone when a file is made, and
 * read from its header by those who have no configuration.
 *
 * <p>Regions lie end to end, each from a multiple of 4 KiB; every record's size divides 4 KiB or is allocated so that
 * it never straddles a page. Sizing: granules for 1.25 times the capacity, one run header for two granules, two map
 * entries in three slots.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Geometry {
    /** Blocks of a granule. */
    public static final int GRANULE_BLOCKS = 16;

    /** Longest run, blocks: bounds every step and keeps cutoffs in 16 bits. */
    public static final int MAX_RUN_BLOCKS = 512;

    /** Bytes of a granule: 16 sequence hashes, then 16 engine hashes. */
    public static final int GRANULE_BYTES = 2 * GRANULE_BLOCKS * Long.BYTES;

    /** Bytes of an undo entry: offset, former value. */
    public static final int UNDO_BYTES = 2 * Long.BYTES;

    /** Bytes of an entry of the heads table. */
    public static final int HEAD_BYTES = Long.BYTES;

    /** Unit of the side arena. */
    public static final int SIDE_UNIT_BYTES = 64;

    /** Largest side block: 32 KiB. */
    public static final int SIDE_CHUNK_UNITS = 1 << (HeaderLayout.SIDE_CLASSES - 1);

    private static final int REGION_ALIGNMENT = 4096;
    private static final int MIN_SIDE_UNITS = 16 * SIDE_CHUNK_UNITS;
    private static final int UNDO_ENTRIES = 1 << 14;

    /** Bytes of a page. */
    public final int pageBytes;

    /** Pages of the file. */
    public final int pageCount;

    /** Holder records: twice the slots, so that a clear always finds a fresh one. */
    public final int holderCount;

    /** Undo entries. */
    public final int undoEntries;

    /** Map buckets. */
    public final int bucketCount;

    /** Granules. */
    public final int granuleCount;

    /** Slots of the heads table. */
    public final int headSlots;

    /** Run headers. */
    public final int runCount;

    /** Side arena units. */
    public final int sideUnits;

    /** Lower bits of a map entry's word that are the block; the upper ones are more of its tag. */
    public final int blockBits;

    /** Region offsets in file order. */
    public final long pageSums;

    /** Offset of the undo log. */
    public final long undo;

    /** Offset of the slot directory. */
    public final long slots;

    /** Offset of the holder records. */
    public final long holders;

    /** Offset of the engine-hash map. */
    public final long map;

    /** Offset of the granule table. */
    public final long granules;

    /** Offset of the heads table. */
    public final long heads;

    /** Offset of the run headers. */
    public final long runs;

    /** Offset of the side arena. */
    public final long side;

    /** Offset of the columns. */
    public final long columns;

    /** First page of the shared pool's region; 0 = none. */
    public final int poolPage;

    /** The region's layout; null without one, and where only the file's header was read. */
    public final PoolGeometry pool;

    /** Lays out a file for {@code config}. */
    public Geometry(IndexConfig config) {
        pageBytes = config.pageBytes();
        undoEntries = UNDO_ENTRIES;
        holderCount = 2 * config.maxSlots() + 8;
        long blocks = config.capacityBlocks();
        granuleCount = Math.toIntExact(blocks / GRANULE_BLOCKS * 5 / 4 + 256);
        bucketCount = Math.toIntExact(blocks * 3 / 2 / BucketLayout.SLOTS + 32);
        blockBits = blockBits(granuleCount);
        runCount = granuleCount / 2 + 64;
        headSlots = Math.toIntExact((long) runCount * 5 / 3);
        sideUnits = align(Math.max(MIN_SIDE_UNITS, runCount + 16 * holderCount), SIDE_CHUNK_UNITS);

        pageSums = HeaderLayout.BYTES;
        // The page sums' own size needs the page count; 8 bytes for every 64 KiB bounds it from above.
        long rest = (long) granuleCount * (GRANULE_BYTES + Integer.BYTES)
                + (long) bucketCount * BucketLayout.BYTES
                + (long) runCount * RunLayout.BYTES
                + (long) headSlots * HEAD_BYTES
                + (long) sideUnits * SIDE_UNIT_BYTES
                + (long) holderCount * HolderLayout.BYTES
                + (long) config.maxSlots() * SlotLayout.BYTES
                + poolBytes(config)
                + (1 << 20);
        undo = region(pageSums, rest / pageBytes * Long.BYTES + 64);
        slots = region(undo, (long) undoEntries * UNDO_BYTES);
        holders = region(slots, (long) config.maxSlots() * SlotLayout.BYTES);
        map = region(holders, (long) holderCount * HolderLayout.BYTES);
        granules = region(map, (long) bucketCount * BucketLayout.BYTES);
        heads = region(granules, (long) granuleCount * Integer.BYTES);
        runs = region(heads, (long) headSlots * HEAD_BYTES);
        // The arena's blocks of 32 KiB must not straddle pages.
        side = align(region(runs, (long) runCount * RunLayout.BYTES), (long) SIDE_CHUNK_UNITS * SIDE_UNIT_BYTES);
        columns = region(side, (long) sideUnits * SIDE_UNIT_BYTES);
        int ownPages = pagesUpTo(columns + (long) granuleCount * GRANULE_BYTES);
        poolPage = config.poolPages() == 0 ? 0 : ownPages;
        pool = poolPage == 0
                ? null
                : new PoolGeometry((long) ownPages * pageBytes, config.poolPages(), config.poolObjects());
        pageCount = pool == null ? ownPages : pagesUpTo(pool.end);
    }

    private static long poolBytes(IndexConfig config) {
        return config.poolPages() == 0 ? 0 : new PoolGeometry(0, config.poolPages(), config.poolObjects()).end;
    }

    private int pagesUpTo(long end) {
        return Math.toIntExact((end + pageBytes - 1) / pageBytes);
    }

    private Geometry(ByteBuffer header) {
        pageBytes = header.getInt(HeaderLayout.PAGE_BYTES);
        pageCount = header.getInt(HeaderLayout.PAGE_COUNT);
        holderCount = header.getInt(HeaderLayout.HOLDER_COUNT);
        undoEntries = header.getInt(HeaderLayout.UNDO_ENTRIES);
        bucketCount = header.getInt(HeaderLayout.BUCKET_COUNT);
        granuleCount = header.getInt(HeaderLayout.GRANULE_COUNT);
        blockBits = blockBits(granuleCount);
        headSlots = header.getInt(HeaderLayout.HEAD_SLOTS);
        runCount = header.getInt(HeaderLayout.RUN_COUNT);
        sideUnits = header.getInt(HeaderLayout.SIDE_UNITS);
        poolPage = header.getInt(HeaderLayout.POOL_PAGE);
        pool = null;
        pageSums = offset(header, 0);
        undo = offset(header, 1);
        slots = offset(header, 2);
        holders = offset(header, 3);
        map = offset(header, 4);
        granules = offset(header, 5);
        heads = offset(header, 6);
        runs = offset(header, 7);
        side = offset(header, 8);
        columns = offset(header, 9);
    }

    /**
     * What a file's header says, little-endian, from its first byte on.
     *
     * @throws IllegalArgumentException with one line when a region lies outside of the pages, overlaps the next, or has
     *     records that would straddle a page
     */
    public static Geometry ofHeader(ByteBuffer header) {
        Geometry geometry = new Geometry(header);
        geometry.check(header.getInt(HeaderLayout.MAX_SLOTS));
        return geometry;
    }

    private static long offset(ByteBuffer header, int region) {
        return header.getLong(HeaderLayout.REGION_OFFSETS + region * Long.BYTES);
    }

    private void check(int maxSlots) {
        require(Integer.bitCount(pageBytes) == 1 && pageBytes >= REGION_ALIGNMENT, "page size", "pageBytes", pageBytes);
        require(pageCount > 0, "number of pages", "pageCount", pageCount);
        require(poolPage >= 0 && poolPage < pageCount, "first page of the shared pool", "poolPage", poolPage);
        long[] begins = regionOffsets();
        long[] counts = {
            pageCount,
            undoEntries,
            maxSlots,
            holderCount,
            bucketCount,
            granuleCount,
            headSlots,
            runCount,
            sideUnits,
            granuleCount
        };
        int[] sizes = {
            Long.BYTES,
            UNDO_BYTES,
            SlotLayout.BYTES,
            HolderLayout.BYTES,
            BucketLayout.BYTES,
            Integer.BYTES,
            HEAD_BYTES,
            RunLayout.BYTES,
            SIDE_UNIT_BYTES,
            GRANULE_BYTES
        };
        for (int region = 0; region < begins.length; region++) {
            long end = region + 1 < begins.length ? begins[region + 1] : (long) ownPages() * pageBytes;
            require(counts[region] > 0, "number of records", "count of region " + region, counts[region]);
            require(
                    begins[region] >= HeaderLayout.BYTES
                            && begins[region] % sizes[region] == 0
                            && counts[region] <= (end - begins[region]) / sizes[region],
                    "region",
                    "offset of region " + region,
                    begins[region]);
        }
    }

    private static void require(boolean condition, String what, String name, long value) {
        if (!condition) {
            throw new IllegalArgumentException("header names an impossible " + what + ": " + name + "=" + value);
        }
    }

    /** Pages before the shared pool's region: those of the prefix index. */
    public int ownPages() {
        return poolPage == 0 ? pageCount : poolPage;
    }

    /** The ten region offsets in the order of the header. */
    public long[] regionOffsets() {
        return new long[] {pageSums, undo, slots, holders, map, granules, heads, runs, side, columns};
    }

    /** The counts of the header from {@link HeaderLayout#HOLDER_COUNT} on, in its order, with the pool's page. */
    public int[] counts() {
        return new int[] {holderCount, undoEntries, bucketCount, granuleCount, headSlots, runCount, sideUnits, poolPage
        };
    }

    private static int blockBits(int granuleCount) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(granuleCount * GRANULE_BLOCKS - 1);
    }

    private static long region(long former, long formerBytes) {
        return align(former + formerBytes, REGION_ALIGNMENT);
    }

    private static long align(long value, long to) {
        return (value + to - 1) / to * to;
    }

    private static int align(int value, int to) {
        return (value + to - 1) / to * to;
    }
}
