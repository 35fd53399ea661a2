package io.penstock.index.structure;

import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.PageFile;

/**
 * What a run's header and its two side blocks list: ranges (one word each, the first seven in the header) and sets (two
 * words each: key and value).
 *
 * <p>A set is 64 holders' bits of one tier ("whole run held"; the device's first 64 are in the header) or a further
 * column of engine hashes for another domain. Both lists are unordered; a removed entry is replaced by the last.
 *
 * <p><b>Threading:</b> owned by the writer.
 */
final class RunLists {
    private static final int SETS_SHIFT = 16;
    private static final int RANGE_CLASS_SHIFT = 32;
    private static final int SET_CLASS_SHIFT = 40;
    private static final int TIERS_SHIFT = 48;
    private static final int EXTRA_TIERS_SHIFT = 56;
    private static final long BITS_KIND = 1L << 56;
    private static final long COLUMN_KIND = 2L << 56;
    private static final int SET_WORDS = 2;
    private static final int RESERVE_TOPS = 3;
    private static final int MAX_RANGES = SideArena.words(SideArena.TOP) + RunLayout.INLINE_RANGES;
    private static final int MAX_SETS = SideArena.words(SideArena.TOP) / SET_WORDS;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final SideArena arena;

    /** The lists of a file's runs. */
    RunLists(PageFile pages, StepLog steps, Runs runs, SideArena arena) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        this.arena = arena;
    }

    /** Key of the bits of 64 holders in a tier. */
    static long bitsKey(int tier, int chunk) {
        return BITS_KIND | (long) tier << 16 | chunk;
    }

    /** Key of a domain's column. */
    static long columnKey(long domain) {
        return COLUMN_KIND | domain;
    }

    static boolean isBits(long key) {
        return key >>> 56 == BITS_KIND >>> 56;
    }

    static int tierOf(long bitsKey) {
        return (int) (bitsKey >>> 16) & 0xFF;
    }

    static int chunkOf(long bitsKey) {
        return (int) bitsKey & 0xFFFF;
    }

    static long domainOf(long columnKey) {
        return columnKey & ~COLUMN_KIND;
    }

    private long shape(long run) {
        return steps.get(run + RunLayout.SHAPE);
    }

    int ranges(long run) {
        return rangesIn(shape(run));
    }

    int sets(long run) {
        return setsIn(shape(run));
    }

    /** Ranges that a shape word counts. */
    static int rangesIn(long shape) {
        return (int) shape & 0xFFFF;
    }

    /** Whether a shape word counts neither ranges nor sets. */
    static boolean listsNothing(long shape) {
        return (int) shape == 0;
    }

    /** Sets that a shape word counts. */
    static int setsIn(long shape) {
        return (int) (shape >>> SETS_SHIFT) & 0xFFFF;
    }

    /** A bit for each tier in which the run ever held anything since it was made. */
    long tiers(long run) {
        return shape(run) >>> TIERS_SHIFT & 0xFF;
    }

    /** Whether the run ever held anything in the tier since it was made. */
    boolean hasTier(long run, int tier) {
        return (shape(run) >>> TIERS_SHIFT + tier & 1) != 0;
    }

    /** Whether the run ever held further copies in the tier since it was made. */
    boolean hasExtras(long run, int tier) {
        return (shape(run) >>> EXTRA_TIERS_SHIFT + tier & 1) != 0;
    }

    void markTier(long run, int tier) {
        mark(run, TIERS_SHIFT + tier);
    }

    void markExtras(long run, int tier) {
        mark(run, EXTRA_TIERS_SHIFT + tier);
    }

    private void mark(long run, int bit) {
        long shape = shape(run);
        if ((shape >>> bit & 1) == 0) {
            runs.put(run, RunLayout.SHAPE, shape | 1L << bit);
        }
    }

    /**
     * Whether a step may add so many ranges and two sets to the run. Half of the arena's reserve is kept for removals,
     * which may split ranges too.
     */
    boolean roomFor(long run, int moreRanges, boolean removal) {
        return arena.spareTops() >= (removal ? RESERVE_TOPS : 2 * RESERVE_TOPS)
                && ranges(run) + moreRanges <= MAX_RANGES
                && sets(run) + 2 <= MAX_SETS;
    }

    /** Whether the side arena has room for a new run's first sets. */
    boolean roomForRun() {
        return arena.spareTops() >= 2 * RESERVE_TOPS;
    }

    /** Offset of range {@code i}. */
    long rangeOffset(long run, int i) {
        if (i < RunLayout.INLINE_RANGES) {
            return run + RunLayout.RANGES + (long) i * Long.BYTES;
        }
        return arena.offset((int) steps.get(run + RunLayout.SIDE) - 1)
                + (long) (i - RunLayout.INLINE_RANGES) * Long.BYTES;
    }

    long range(long run, int i) {
        return steps.get(rangeOffset(run, i));
    }

    void addRange(long run, long entry) {
        int count = ranges(run);
        if (count >= RunLayout.INLINE_RANGES) {
            growRanges(run, count - RunLayout.INLINE_RANGES);
        }
        // Logged although nothing lists it: it may have been taken off the list in this very step.
        steps.put(rangeOffset(run, count), entry);
        runs.addToSum(run, entry * RunLayout.rangeWeight(count));
        runs.put(run, RunLayout.SHAPE, shape(run) + 1);
    }

    void removeRange(long run, int i) {
        int last = ranges(run) - 1;
        long moved = range(run, last);
        if (i != last) {
            long delta = moved - range(run, i);
            steps.put(rangeOffset(run, i), moved);
            runs.addToSum(run, delta * RunLayout.rangeWeight(i));
        }
        runs.addToSum(run, -moved * RunLayout.rangeWeight(last));
        runs.put(run, RunLayout.SHAPE, shape(run) - 1);
    }

    private void growRanges(long run, int used) {
        int sizeClass = (int) (shape(run) >>> RANGE_CLASS_SHIFT) & 0xFF;
        if (sizeClass != 0 && used < SideArena.words(sizeClass - 1)) {
            return;
        }
        long side = steps.get(run + RunLayout.SIDE);
        int unit = grown((int) side, sizeClass, used);
        runs.put(run, RunLayout.SIDE, side & 0xFFFF_FFFF_0000_0000L | (unit + 1));
        runs.put(run, RunLayout.SHAPE, shape(run) + (1L << RANGE_CLASS_SHIFT));
    }

    /** A block of the next class with the former one's words, which is given back. */
    private int grown(int formerUnitPlusOne, int sizeClass, int usedWords) {
        int unit = arena.allocate(sizeClass);
        if (sizeClass != 0) {
            arena.copy(arena.offset(formerUnitPlusOne - 1), arena.offset(unit), usedWords);
            steps.released().side(formerUnitPlusOne - 1, sizeClass - 1);
        }
        return unit;
    }

    /** Offset of set {@code i}: its key, then its value. */
    long setOffset(long run, int i) {
        return arena.offset((int) (steps.get(run + RunLayout.SIDE) >>> 32) - 1) + (long) i * SET_WORDS * Long.BYTES;
    }

    long setKey(long run, int i) {
        return steps.get(setOffset(run, i));
    }

    long setValue(long run, int i) {
        return steps.get(setOffset(run, i) + Long.BYTES);
    }

    /** Changes the value under a key that is listed. */
    void putSetValue(long run, int i, long value) {
        putSetWord(run, 2 * i + 1, value);
    }

    private void putSetWord(long run, int word, long value) {
        long offset = setOffset(run, 0) + (long) word * Long.BYTES;
        runs.addToSum(run, (value - steps.get(offset)) * RunLayout.setWeight(word));
        steps.put(offset, value);
    }

    /** Index of the set with the key, or -1. */
    int findSet(long run, long key) {
        for (int i = sets(run) - 1; i >= 0; i--) {
            if (setKey(run, i) == key) {
                return i;
            }
        }
        return -1;
    }

    /** Adds a set and answers its index. */
    int addSet(long run, long key, long value) {
        int count = sets(run);
        int sizeClass = (int) (shape(run) >>> SET_CLASS_SHIFT) & 0xFF;
        if (sizeClass == 0 || count * SET_WORDS >= SideArena.words(sizeClass - 1)) {
            long side = steps.get(run + RunLayout.SIDE);
            long unit = grown((int) (side >>> 32), sizeClass, count * SET_WORDS);
            runs.put(run, RunLayout.SIDE, side & 0xFFFF_FFFFL | unit + 1 << 32);
            runs.put(run, RunLayout.SHAPE, shape(run) + (1L << SET_CLASS_SHIFT));
        }
        long offset = setOffset(run, count);
        steps.put(offset, key);
        steps.put(offset + Long.BYTES, value);
        runs.addToSum(run, key * RunLayout.setWeight(2 * count) + value * RunLayout.setWeight(2 * count + 1));
        runs.put(run, RunLayout.SHAPE, shape(run) + (1L << SETS_SHIFT));
        return count;
    }

    void removeSet(long run, int i) {
        int last = sets(run) - 1;
        long key = setKey(run, last);
        long value = setValue(run, last);
        if (i != last) {
            putSetWord(run, 2 * i, key);
            putSetWord(run, 2 * i + 1, value);
        }
        runs.addToSum(run, -key * RunLayout.setWeight(2 * last) - value * RunLayout.setWeight(2 * last + 1));
        runs.put(run, RunLayout.SHAPE, shape(run) - (1L << SETS_SHIFT));
    }

    /** Gives both side blocks back; the header is freed by the caller. */
    void release(long run) {
        long side = steps.get(run + RunLayout.SIDE);
        int rangeClass = (int) (shape(run) >>> RANGE_CLASS_SHIFT) & 0xFF;
        int setClass = (int) (shape(run) >>> SET_CLASS_SHIFT) & 0xFF;
        if (rangeClass != 0) {
            steps.released().side((int) side - 1, rangeClass - 1);
        }
        if (setClass != 0) {
            steps.released().side((int) (side >>> 32) - 1, setClass - 1);
        }
    }

    /** Size class of the ranges' side block plus 1, 0 for none. */
    int rangeClass(long run) {
        return (int) (shape(run) >>> RANGE_CLASS_SHIFT) & 0xFF;
    }

    /** Size class of the sets' side block plus 1, 0 for none. */
    int setClass(long run) {
        return (int) (shape(run) >>> SET_CLASS_SHIFT) & 0xFF;
    }

    /** Weighted sum of what is listed; the header says so much that its offsets lie in the file. */
    long contentSum(long run) {
        long sum = 0;
        for (int i = ranges(run) - 1; i >= 0; i--) {
            sum += range(run, i) * RunLayout.rangeWeight(i);
        }
        for (int i = sets(run) - 1; i >= 0; i--) {
            sum += setKey(run, i) * RunLayout.setWeight(2 * i) + setValue(run, i) * RunLayout.setWeight(2 * i + 1);
        }
        return sum;
    }

    /** Address of the header, for readers of many words. */
    long address(long run) {
        return pages.address(run);
    }
}
