package io.penstock.index.structure;

import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;

/**
 * Answers look-ups: walks the runs of the query's path once for the device tier with one AND a run, then extends each
 * holder tier by tier where its blocks continue.
 *
 * <p>A path enters a run at its head always, so a prefix of the run is what counts, and a holder's device prefix goes on
 * exactly while it has the whole matched stretch.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> per run one compare and one AND for 64 holders, plus 2 ns for each
 * range and answer; nothing allocated once the longest path was seen.
 */
public final class Matcher {
    private final Runs runs;
    private final RunLists lists;
    private final Heads heads;
    private final Holders holders;
    private final long[] active;
    private final long[] reached;
    private final int[] counts;
    private final int[] ends;
    private final int[] touched;
    private int touchedCount;
    private long[] pathRuns = new long[64];
    private int[] pathEnds = new int[64];
    private int pathLength;

    /** Looks up in the structures of one file. */
    public Matcher(Runs runs, RunLists lists, Heads heads, Holders holders) {
        this.runs = runs;
        this.lists = lists;
        this.heads = heads;
        this.holders = holders;
        active = new long[holders.chunks()];
        reached = new long[holders.chunks()];
        counts = new int[holders.count() * Tier.COUNT];
        ends = new int[holders.count()];
        touched = new int[holders.count()];
    }

    /** {@link io.penstock.index.PrefixIndex#match}. */
    public int match(long[] sequences, int count, Overlaps out) {
        out.clear();
        walk(sequences, count);
        if (pathLength == 0) {
            return 0;
        }
        touchedCount = 0;
        device();
        for (int tier = Tier.HOST; tier < Tier.COUNT; tier++) {
            extend(tier);
        }
        for (int i = 0; i < touchedCount; i++) {
            int holder = touched[i];
            int at = holder * Tier.COUNT;
            out.add(holders.slot(holder), counts[at], counts[at + 1], counts[at + 2], counts[at + 3]);
            ends[holder] = 0;
            counts[at] = 0;
            counts[at + 1] = 0;
            counts[at + 2] = 0;
            counts[at + 3] = 0;
        }
        return out.size();
    }

    private void walk(long[] sequences, int count) {
        pathLength = 0;
        int at = 0;
        while (at < count) {
            long run = heads.find(sequences[at]);
            if (run < 0) {
                return;
            }
            at += runs.common(run, 0, sequences, at, count - at);
            if (pathLength == pathRuns.length) {
                pathRuns = java.util.Arrays.copyOf(pathRuns, pathLength * 2);
                pathEnds = java.util.Arrays.copyOf(pathEnds, pathLength * 2);
            }
            pathRuns[pathLength] = run;
            pathEnds[pathLength++] = at;
        }
    }

    private void device() {
        int begin = 0;
        for (int i = 0; i < pathLength; i++) {
            boolean any = deviceRun(pathRuns[i], begin, pathEnds[i]);
            begin = pathEnds[i];
            if (!any) {
                return;
            }
        }
        for (int chunk = 0; chunk < active.length; chunk++) {
            reach(chunk, active[chunk], begin);
        }
    }

    /** Keeps in {@code active} who has the whole stretch; the others end here. Answers whether anybody goes on. */
    private boolean deviceRun(long run, int begin, int end) {
        wholeHolders(run, begin == 0);
        long header = lists.address(run);
        int ranges = (int) Memory.getLong(header + RunLayout.SHAPE) & 0xFFFF;
        for (int i = 0; i < ranges; i++) {
            long entry = i < RunLayout.INLINE_RANGES
                    ? Memory.getLong(header + RunLayout.RANGES + (long) i * Long.BYTES)
                    : lists.range(run, i);
            // Device tier, not extra, from the run's first block on.
            if (entry >>> 61 == 0 && RangeEntry.from(entry) == 0) {
                deviceRange(RangeEntry.holder(entry), RangeEntry.to(entry), begin, end);
            }
        }
        long any = 0;
        for (int chunk = 0; chunk < active.length; chunk++) {
            if (begin > 0) {
                reach(chunk, active[chunk] & ~reached[chunk], begin);
            }
            active[chunk] = reached[chunk];
            any |= reached[chunk];
        }
        return any != 0;
    }

    private void wholeHolders(long run, boolean first) {
        for (int chunk = 0; chunk < active.length; chunk++) {
            if (first) {
                active[chunk] = holders.live(chunk);
            }
            reached[chunk] = 0;
        }
        reached[0] = Memory.getLong(lists.address(run) + RunLayout.DEVICE) & active[0];
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (RunLists.isBits(key) && RunLists.tierOf(key) == Tier.DEVICE) {
                int chunk = RunLists.chunkOf(key);
                reached[chunk] = lists.setValue(run, i) & active[chunk];
            }
        }
    }

    private void deviceRange(int holder, int to, int begin, int end) {
        int chunk = holder >>> 6;
        long bit = 1L << holder;
        if ((active[chunk] & bit) == 0) {
            return;
        }
        if (begin + to >= end) {
            reached[chunk] |= bit;
        } else {
            active[chunk] &= ~bit;
            credit(holder, Tier.DEVICE, begin + to);
        }
    }

    private void reach(int chunk, long bits, int end) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            credit(chunk * Long.SIZE + Long.numberOfTrailingZeros(rest), Tier.DEVICE, end);
        }
    }

    private void credit(int holder, int tier, int end) {
        if (ends[holder] == 0) {
            touched[touchedCount++] = holder;
        }
        counts[holder * Tier.COUNT + tier] += end - ends[holder];
        ends[holder] = end;
    }

    private void extend(int tier) {
        int begin = 0;
        for (int i = 0; i < pathLength; i++) {
            long run = pathRuns[i];
            int end = pathEnds[i];
            if (lists.hasTier(run, tier)) {
                extendWhole(run, tier, begin, end);
                extendRanges(run, tier, begin, end);
            }
            begin = end;
        }
    }

    private void extendWhole(long run, int tier, int begin, int end) {
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key) || RunLists.tierOf(key) != tier) {
                continue;
            }
            int chunk = RunLists.chunkOf(key);
            for (long bits = lists.setValue(run, i) & holders.live(chunk); bits != 0; bits &= bits - 1) {
                int holder = chunk * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (ends[holder] >= begin && ends[holder] < end) {
                    credit(holder, tier, end);
                }
            }
        }
    }

    private void extendRanges(long run, int tier, int begin, int end) {
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (entry >>> 61 != tier || !holders.isLive(RangeEntry.holder(entry))) {
                continue;
            }
            int holder = RangeEntry.holder(entry);
            int place = ends[holder] - begin;
            if (place >= RangeEntry.from(entry) && place < RangeEntry.to(entry) && ends[holder] < end) {
                credit(holder, tier, Math.min(end, begin + RangeEntry.to(entry)));
            }
        }
    }
}
