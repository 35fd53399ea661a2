package io.penstock.index.structure;

import io.penstock.index.PrefixIndex;
import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;

/**
 * Applies removed events: one probe of the map finds a block, its neighbours in the column, upwards or downwards, are
 * compared with the hashes that follow, and the whole stretch leaves in one step.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
public final class Remover {
    private final StepLog steps;
    private final Runs runs;
    private final Names names;
    private final Holders holders;
    private final Reclaimer reclaimer;
    private final Resolver resolver;
    private long lossyRemovals;
    private boolean down;

    /** Works on the structures of one file. */
    public Remover(StepLog steps, Runs runs, Names names, Holders holders, Reclaimer reclaimer, Resolver resolver) {
        this.steps = steps;
        this.runs = runs;
        this.names = names;
        this.holders = holders;
        this.reclaimer = reclaimer;
        this.resolver = resolver;
    }

    /** Removals that dropped more than was said, for want of room to note the rest. */
    public long lossyRemovals() {
        return lossyRemovals;
    }

    /** {@link PrefixIndex#removed} for a holder. */
    public long removed(int holder, int tier, long[] engineHashes, int from, int count) {
        long domain = holders.domain(holder);
        long total = 0;
        int end = from + count;
        int i = from;
        while (i < end) {
            int block = resolver.findKnown(domain, Names.kept(engineHashes[i]));
            boolean own = block >= 0;
            if (!own && domain != Names.SHARED) {
                block = resolver.findKnown(Names.SHARED, Names.kept(engineHashes[i]));
            }
            i++;
            if (block < 0) {
                continue;
            }
            long target = runs.of(block);
            int first = runs.place(target, block);
            int last = first;
            if (own) {
                int taken = neighbours(target, domain, first, engineHashes, i, end);
                i += taken;
                // Down or up, never both: the sign tells.
                first -= down ? taken : 0;
                last += down ? 0 : taken;
            }
            total += drop(target, tier, holder, first, last + 1);
        }
        return total;
    }

    /** How many of the next hashes are the places after the first, or, {@code down}, before it. */
    private int neighbours(long target, long domain, int first, long[] engineHashes, int from, int end) {
        int limit = Math.min(end - from, reclaimer.stepBlocks(target) - 1);
        down = limit > 0 && first > 0 && names.name(target, domain, first - 1) == Names.kept(engineHashes[from]);
        limit = Math.min(limit, down ? first : runs.length(target) - 1 - first);
        if (steps.get(target + RunLayout.DOMAIN) == domain) {
            return equalNames(runs.base(target), first, down ? -1 : 1, engineHashes, from, limit);
        }
        int taken = 0;
        while (taken < limit
                && names.name(target, domain, down ? first - 1 - taken : first + 1 + taken)
                        == Names.kept(engineHashes[from + taken])) {
            taken++;
        }
        return taken;
    }

    private static int equalNames(long base, int first, int direction, long[] engineHashes, int from, int limit) {
        int taken = 0;
        int place = first + direction;
        while (taken < limit
                && Memory.getLong(BlockCell.at(base, place) + BlockCell.NAME)
                        == Names.kept(engineHashes[from + taken])) {
            taken++;
            place += direction;
        }
        return taken;
    }

    private int drop(long target, int tier, int holder, int from, int to) {
        int dropped;
        if (reclaimer.roomToDrop(target, tier)) {
            dropped = reclaimer.drop(target, tier, holder, from, to);
        } else {
            lossyRemovals++;
            reclaimer.dropAll(target, tier, holder);
            dropped = to - from;
        }
        steps.commit();
        return dropped;
    }
}
