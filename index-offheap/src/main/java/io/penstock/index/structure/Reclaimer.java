package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;

/**
 * What happens to blocks when their last holder goes: names leave the map, the run is cut after its last held block, an
 * empty run disappears. Dead blocks inside a run keep their place, nameless, until they are stored again.
 *
 * <p><b>Threading:</b> owned by the writer; scratch memory is reused.
 */
public final class Reclaimer {
    private static final int TOUCH_BATCH = 16;
    private static final int NAME_CELL_BYTES = Geometry.GRANULE_BLOCKS * Long.BYTES;

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
            for (int word = 0; word < held.length; word++) {
                before[word] &= ~held[word];
            }
            forget(run, 0, length, before);
        }
    }

    /** Blocks of the stretch, all held before, are forgotten where nobody holds them now. */
    private void forgetUnheld(long run, int from, int to) {
        if (holdings.anyWhole(run)) {
            return;
        }
        holdings.union(run, held);
        for (int word = 0; word < held.length; word++) {
            before[word] = ~held[word];
        }
        forget(run, from, to, before);
    }

    /** Forgets the places of the stretch that are set in {@code dead}, then cuts the run ({@code held} is up to date). */
    private void forget(long run, int from, int to, long[] dead) {
        int kept = heldLength();
        int blocks = 0;
        int gone = 0;
        long domain = steps.get(run + RunLayout.DOMAIN);
        boolean further = names.furtherColumns(run) > 0;
        int first = runs.block(run, 0);
        long base = runs.base(run);
        for (int place = from; place < to; place++) {
            if ((dead[place >>> 6] >>> place & 1) != 0) {
                blocks++;
                if (place % TOUCH_BATCH == 0 || place == from) {
                    map.touchNames(domain, base, place, Math.min(to, (place / TOUCH_BATCH + 1) * TOUCH_BATCH));
                }
                gone += forgetOwnName(domain, base, place, first + place, place < kept);
                if (further) {
                    gone += forgetFurtherNames(run, place, first + place);
                }
            }
        }
        map.added(-gone);
        steps.addRoot(HeaderLayout.BLOCKS, -blocks);
        cut(run, kept);
    }

    /** Places that are cut off keep their cell: it is nobody's. */
    private int forgetOwnName(long domain, long base, int place, int block, boolean keptPlace) {
        long name = Memory.getLong(Runs.cellAt(base, place) + NAME_CELL_BYTES);
        if (name == 0) {
            return 0;
        }
        map.delete(domain, name, block);
        if (keptPlace) {
            steps.put(names.ownOffset(block), 0);
        }
        return 1;
    }

    private int forgetFurtherNames(long run, int place, int block) {
        int gone = 0;
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key)) {
                gone += forgetName(run, RunLists.domainOf(key), place, block);
            }
        }
        return gone;
    }

    private int forgetName(long run, long domain, int place, int block) {
        long offset = names.offset(run, domain, place);
        long name = steps.get(offset);
        if (name == 0) {
            return 0;
        }
        map.delete(domain, name, block);
        steps.put(offset, 0);
        return 1;
    }

    /** Length up to the last held block. */
    private int heldLength() {
        for (int word = held.length - 1; word >= 0; word--) {
            if (held[word] != 0) {
                return word * Long.SIZE + Long.SIZE - Long.numberOfLeadingZeros(held[word]);
            }
        }
        return 0;
    }

    private void cut(long run, int length) {
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
                int gone = 0;
                for (int place = 0; place < runs.length(run); place++) {
                    gone += forgetName(run, domain, place, runs.block(run, place));
                }
                map.added(-gone);
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
