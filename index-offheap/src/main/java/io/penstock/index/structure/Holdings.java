package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Ladder;

/**
 * Which holder has which blocks of a run in which tier, and how many copies.
 *
 * <p>I1: a holder that has the whole run in a tier is a bit and nothing else, as long as there is room for sets. I2: otherwise its ranges are disjoint and
 * do not touch. I3: further copies stand in extra ranges, only where a first copy is.
 *
 * <p>Holes need no split of the run: they are the gap between two ranges. The common cases, a whole run or its first k
 * blocks, cost one bit or one word.
 *
 * <p><b>Threading:</b> owned by the writer; scratch memory is reused.
 */
final class Holdings {
    private static final int WORDS = Geometry.MAX_RUN_BLOCKS / Long.SIZE;

    /** One (holder, tier) in its worst form: every place apart, each with a count of its own. */
    private static final int COUNTED_RANGES = Geometry.MAX_RUN_BLOCKS + 1;

    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Holders holders;
    private final int[] copies = new int[Geometry.MAX_RUN_BLOCKS + 1];

    /** The holdings in a file. */
    Holdings(StepLog steps, Runs runs, RunLists lists, Holders holders) {
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.holders = holders;
    }

    /** Whether the holder has the whole run in the tier. */
    boolean whole(long run, int tier, int holder) {
        return (bits(run, tier, holder >>> 6) >>> holder & 1) != 0;
    }

    private long bits(long run, int tier, int chunk) {
        if (tier == 0 && chunk == 0) {
            return steps.get(run + RunLayout.DEVICE);
        }
        int set = lists.findSet(run, RunLists.bitsKey(tier, chunk));
        return set < 0 ? 0 : lists.setValue(run, set);
    }

    private void setWhole(long run, int tier, int holder, boolean whole) {
        int chunk = holder >>> 6;
        long former = bits(run, tier, chunk);
        long bits = whole ? former | 1L << holder : former & ~(1L << holder);
        if (tier == 0 && chunk == 0) {
            runs.put(run, RunLayout.DEVICE, bits);
            return;
        }
        int set = lists.findSet(run, RunLists.bitsKey(tier, chunk));
        if (set < 0) {
            lists.addSet(run, RunLists.bitsKey(tier, chunk), bits);
        } else {
            lists.putSetValue(run, set, bits);
        }
    }

    /** Whether one more copy of a stretch finds room; asked before a step that covers it. */
    boolean roomToCover(long run, int tier, int holder, int from, int to) {
        boolean counts = lists.hasExtras(run, tier) || overlaps(run, tier, holder, from, to);
        return lists.roomFor(run, counts ? COUNTED_RANGES : 1, false);
    }

    /** Whether one copy less of a stretch finds room for what is left. */
    boolean roomToUncover(long run, int tier) {
        return lists.roomFor(run, lists.hasExtras(run, tier) ? COUNTED_RANGES : 1, true);
    }

    /** Whether anybody has the whole run, other than the one given. */
    boolean anyWhole(long run, int exceptTier, int exceptHolder) {
        long device = steps.get(run + RunLayout.DEVICE);
        if (exceptTier == 0 && exceptHolder >= 0 && exceptHolder < Long.SIZE) {
            device &= ~(1L << exceptHolder);
        }
        if (device != 0) {
            return true;
        }
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (RunLists.isBits(key)) {
                long bits = lists.setValue(run, i);
                if (key == RunLists.bitsKey(exceptTier, exceptHolder >>> 6)) {
                    bits &= ~(1L << exceptHolder);
                }
                if (bits != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether anybody has the whole run. */
    boolean anyWhole(long run) {
        return anyWhole(run, -1, -1);
    }

    /** Sets a bit in {@code out} for each place that anybody holds in a range. */
    void union(long run, long[] out) {
        for (int word = 0; word < WORDS; word++) {
            out[word] = 0;
        }
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (!RangeEntry.isExtra(entry)) {
                mark(out, RangeEntry.from(entry), RangeEntry.to(entry));
            }
        }
    }

    static long[] places() {
        return new long[WORDS];
    }

    static void mark(long[] places, int from, int to) {
        for (int word = from >>> 6; word <= to - 1 >>> 6; word++) {
            long low = word == from >>> 6 ? -1L << from : -1L;
            long high = word == to - 1 >>> 6 ? -1L >>> -to : -1L;
            places[word] |= low & high;
        }
    }

    /** One more copy of blocks {@code from} to {@code to} (exclusive). */
    void cover(long run, int tier, int holder, int from, int to) {
        runs.enter(run);
        lists.markTier(run, tier);
        if (Ladder.LAYERS && (lists.hasExtras(run, tier) || overlaps(run, tier, holder, from, to))) {
            lists.markExtras(run, tier);
            change(run, tier, holder, from, to, 1);
            return;
        }
        int begin = from;
        int end = to;
        long owner = RangeEntry.owner(tier, holder);
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (RangeEntry.owner(entry) == owner && (RangeEntry.to(entry) == from || RangeEntry.from(entry) == to)) {
                begin = Math.min(begin, RangeEntry.from(entry));
                end = Math.max(end, RangeEntry.to(entry));
                lists.removeRange(run, i);
            }
        }
        add(run, tier, holder, begin, end);
        holders.addHeld(holder, tier, to - from);
    }

    private void add(long run, int tier, int holder, int from, int to) {
        if (from == 0 && to == runs.length(run)) {
            setWhole(run, tier, holder, true);
        } else {
            lists.addRange(run, RangeEntry.of(tier, holder, from, to));
        }
    }

    private boolean overlaps(long run, int tier, int holder, int from, int to) {
        if (whole(run, tier, holder)) {
            return true;
        }
        long owner = RangeEntry.owner(tier, holder);
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (RangeEntry.owner(entry) == owner && RangeEntry.from(entry) < to && RangeEntry.to(entry) > from) {
                return true;
            }
        }
        return false;
    }

