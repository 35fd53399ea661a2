package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;

/**
 * What happens to blocks when their last holder goes: names leave the map, the run is cut after its last held block, an
 * empty run disappears. Dead blocks inside a run keep their place, nameless, until they are stored again.
 *
 * <p><b>Threading:</b> owned by the writer; scratch memory is reused.
 */
public final class Reclaimer {
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Names names;
    private final EngineMap map;
    private final Heads heads;
    private final Extents extents;
    private final Holdings holdings;
    private final Holders holders;
    private final long[] held = Holdings.places();
    private final long[] before = Holdings.places();

    /** Works on the structures of one file. */
    public Reclaimer(
            StepLog steps,
            Runs runs,
            RunLists lists,
            Names names,
            EngineMap map,
            Heads heads,
            Extents extents,
            Holdings holdings,
            Holders holders) {
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.names = names;
        this.map = map;
        this.heads = heads;
        this.extents = extents;
        this.holdings = holdings;
        this.holders = holders;
    }

    /** Most blocks of the run that one step may forget: each has a name in up to every column. */
    int stepBlocks(long run) {
        return Math.max(1, Geometry.MAX_RUN_BLOCKS / (1 + names.furtherColumns(run)));
    }

    /** One copy of known blocks leaves; answers how many the holder had. */
    int drop(long run, int tier, int holder, int from, int to) {
        int dropped = holdings.uncover(run, tier, holder, from, to);
        if (dropped > 0) {
            forgetUnheld(run, from, to);
        }
        return dropped;
    }

    /** When there is no room to say what is left: the holder loses all its blocks of the run in the tier. */
    void dropAll(long run, int tier, int holder) {
        int length = runs.length(run);
        boolean whole = holdings.anyWhole(run);
        holdings.union(run, before);
        if (whole) {
            Holdings.mark(before, 0, length);
        }
        holdings.uncoverAllCopies(run, tier, holder, 0, length);
        if (!holdings.anyWhole(run)) {
            holdings.union(run, held);
            for (int place = 0; place < length; place++) {
                if (has(before, place) && !has(held, place)) {
                    forget(run, place);
                }
            }
            cut(run);
        }
    }

    /** Blocks of the stretch, all held before, are forgotten where nobody holds them now. */
    private void forgetUnheld(long run, int from, int to) {
        if (holdings.anyWhole(run)) {
            return;
        }
        holdings.union(run, held);
        for (int place = from; place < to; place++) {
            if (!has(held, place)) {
                forget(run, place);
            }
        }
        cut(run);
    }

    private static boolean has(long[] places, int place) {
        return (places[place >>> 6] >>> place & 1) != 0;
    }

    private void forget(long run, int place) {
        int block = runs.block(run, place);
        forgetName(run, steps.get(run + RunLayout.DOMAIN), place, block);
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key)) {
                forgetName(run, RunLists.domainOf(key), place, block);
            }
        }
        steps.addRoot(HeaderLayout.BLOCKS, -1);
    }

    private void forgetName(long run, long domain, int place, int block) {
        long offset = names.offset(run, domain, place);
        long name = steps.get(offset);
        if (name != 0) {
            map.delete(domain, name, block);
            steps.put(offset, 0);
        }
    }

    /** Cuts the run after its last held block ({@code held} is up to date). */
    private void cut(long run) {
        int length = 0;
        for (int word = held.length - 1; word >= 0 && length == 0; word--) {
            if (held[word] != 0) {
                length = word * Long.SIZE + Long.SIZE - Long.numberOfLeadingZeros(held[word]);
            }
        }
        if (length == 0) {
            free(run);
        } else if (length < runs.length(run)) {
            runs.truncate(run, length);
            holdings.normalize(run);
        }
    }

    private void free(long run) {
        heads.delete(steps.get(run + RunLayout.HEAD), run);
        names.releaseColumns(run);
        lists.release(run);
        extents.free(runs.granule(run), runs.granules(run));
        runs.release(run);
    }

    /** Takes dying holders out of a run, in steps of its own; the run may be gone afterwards. */
    void purge(long run) {
        int limit = stepBlocks(run);
        for (long dying; runs.live(run) && (dying = holdings.anyDying(run)) != 0; ) {
            int to = RangeEntry.to(dying);
            int from = Math.max(RangeEntry.from(dying), to - limit);
            try {
                int tier = RangeEntry.tier(dying);
                int holder = RangeEntry.holder(dying);
                holdings.uncoverAllCopies(run, tier, holder, from, to);
                forgetUnheld(run, from, to);
                steps.commit();
            } catch (OutOfCapacity noRoomForTheRest) {
                steps.rollback();
                if (limit == Geometry.MAX_RUN_BLOCKS) {
                    throw noRoomForTheRest;
                }
                limit = Geometry.MAX_RUN_BLOCKS;
            }
        }
    }

    /** Gives back the run's columns of domains that no live holder speaks, in steps of its own. */
    void releaseDeadColumns(long run) {
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key) && !spoken(RunLists.domainOf(key))) {
                long domain = RunLists.domainOf(key);
                for (int place = 0; place < runs.length(run); place++) {
                    forgetName(run, domain, place, runs.block(run, place));
                }
                names.releaseColumn(run, i);
                steps.commit();
            }
        }
    }

    private boolean spoken(long domain) {
        if (domain == Names.SHARED) {
            return true;
        }
        for (int holder = 0; holder < holders.count(); holder++) {
            if (holders.isLive(holder) && holders.domain(holder) == domain) {
                return true;
            }
        }
        return false;
    }
}
