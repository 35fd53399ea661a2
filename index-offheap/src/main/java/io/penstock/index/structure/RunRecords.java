package io.penstock.index.structure;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.RunShape;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import java.lang.invoke.VarHandle;

/**
 * A run as words that mean the same in any file: copied out under the run's version and held against its sum, and laid into
 * an empty file.
 *
 * <pre>
 *  0 words u32 | run id u32   1 length u16 | ranges u16 | sets u16 | tiers u8 | extra tiers u8   2 domain   3 parent   4 device
 *  5 ranges, sets (key, value; of a further column 0), sequence hashes, engine hashes, then each further column
 * </pre>
 *
 * <p>Length 0: there is no such run, and the record has two words.
 *
 * <p><b>Threading:</b> {@link #copy} by any one thread; {@link #place} by the opener, on a file that nobody reads.
 * <b>Cost:</b> about 3 ns a block, nothing allocated once the longest run was seen.
 */
public final class RunRecords {
    /** Answer of {@link #copy}: the writer is at the run, or it does not hold its sum. */
    public static final int CHANGING = -1;

    /** Words of the record of a run that does not exist. */
    public static final int ABSENT_WORDS = 2;

    private static final int HEAD_WORDS = 5;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Extents extents;
    private final SideArena arena;
    private final EngineMap map;
    private final Geometry geometry;
    private long[] words = new long[4096];

    RunRecords(
            PageFile pages,
            StepLog steps,
            Runs runs,
            RunLists lists,
            Extents extents,
            SideArena arena,
            EngineMap map,
            Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.extents = extents;
        this.arena = arena;
        this.map = map;
        this.geometry = geometry;
    }

    /** A copier with scratch memory of its own, for another thread. */
    public RunRecords another() {
        return new RunRecords(pages, steps, runs, lists, extents, arena, map, geometry);
    }

    /** Run headers ever used. */
    public int high() {
        return (int) steps.root(HeaderLayout.RUN_HIGH);
    }

    /** The run's version, acquired. Partner: the barriers of {@code VersionWord}. */
    public long version(int id) {
        long version = Memory.getLong(pages.address(runs.byId(id)));
        VarHandle.acquireFence();
        return version;
    }

    /** The record copied last; valid up to the number of words that {@link #copy} answered. */
    public long[] words() {
        return words;
    }

    /**
     * Copies the run as it stood at {@code version}, which was read before.
     *
     * @return words of the record, or {@link #CHANGING}
     */
    public int copy(int id, long version) {
        if ((version & 1) != 0) {
            return CHANGING;
        }
        long header = pages.address(runs.byId(id));
        int used = copyUnguarded(id, header);
        // Keeps the loads above the load of the version; partner: the barrier in VersionWord.enter.
        VarHandle.acquireFence();
        return Memory.getLong(header) == version ? used : CHANGING;
    }

    private int copyUnguarded(int id, long header) {
        long extent = Memory.getLong(header + RunLayout.EXTENT);
        int granules = RunShape.granules(extent);
        if (granules == 0) {
            words[0] = (long) id << Integer.SIZE | ABSENT_WORDS;
            words[1] = 0;
            return ABSENT_WORDS;
        }
        long granule = RunShape.granule(extent);
        int length = RunShape.length(extent);
        long shape = Memory.getLong(header + RunLayout.SHAPE);
        long side = Memory.getLong(header + RunLayout.SIDE);
        int ranges = RunShape.ranges(shape);
        int sets = RunShape.sets(shape);
        // Bounds first: what is copied beside the writer may be anything.
        if (length < 1
                || length > Math.min(Geometry.MAX_RUN_BLOCKS, granules * Geometry.GRANULE_BLOCKS)
                || granule + granules > geometry.granuleCount
                || page(granule) != page(granule + granules - 1)
                || !inArena(RunShape.rangeUnit(side), ranges - RunLayout.INLINE_RANGES)
                || !inArena(RunShape.setUnit(side), sets * 2)) {
            return CHANGING;
        }
        int room = HEAD_WORDS + ranges + 2 * sets + (2 + sets) * length;
        if (words.length < room) {
            words = new long[Integer.highestOneBit(room) * 2];
        }
        return copyWithin(id, header, extent, shape, side);
    }

    private long page(long granule) {
        return extents.offset((int) granule) / geometry.pageBytes;
    }