    /** One copy less of each block that the holder has; answers how many it had. */
    int uncover(long run, int tier, int holder, int from, int to) {
        runs.enter(run);
        if (lists.hasExtras(run, tier)) {
            return change(run, tier, holder, from, to, -1);
        }
        int length = runs.length(run);
        int removed = 0;
        if (whole(run, tier, holder)) {
            setWhole(run, tier, holder, false);
            removed = to - from;
            addRest(run, tier, holder, 0, from);
            addRest(run, tier, holder, to, length);
        } else {
            long owner = RangeEntry.owner(tier, holder);
            for (int i = lists.ranges(run) - 1; i >= 0; i--) {
                long entry = lists.range(run, i);
                int begin = Math.max(from, RangeEntry.from(entry));
                int end = Math.min(to, RangeEntry.to(entry));
                if (RangeEntry.owner(entry) == owner && begin < end) {
                    lists.removeRange(run, i);
                    removed += end - begin;
                    addRest(run, tier, holder, RangeEntry.from(entry), begin);
                    addRest(run, tier, holder, end, RangeEntry.to(entry));
                }
            }
        }
        holders.addHeld(holder, tier, -removed);
        return removed;
    }

    private void addRest(long run, int tier, int holder, int from, int to) {
        if (from < to) {
            lists.addRange(run, RangeEntry.of(tier, holder, from, to));
        }
    }

    /** All copies of the blocks are gone. */
    void uncoverAllCopies(long run, int tier, int holder, int from, int to) {
        runs.enter(run);
        if (lists.hasExtras(run, tier)) {
            change(run, tier, holder, from, to, -RangeEntry.MAX_COPIES - 1);
        } else {
            uncover(run, tier, holder, from, to);
        }
    }

    /** The general form: counts of copies are spread out place by place, changed and packed again. */
    private int change(long run, int tier, int holder, int from, int to, int delta) {
        int length = runs.length(run);
        int before = spread(run, tier, holder, length);
        int changed = 0;
        for (int place = from; place < to; place++) {
            if (delta > 0 || copies[place] > 0) {
                changed++;
                copies[place] = Math.clamp((long) copies[place] + delta, 0, RangeEntry.MAX_COPIES + 1);
            }
        }
        holders.addHeld(holder, tier, pack(run, tier, holder, length) - before);
        return changed;
    }

    private int spread(long run, int tier, int holder, int length) {
        boolean whole = whole(run, tier, holder);
        for (int place = 0; place < length; place++) {
            copies[place] = whole ? 1 : 0;
        }
        int held = whole ? length : 0;
        if (whole) {
            setWhole(run, tier, holder, false);
        }
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (RangeEntry.tier(entry) == tier && RangeEntry.holder(entry) == holder) {
                int add = RangeEntry.isExtra(entry) ? RangeEntry.copies(entry) : 1;
                for (int place = RangeEntry.from(entry); place < RangeEntry.to(entry); place++) {
                    copies[place] += add;
                }
                held += RangeEntry.isExtra(entry) ? 0 : RangeEntry.to(entry) - RangeEntry.from(entry);
                lists.removeRange(run, i);
            }
        }
        return held;
    }

    private int pack(long run, int tier, int holder, int length) {
        int held = 0;
        int place = 0;
        while (place < length) {
            int from = place;
            while (place < length && copies[place] > 0) {
                place++;
            }
            if (place > from) {
                held += place - from;
                add(run, tier, holder, from, place);
                packExtras(run, tier, holder, from, place);
            } else {
                place++;
            }
        }
        return held;
    }

    private void packExtras(long run, int tier, int holder, int from, int to) {
        int place = from;
        while (place < to) {
            int begin = place;
            int count = copies[begin];
            while (place < to && copies[place] == count) {
                place++;
            }
            if (count > 1) {
                lists.addRange(run, RangeEntry.extra(tier, holder, begin, place, count - 1));
            }
        }
    }

    /** After the run got shorter: what now covers all of it becomes a bit (I1). */
    void normalize(long run) {
        runs.enter(run);
        int length = runs.length(run);
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            // Without room for a set a range over the whole run does as well.
            if (!RangeEntry.isExtra(entry)
                    && RangeEntry.from(entry) == 0
                    && RangeEntry.to(entry) == length
                    && lists.roomFor(run, 0, true)) {
                lists.removeRange(run, i);
                setWhole(run, RangeEntry.tier(entry), RangeEntry.holder(entry), true);
            }
        }
    }

    /** One range of a dying holder: packed as an entry, or 0 when none is left. */
    long anyDying(long run) {
        long device = steps.get(run + RunLayout.DEVICE) & holders.dying(0);
        if (device != 0) {
            return RangeEntry.of(0, Long.numberOfTrailingZeros(device), 0, runs.length(run));
        }
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (RunLists.isBits(key)) {
                int chunk = RunLists.chunkOf(key);
                long bits = lists.setValue(run, i) & holders.dying(chunk);
                if (bits != 0) {
                    int holder = chunk * Long.SIZE + Long.numberOfTrailingZeros(bits);
                    return RangeEntry.of(RunLists.tierOf(key), holder, 0, runs.length(run));
                }
            }
        }
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (!RangeEntry.isExtra(entry) && holders.isDying(RangeEntry.holder(entry))) {
                return entry;
            }
        }
        return 0;
    }
}
