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
final class Reclaimer {
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Names names;
    private final EngineMap map;
    private final Heads heads;
    private final Holdings holdings;
    private final Holders holders;
    private final long[] held = Holdings.places();
    private final long[] before = Holdings.places();

    /** Works on the structures of one file. */
    Reclaimer(
            StepLog steps,
            Runs runs,
            RunLists lists,
            Names names,
            EngineMap map,
            Heads heads,
            Holdings holdings,
            Holders holders) {
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.names = names;
        this.map = map;
        this.heads = heads;
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

    /** Whether there is room to note what a holder keeps when a stretch goes. */
    boolean roomToDrop(long run, int tier) {
        return holdings.roomToUncover(run, tier);
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
        for (int place = next(dead, from, to, 0); place < to; ) {
            int end = next(dead, place, to, -1L);
            gone += map.deleteAll(domain, runs.base(run), place, end, first);
            blocks += end - place;
            for (int forgotten = place; forgotten < end && further; forgotten++) {
                gone += forgetFurtherNames(run, forgotten, first + forgotten);
            }
            // Places that are cut off keep their name: it is nobody's.
            for (int middle = place; middle < Math.min(end, kept); middle++) {
                names.put(run, domain, middle, 0);
            }
            place = next(dead, end, to, 0);
        }
        map.added(-gone);
        steps.addRoot(HeaderLayout.BLOCKS, -blocks);
        cut(run, kept);
    }

    /** First place from {@code place} on that is set, or not set when {@code inverted} is -1; {@code to} if none. */
    private static int next(long[] places, int place, int to, long inverted) {
        int at = place;
        while (at < to) {
            long word = (places[at >>> 6] ^ inverted) >>> at;
            if (word != 0) {
                return Math.min(to, at + Long.numberOfTrailingZeros(word));
            }
            at = (at | Long.SIZE - 1) + 1;
        }
        return to;
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
        long name = names.name(run, domain, place);
        if (name == 0) {
            return 0;
        }
        map.delete(domain, name, block);
        names.put(run, domain, place, 0);
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
            heads.resize(run, length);
            holdings.normalize(run);
        }
    }

    private void free(long run) {
        heads.delete(steps.get(run + RunLayout.HEAD), run);
        names.releaseColumns(run);
        lists.release(run);
        steps.released().extent(runs.granule(run), runs.granules(run));
        runs.release(run);
    }

    /** Takes dying holders out of a run, in steps of its own; the run may be gone afterwards. */
    void purge(long run) {
        for (long dying; runs.live(run) && (dying = holdings.anyDying(run)) != 0; ) {
            int to = RangeEntry.to(dying);
            int from = RangeEntry.from(dying);
            int tier = RangeEntry.tier(dying);
            int holder = RangeEntry.holder(dying);
            if (holdings.roomToUncover(run, tier)) {
                from = Math.max(from, to - stepBlocks(run));
            }
            holdings.uncoverAllCopies(run, tier, holder, from, to);
            forgetUnheld(run, from, to);
            steps.commit();
        }
    }

    /** Gives back the run's columns of domains that no live holder speaks, in steps of its own. */
    void releaseDeadColumns(long run) {
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key) && !spoken(RunLists.domainOf(key))) {
                long domain = RunLists.domainOf(key);
                int gone = 0;
                runs.enter(run);
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