    private boolean inArena(long unit, int listed) {
        long bytes = (long) listed * Long.BYTES;
        return listed <= 0
                || unit >= 0
                        && unit * Geometry.SIDE_UNIT_BYTES + bytes
                                <= (long) geometry.sideUnits * Geometry.SIDE_UNIT_BYTES
                        && unit / Geometry.SIDE_CHUNK_UNITS
                                == (unit + (bytes - 1) / Geometry.SIDE_UNIT_BYTES) / Geometry.SIDE_CHUNK_UNITS;
    }

    private int copyWithin(int id, long header, long extent, long shape, long side) {
        int length = RunShape.length(extent);
        int ranges = RunShape.ranges(shape);
        int sets = RunShape.sets(shape);
        long sum = headerSum(header);
        words[1] = (long) length | (long) ranges << 16 | (long) sets << 32 | shape >>> 48 << 48;
        words[2] = Memory.getLong(header + RunLayout.DOMAIN);
        words[3] = Memory.getLong(header + RunLayout.PARENT);
        words[4] = Memory.getLong(header + RunLayout.DEVICE);
        int at = HEAD_WORDS;
        long further = arena.offset((int) RunShape.rangeUnit(side));
        for (int i = 0; i < ranges; i++) {
            words[at] = i < RunLayout.INLINE_RANGES
                    ? Memory.getLong(header + RunLayout.RANGES + (long) i * Long.BYTES)
                    : steps.get(further + (long) (i - RunLayout.INLINE_RANGES) * Long.BYTES);
            sum += words[at++] * RunLayout.rangeWeight(i);
        }
        int keys = at;
        long setList = arena.offset((int) RunShape.setUnit(side));
        for (int i = 0; i < 2 * sets; i++) {
            words[at] = steps.get(setList + (long) i * Long.BYTES);
            sum += words[at++] * RunLayout.setWeight(i);
        }
        long base = pages.address(extents.offset((int) RunShape.granule(extent)));
        for (int place = 0; place < length; place++) {
            long cell = BlockCell.at(base, place);
            long sequence = Memory.getLong(cell);
            long name = Memory.getLong(cell + BlockCell.NAME);
            words[at + place] = sequence;
            words[at + length + place] = name;
            sum += sequence * RunLayout.sequenceWeight(place) + name * RunLayout.nameWeight(place);
        }
        at += 2 * length;
        for (int i = 0; i < sets; i++) {
            long key = words[keys + 2 * i];
            if (!RunLists.isBits(key)) {
                long first = words[keys + 2 * i + 1];
                words[keys + 2 * i + 1] = 0;
                if (!columnInFile(first, length)) {
                    return CHANGING;
                }
                sum += copyColumn(Names.columnFirst(first), RunLists.domainOf(key), length, at);
                at += length;
            }
        }
        words[0] = (long) id << Integer.SIZE | at;
        return sum == Memory.getLong(header + RunLayout.SUM) ? at : CHANGING;
    }

    private static long headerSum(long header) {
        long sum = 0;
        for (int field = RunLayout.EXTENT; field <= RunLayout.DEVICE; field += Long.BYTES) {
            if (field != RunLayout.SUM) {
                sum += Memory.getLong(header + field) * RunLayout.headerWeight(field);
            }
        }
        return sum;
    }

    private boolean columnInFile(long value, int length) {
        int first = Names.columnFirst(value);
        int size = Names.columnSize(value);
        return first >= 0
                && size > 0
                && size <= geometry.granuleCount - first
                && (long) size * Geometry.GRANULE_BYTES >= (long) length * Long.BYTES;
    }

    private long copyColumn(int granule, long domain, int length, int at) {
        long column = extents.offset(granule);
        long sum = 0;
        for (int place = 0; place < length; place++) {
            long name = steps.get(column + (long) place * Long.BYTES);
            words[at + place] = name;
            sum += name * RunLayout.columnWeight(domain, place);
        }
        return sum;
    }

