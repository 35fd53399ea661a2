package io.penstock.index.structure;

import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeadEntry;
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
    private static final long BELOW_DEVICE = 1L << Tier.HOST | 1L << Tier.DISK | 1L << Tier.EXTERNAL;

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
    private long touchedWords;

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
        long tiers = walk(sequences, count);
        if (pathLength == 0) {
            return 0;
        }
        if ((tiers & BELOW_DEVICE) == 0) {
            // Nothing can be extended, so the first credit of a holder is its last: straight into the answer.
            device(out);
        } else {
            touchedCount = 0;
            device(null);
            for (int tier = Tier.HOST; tier < Tier.COUNT; tier++) {
                extend(tier);
            }
            answer(out);
        }
        return out.size();
    }

    /** Keeps the early loads alive for the compiler. */
    long touchedWords() {
        return touchedWords;
    }

    private void answer(Overlaps out) {
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
    }

    /** Finds the runs of the path; answers a bit for each tier in which any of them ever held something. */
    private long walk(long[] sequences, int count) {
        pathLength = 0;
        boolean goOn = count > 0;
        while (goOn) {
            int from = pathLength;
            int at = from == 0 ? 0 : pathEnds[from - 1];
            guess(sequences, at, count);
            goOn = !confirm(sequences, from, at, count) && pathEnds[pathLength - 1] < count;
        }
        long tiers = 0;
        for (int i = 0; i < pathLength; i++) {
            tiers |= lists.tiers(pathRuns[i]);
        }
        return tiers;
    }

    /**
     * Goes from entry to entry of the heads table as if each run matched to its end. NOTE(perf): what is read of the runs
     * then are loads that do not wait for each other; looked at one by one, each run would cost two misses in a row.
     */
    private void guess(long[] sequences, int begin, int count) {
        int length = pathLength;
        int at = begin;
        long ahead = 0;
        boolean peeked = false;
        while (at < count) {
            long entry = heads.candidate(sequences[at]);
            if (entry == 0) {
                break;
            }
            long run = runs.byId(HeadEntry.id(entry));
            at += Math.min(HeadEntry.length(entry), count - at);
            if (HeadEntry.length(entry) == Geometry.MAX_RUN_BLOCKS && !peeked) {
                peeked = true;
                ahead += peek(sequences, at, count);
            }
            long header = lists.address(run);
            ahead += Memory.getLong(header + RunLayout.EXTENT) + Memory.getLong(header + RunLayout.DEVICE);
            if (length == pathRuns.length) {
                pathRuns = java.util.Arrays.copyOf(pathRuns, length * 2);
                pathEnds = java.util.Arrays.copyOf(pathEnds, length * 2);
            }
            pathRuns[length] = run;
            pathEnds[length++] = at;
        }
        pathLength = length;
        touchedWords = ahead;
    }

    /** Behind a run as long as runs get often come more of them: loads their entries before one leads to the next. */
    private long peek(long[] sequences, int begin, int count) {
        long ahead = 0;
        for (int at = begin; at < count; at += Geometry.MAX_RUN_BLOCKS) {
            ahead += heads.peek(sequences[at]);
        }
        return ahead;
    }

    /**
     * Whether the path ends where it was guessed to. The first run from {@code from} on that does not match as guessed cuts
     * the path; then there may be more behind it, unless nothing of it matches.
     */
    private boolean confirm(long[] sequences, int from, int begin, int count) {
        int at = begin;
        for (int i = from; i < pathLength; i++) {
            int end = pathEnds[i];
            if (!runs.is(pathRuns[i], sequences[at], end - at, count - at, sequences[end - 1])) {
                return cut(sequences, i, at, count);
            }
            at = end;
        }
        return true;
    }

    private boolean cut(long[] sequences, int i, int at, int count) {
        long run = heads.find(sequences[at]);
        pathLength = i;
        if (run < 0) {
            return true;
        }
        pathRuns[i] = run;
        pathEnds[i] = at + runs.common(run, 0, sequences, at, count - at);
        pathLength = i + 1;
        return false;
    }

    /** Credits device blocks, straight into {@code direct} unless that is null. Leaves {@link #active} zero. */
    private void device(Overlaps direct) {
        int chunks = holders.liveChunks();
        if (chunks == 1) {
            deviceOfOneChunk(direct);
            return;
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            active[chunk] = holders.live(chunk);
        }
        int begin = 0;
        for (int i = 0; i < pathLength; i++) {
            boolean any = deviceRun(pathRuns[i], begin, pathEnds[i], chunks, direct);
            begin = pathEnds[i];
            if (!any) {
                return;
            }
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            reach(chunk, active[chunk], begin, direct);
            active[chunk] = 0;
        }
    }

    /** The same for at most 64 holders. NOTE(perf): their bits stay in a register; most runs list nothing. */
    private void deviceOfOneChunk(Overlaps direct) {
        long on = holders.live(0);
        int begin = 0;
        for (int i = 0; i < pathLength && on != 0; i++) {
            long header = lists.address(pathRuns[i]);
            if (RunLists.listsNothing(Memory.getLong(header + RunLayout.SHAPE))) {
                long whole = Memory.getLong(header + RunLayout.DEVICE) & on;
                if (whole != on && begin > 0) {
                    reach(0, on & ~whole, begin, direct);
                }
                on = whole;
            } else {
                active[0] = on;
                deviceRun(pathRuns[i], begin, pathEnds[i], 1, direct);
                on = active[0];
            }
            begin = pathEnds[i];
        }
        reach(0, on, begin, direct);
        active[0] = 0;
    }

    /** Keeps in {@code active} who has the whole stretch; the others end here. Answers whether anybody goes on. */
    private boolean deviceRun(long run, int begin, int end, int chunks, Overlaps direct) {
        long header = lists.address(run);
        long shape = Memory.getLong(header + RunLayout.SHAPE);
        for (int chunk = 1; chunk < chunks; chunk++) {
            reached[chunk] = 0;
        }
        reached[0] = Memory.getLong(header + RunLayout.DEVICE) & active[0];
        if (RunLists.setsIn(shape) > 0) {
            wholeHolders(run);
        }
        int ranges = RunLists.rangesIn(shape);
        for (int i = 0; i < ranges; i++) {
            long entry = i < RunLayout.INLINE_RANGES
                    ? Memory.getLong(header + RunLayout.RANGES + (long) i * Long.BYTES)
                    : lists.range(run, i);
            // Device tier, not extra, from the run's first block on.
            if (entry >>> 61 == 0 && RangeEntry.from(entry) == 0) {
                deviceRange(RangeEntry.holder(entry), RangeEntry.to(entry), begin, end, direct);
            }
        }
        long any = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            long on = reached[chunk];
            if (begin > 0) {
                reach(chunk, active[chunk] & ~on, begin, direct);
            }
            active[chunk] = on;
            any |= on;
        }
        return any != 0;
    }

    /** Bits of holders without a place in the header; {@code active} is 0 where nobody lives. */
    private void wholeHolders(long run) {
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (RunLists.isBits(key) && RunLists.tierOf(key) == Tier.DEVICE) {
                int chunk = RunLists.chunkOf(key);
                reached[chunk] = lists.setValue(run, i) & active[chunk];
            }
        }
    }

    private void deviceRange(int holder, int to, int begin, int end, Overlaps direct) {
        int chunk = holder >>> 6;
        long bit = 1L << holder;
        if ((active[chunk] & bit) == 0) {
            return;
        }
        if (begin + to >= end) {
            reached[chunk] |= bit;
        } else {
            active[chunk] &= ~bit;
            reach(chunk, bit, begin + to, direct);
        }
    }

    private void reach(int chunk, long bits, int end, Overlaps direct) {
        if (direct != null) {
            direct.addDevice(bits, holders.slots(), chunk * Long.SIZE, end);
            return;
        }
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
