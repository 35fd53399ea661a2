package io.penstock.index.read;

import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.SetKey;

/**
 * Works the answer out from the copies alone: the device tier with one AND a run down the path, then each holder tier by
 * tier where its blocks continue. What the file says meanwhile does not matter.
 *
 * <p>A path enters a run at its head always, so a prefix of the run is what counts, and a holder's device prefix goes on
 * exactly while it has the whole matched stretch.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> per run one AND for 64 holders, 2 ns for each range and answer;
 * nothing allocated.
 */
final class Credits {
    private static final int BELOW_DEVICE = 1 << Tier.HOST | 1 << Tier.DISK | 1 << Tier.EXTERNAL;

    private final PathCopy path;
    private final HolderCopy holders;
    private final long[] active;
    private final long[] reached;
    private final int[] counts;
    private final int[] ends;
    private final int[] touched;
    private int touchedCount;

    Credits(PathCopy path, HolderCopy holders) {
        this.path = path;
        this.holders = holders;
        active = new long[holders.chunks()];
        reached = new long[holders.chunks()];
        counts = new int[holders.count() * Tier.COUNT];
        ends = new int[holders.count()];
        touched = new int[holders.count()];
    }

    /** Fills {@code out}, which is empty. */
    void answer(Overlaps out) {
        if (path.length() == 0) {
            return;
        }
        int tiers = path.allTiers();
        if ((tiers & BELOW_DEVICE) == 0) {
            // Nothing can be extended, so the first credit of a holder is its last: straight into the answer.
            device(out);
            return;
        }
        touchedCount = 0;
        device(null);
        for (int tier = Tier.HOST; tier < Tier.COUNT; tier++) {
            if ((tiers >>> tier & 1) != 0) {
                extend(tier);
            }
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
    }

    /** Credits device blocks, straight into {@code direct} unless that is null. */
    private void device(Overlaps direct) {
        int chunks = holders.liveChunks();
        for (int chunk = 0; chunk < chunks; chunk++) {
            active[chunk] = holders.live(chunk);
        }
        int begin = 0;
        for (int i = 0; i < path.length(); i++) {
            boolean any = deviceRun(i, begin, chunks, direct);
            begin = path.end(i);
            if (!any) {
                return;
            }
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            reach(chunk, active[chunk], begin, direct);
        }
    }

    /** Keeps in {@code active} who has the whole stretch; the others end here. Answers whether anybody goes on. */
    private boolean deviceRun(int run, int begin, int chunks, Overlaps direct) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            reached[chunk] = 0;
        }
        if (chunks > 0) {
            reached[0] = path.device(run) & active[0];
        }
        int sets = path.sets(run);
        for (int i = sets; i < path.setsEnd(run); i += SetKey.WORDS) {
            long key = path.word(i);
            int chunk = SetKey.chunk(key);
            if (SetKey.tier(key) == Tier.DEVICE && chunk < chunks) {
                reached[chunk] = path.word(i + 1) & active[chunk];
            }
        }
        int end = path.end(run);
        for (int i = path.ranges(run); i < sets; i++) {
            long entry = path.word(i);
            if (RangeEntry.tier(entry) == Tier.DEVICE && RangeEntry.from(entry) == 0) {
                deviceRange(RangeEntry.holder(entry), RangeEntry.to(entry), begin, end, direct);
            }
        }
        long any = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            if (begin > 0) {
                reach(chunk, active[chunk] & ~reached[chunk], begin, direct);
            }
            active[chunk] = reached[chunk];
            any |= reached[chunk];
        }
        return any != 0;
    }

    private void deviceRange(int holder, int to, int begin, int end, Overlaps direct) {
        int chunk = holder >>> 6;
        long bit = 1L << holder;
        if (!holders.isLive(holder) || (active[chunk] & bit) == 0) {
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
        for (int i = 0; i < path.length(); i++) {
            if (path.hasTier(i, tier)) {
                extendWhole(i, tier, begin);
                extendRanges(i, tier, begin);
            }
            begin = path.end(i);
        }
    }

    private void extendWhole(int run, int tier, int begin) {
        int end = path.end(run);
        for (int i = path.sets(run); i < path.setsEnd(run); i += SetKey.WORDS) {
            long key = path.word(i);
            if (SetKey.tier(key) != tier) {
                continue;
            }
            int chunk = SetKey.chunk(key);
            for (long bits = path.word(i + 1) & holders.live(chunk); bits != 0; bits &= bits - 1) {
                int holder = chunk * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (ends[holder] >= begin && ends[holder] < end) {
                    credit(holder, tier, end);
                }
            }
        }
    }

    private void extendRanges(int run, int tier, int begin) {
        int end = path.end(run);
        // From the end, as the writer walks: a holder's ranges of a run do not touch, so one of them at most continues.
        for (int i = path.sets(run) - 1; i >= path.ranges(run); i--) {
            long entry = path.word(i);
            int holder = RangeEntry.holder(entry);
            if (RangeEntry.tier(entry) != tier || !holders.isLive(holder)) {
                continue;
            }
            int place = ends[holder] - begin;
            if (place >= RangeEntry.from(entry) && place < RangeEntry.to(entry) && ends[holder] < end) {
                credit(holder, tier, Math.min(end, begin + RangeEntry.to(entry)));
            }
        }
    }
}