    /**
     * Lays a run into the file as its next one: truth only, what is derived is built by {@link Repair} afterwards.
     *
     * @param record with its first word at {@code from}, in bounds
     * @return null, or what stands against it
     */
    public String place(long[] record, int from) {
        int length = (int) record[from + 1] & 0xFFFF;
        int ranges = (int) (record[from + 1] >>> 16) & 0xFFFF;
        int sets = (int) (record[from + 1] >>> 32) & 0xFFFF;
        int granules = (length + Geometry.GRANULE_BLOCKS - 1) / Geometry.GRANULE_BLOCKS;
        if (!runs.anyFree() || !extents.available(granules)) {
            return "no room for run " + high();
        }
        int hashes = from + HEAD_WORDS + ranges + 2 * sets;
        int named = named(record, hashes + length, from + RunRecords.wordsOf(record[from]));
        // Asked here, for the map is built later by code that takes its room for granted.
        if (!map.roomFor(named)) {
            return "no room for the names of run " + high();
        }
        map.added(named);
        long run = runs.allocate(record[from + 2], record[hashes], record[from + 3]);
        int granule = extents.allocate(granules, runs.id(run) + 1);
        long base = pages.address(extents.offset(granule));
        for (int place = 0; place < length; place++) {
            long cell = BlockCell.at(base, place);
            Memory.putLong(cell, record[hashes + place]);
            Memory.putLong(cell + BlockCell.NAME, record[hashes + length + place]);
        }
        runs.addToSum(run, Runs.contentSum(base, 0, length));
        runs.put(run, RunLayout.EXTENT, Runs.extent(granule, granules, length));
        runs.put(run, RunLayout.DEVICE, record[from + 4]);
        runs.put(run, RunLayout.SHAPE, record[from + 1] >>> 48 << 48);
        for (int i = 0; i < ranges; i++) {
            lists.addRange(run, record[from + HEAD_WORDS + i]);
        }
        steps.commit();
        String wrong = placeSets(run, record, from + HEAD_WORDS + ranges, sets, hashes + 2 * length);
        steps.commit();
        return wrong;
    }

    private static int named(long[] record, int from, int to) {
        int named = 0;
        for (int i = from; i < to; i++) {
            named += record[i] == 0 ? 0 : 1;
        }
        return named;
    }

    private String placeSets(long run, long[] record, int keys, int sets, int columns) {
        int length = runs.length(run);
        int at = columns;
        for (int i = 0; i < sets; i++) {
            long key = record[keys + 2 * i];
            if (RunLists.isBits(key)) {
                lists.addSet(run, key, record[keys + 2 * i + 1]);
                continue;
            }
            int granules = (runs.granules(run) * Geometry.GRANULE_BLOCKS * Long.BYTES + Geometry.GRANULE_BYTES - 1)
                    / Geometry.GRANULE_BYTES;
            if (!extents.available(granules)) {
                return "no room for a column of run " + runs.id(run);
            }
            int first = extents.allocate(granules, Extents.COLUMN_OWNER);
            long column = pages.address(extents.offset(first));
            Memory.zero(column, (long) granules * Geometry.GRANULE_BYTES);
            long sum = 0;
            for (int place = 0; place < length; place++) {
                Memory.putLong(column + (long) place * Long.BYTES, record[at + place]);
                sum += record[at + place] * RunLayout.columnWeight(RunLists.domainOf(key), place);
            }
            at += length;
            runs.addToSum(run, sum);
            lists.addSet(run, key, (long) granules << Integer.SIZE | first);
        }
        return null;
    }

    /** Whether a record's counts are within bounds and agree with its number of words. */
    public static boolean plausible(long[] record, int from, int limit) {
        int used = (int) record[from];
        if (used < ABSENT_WORDS || used > limit - from) {
            return false;
        }
        int length = (int) record[from + 1] & 0xFFFF;
        if (length == 0) {
            return used == ABSENT_WORDS;
        }
        int ranges = (int) (record[from + 1] >>> 16) & 0xFFFF;
        int sets = (int) (record[from + 1] >>> 32) & 0xFFFF;
        int keys = from + HEAD_WORDS + ranges;
        if (length > Geometry.MAX_RUN_BLOCKS || HEAD_WORDS + ranges + 2 * sets + 2 * length > used) {
            return false;
        }
        int further = 0;
        for (int i = 0; i < sets; i++) {
            further += RunLists.isBits(record[keys + 2 * i]) ? 0 : 1;
        }
        return HEAD_WORDS + ranges + 2 * sets + (2 + further) * length == used;
    }

    /** Run id of a record. */
    public static int idOf(long head) {
        return (int) (head >>> Integer.SIZE);
    }

    /** Words of a record. */
    public static int wordsOf(long head) {
        return (int) head;
    }
}
