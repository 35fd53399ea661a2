package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;

/**
 * Holds every run against its sum, its holders' ranges, the granule table, the heads table and the engine-hash map, and
 * the roots against what is there. Used on a file that a killed writer left, and by tests after every script.
 *
 * <p>A wild offset in a damaged file ends at the page table's bounds and counts as damage.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> reads all columns, about 50 ns a block.
 */
public final class Verifier {
    private final StepLog steps;
    private final Geometry geometry;
    private final Runs runs;
    private final RunLists lists;
    private final Heads heads;
    private final Names names;
    private final EngineMap map;
    private final Extents extents;
    private final Holders holders;
    private final Holdings holdings;
    private final long[] held = Holdings.places();
    private long blocks;
    private long named;

    Verifier(
            StepLog steps,
            Geometry geometry,
            Runs runs,
            RunLists lists,
            Heads heads,
            Names names,
            EngineMap map,
            Extents extents,
            Holders holders,
            Holdings holdings) {
        this.steps = steps;
        this.geometry = geometry;
        this.runs = runs;
        this.lists = lists;
        this.heads = heads;
        this.names = names;
        this.map = map;
        this.extents = extents;
        this.holders = holders;
        this.holdings = holdings;
    }

    /** Null when all holds, else one line about the first thing that does not. */
    public String verify() {
        try {
            return check();
        } catch (IndexOutOfBoundsException | IllegalStateException wild) {
            return "an offset leads out of the file: " + wild.getMessage();
        }
    }

    private String check() {
        blocks = 0;
        named = 0;
        long live = 0;
        long high = steps.root(HeaderLayout.RUN_HIGH);
        if (high < 0 || high > geometry.runCount) {
            return "run headers ever used: " + high;
        }
        for (int id = 0; id < high; id++) {
            long run = runs.byId(id);
            if (runs.live(run)) {
                live++;
                String wrong = run(run, id);
                if (wrong != null) {
                    return "run " + id + ": " + wrong;
                }
            }
        }
        if (live != steps.root(HeaderLayout.RUNS_LIVE)) {
            return "runs in use: " + live + ", noted " + steps.root(HeaderLayout.RUNS_LIVE);
        }
        if (blocks != steps.root(HeaderLayout.BLOCKS)) {
            return "blocks held: " + blocks + ", noted " + steps.root(HeaderLayout.BLOCKS);
        }
        if (named != steps.root(HeaderLayout.NAMES)) {
            return "names: " + named + ", noted " + steps.root(HeaderLayout.NAMES);
        }
        return null;
    }

    private String run(long run, int id) {
        int length = runs.length(run);
        int granule = runs.granule(run);
        int granules = runs.granules(run);
        if (granule < 0 || granules < 1 || granule + granules > geometry.granuleCount) {
            return "extent out of range";
        }
        if (length < 1 || length > Math.min(Geometry.MAX_RUN_BLOCKS, granules * Geometry.GRANULE_BLOCKS)) {
            return "length out of range: " + length;
        }
        if (extents.owner(granule) != id + 1 || extents.owner(granule + granules - 1) != id + 1) {
            return "granule table names another owner";
        }
        if (runs.contentSum(run) + lists.contentSum(run) + names.contentSum(run) != steps.get(run + RunLayout.SUM)) {
            return "sum differs";
        }
        long head = steps.get(run + RunLayout.HEAD);
        if (runs.sequence(run, 0) != head || heads.find(head) != run) {
            return "head is not found";
        }
        String wrong = ranges(run, length);
        return wrong != null ? wrong : names(run, length);
    }

    private String ranges(long run, int length) {
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            if (RangeEntry.from(entry) >= RangeEntry.to(entry)
                    || RangeEntry.to(entry) > length
                    || RangeEntry.holder(entry) >= holders.count()) {
                return "range out of bounds: " + Long.toHexString(entry);
            }
        }
        holdings.union(run, held);
        if (holdings.anyWhole(run)) {
            Holdings.mark(held, 0, length);
        }
        for (long word : held) {
            blocks += Long.bitCount(word);
        }
        return (held[length - 1 >>> 6] >>> length - 1 & 1) == 0 ? "nobody holds the last block" : null;
    }

    private String names(long run, int length) {
        String wrong = column(run, length, steps.get(run + RunLayout.DOMAIN));
        for (int i = lists.sets(run) - 1; i >= 0 && wrong == null; i--) {
            if (!RunLists.isBits(lists.setKey(run, i))) {
                wrong = column(run, length, RunLists.domainOf(lists.setKey(run, i)));
            }
        }
        return wrong;
    }

    private String column(long run, int length, long domain) {
        for (int place = 0; place < length; place++) {
            long name = names.name(run, domain, place);
            if (name != 0) {
                named++;
                if ((held[place >>> 6] >>> place & 1) == 0) {
                    return "a block that nobody holds has a name: place=" + place;
                }
                if (map.find(domain, name) != runs.block(run, place)) {
                    return "engine hash does not lead to its block: place=" + place;
                }
            }
        }
        return null;
    }
}
