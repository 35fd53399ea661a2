package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import java.util.BitSet;

/**
 * Brings a file that a killed writer left back, once the step in flight is taken back: holds the truth (slots, holders, run
 * headers, lists, columns) against its sums and bounds, and builds what is derived from it anew: granule table, heads,
 * map, free lists, counts. What was derived before the kill is not looked at.
 *
 * <p>No offset of the file is followed before it was held against its region.
 *
 * <p><b>Threading:</b> owned by the opener. <b>Cost:</b> about 50 ns a block.
 */
public final class Repair {
    private final Structures in;
    private final Geometry geometry;
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final BitSet sideUnits = new BitSet();
    private final long[] held = Holdings.places();
    private long blocks;
    private long named;
    private long live;
    private long domains;

    Repair(Structures in, Geometry geometry) {
        this.in = in;
        this.geometry = geometry;
        steps = in.steps;
        runs = in.runs;
        lists = in.lists;
    }

    /** Null when the file is whole again, else one line about the damage; the file must not be used then. */
    public String repair() {
        try {
            return rebuild();
        } catch (IndexOutOfBoundsException | IllegalStateException wild) {
            return "an offset leads out of the file: " + wild.getMessage();
        }
    }

    private String rebuild() {
        long high = steps.root(HeaderLayout.RUN_HIGH);
        if (high < 0 || high > geometry.runCount) {
            return "run headers ever used: " + high;
        }
        String wrong = directory();
        if (wrong != null) {
            return wrong;
        }
        in.holders.forgetHeld();
        in.extents.forget();
        in.heads.forget();
        in.map.forget();
        steps.setRoot(HeaderLayout.RUN_FREE, 0);
        steps.setRoot(HeaderLayout.RUNS_LIVE, high);
        // From the end, so that the first headers come first in the list of free ones.
        for (int id = (int) high - 1; id >= 0; id--) {
            long run = runs.byId(id);
            if (runs.live(run)) {
                wrong = run(run, id);
                if (wrong != null) {
                    return "run " + id + ": " + wrong;
                }
            } else if (runs.isFree(run)) {
                runs.free(run);
            } else {
                return "run " + id + ": a header neither free nor in use";
            }
        }
        for (int id = (int) high; id < geometry.runCount; id++) {
            if (!runs.isFree(runs.byId(id))) {
                return "run " + id + ": in use beyond those ever used";
            }
        }
        in.settle();
        in.extents.freeTheRest();
        in.arena.freeTheRest(sideUnits);
        steps.setRoot(HeaderLayout.BLOCKS, blocks);
        steps.setRoot(HeaderLayout.NAMES, named);
        return domains < steps.root(HeaderLayout.NEXT_DOMAIN) ? null : "a hash domain is not in use yet: " + domains;
    }

    private String directory() {
        int limit = in.directory.limit();
        if (limit < 0 || limit > in.directory.capacity()) {
            return "slots ever given: " + limit;
        }
        if (!in.directory.usedUpTo(limit)) {
            return "slots ever given: " + limit;
        }
        int open = 0;
        for (int holder = 0; holder < in.holders.count(); holder++) {
            if (!in.holders.sound(holder)) {
                return "holder " + holder + ": sum differs";
            }
            open += in.holders.isLive(holder) ? 1 : 0;
            domains = Math.max(domains, in.holders.domain(holder));
        }
        for (int slot = 0; slot < limit; slot++) {
            if (!in.directory.sound(slot)) {
                return "slot " + slot + ": sum or holder differs";
            }
            open -= in.directory.isOpen(slot) ? 1 : 0;
        }
        return open == 0 ? null : "live holders without a slot: " + open;
    }

    private String run(long run, int id) {
        int length = runs.length(run);
        int granules = runs.granules(run);
        if (length < 1 || length > Math.min(Geometry.MAX_RUN_BLOCKS, granules * Geometry.GRANULE_BLOCKS)) {
            return "length out of range: " + length;
        }
        if (!in.extents.claim(runs.granule(run), granules, id + 1)) {
            return "extent out of range, or another run's";
        }
        String wrong = lists(run);
        if (wrong != null) {
            return wrong;
        }
        long sum = runs.contentSum(run) + lists.contentSum(run) + in.names.contentSum(run);
        if (sum != steps.get(run + RunLayout.SUM)) {
            return "sum differs";
        }
        long head = steps.get(run + RunLayout.HEAD);
        if (runs.sequence(run, 0) != head || in.heads.find(head) >= 0) {
            return "head differs, or is another run's";
        }
        in.heads.insert(head, run, length);
        wrong = holders(run, length);
        return wrong != null ? wrong : names(run, length);
    }

    /** Claims the side blocks and further columns before anything in them is read. */
    private String lists(long run) {
        long side = steps.get(run + RunLayout.SIDE);
        int rangeClass = lists.rangeClass(run);
        int setClass = lists.setClass(run);
        int inSide = Math.max(0, lists.ranges(run) - RunLayout.INLINE_RANGES);
        if (inSide > (rangeClass == 0 ? 0 : SideArena.words(rangeClass - 1))
                || 2 * lists.sets(run) > (setClass == 0 ? 0 : SideArena.words(setClass - 1))) {
            return "lists are longer than their blocks";
        }
        if (rangeClass != 0 && !in.arena.claim(sideUnits, (int) side - 1, rangeClass - 1)
                || setClass != 0 && !in.arena.claim(sideUnits, (int) (side >>> 32) - 1, setClass - 1)) {
            return "side block out of range, or another run's";
        }
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            if (!RunLists.isBits(lists.setKey(run, i))) {
                long value = lists.setValue(run, i);
                if (Names.columnSize(value) * 2 < runs.granules(run)
                        || !in.extents.claim(Names.columnFirst(value), Names.columnSize(value), Extents.COLUMN_OWNER)) {
                    return "column out of range, or another run's";
                }
            }
        }
        return null;
    }

    private String holders(long run, int length) {
        for (int i = lists.ranges(run) - 1; i >= 0; i--) {
            long entry = lists.range(run, i);
            int from = RangeEntry.from(entry);
            int to = RangeEntry.to(entry);
            int holder = RangeEntry.holder(entry);
            if (from >= to || to > length || !inUse(holder)) {
                return "range out of bounds: " + Long.toHexString(entry);
            }
            if (!RangeEntry.isExtra(entry)) {
                in.holders.addHeld(holder, RangeEntry.tier(entry), to - from);
            }
        }
        String wrong = bits(0, 0, steps.get(run + RunLayout.DEVICE), length);
        for (int i = lists.sets(run) - 1; i >= 0 && wrong == null; i--) {
            long key = lists.setKey(run, i);
            if (RunLists.isBits(key)) {
                wrong = bits(RunLists.tierOf(key), RunLists.chunkOf(key), lists.setValue(run, i), length);
            }
        }
        in.holdings.union(run, held);
        if (in.holdings.anyWhole(run)) {
            Holdings.mark(held, 0, length);
        }
        for (long word : held) {
            blocks += Long.bitCount(word);
        }
        if (wrong == null && (held[length - 1 >>> 6] >>> length - 1 & 1) == 0) {
            return "nobody holds the last block";
        }
        return wrong;
    }

    private String bits(int tier, int chunk, long bits, int length) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int holder = chunk * Long.SIZE + Long.numberOfTrailingZeros(rest);
            if (tier > 3 || !inUse(holder)) {
                return "bit of a holder that is not in use: " + holder;
            }
            in.holders.addHeld(holder, tier, length);
        }
        return null;
    }

    private boolean inUse(int holder) {
        return holder < in.holders.count() && in.holders.state(holder) != HolderLayout.FREE;
    }

    private String names(long run, int length) {
        long domain = steps.get(run + RunLayout.DOMAIN);
        domains = Math.max(domains, domain);
        int first = runs.block(run, 0);
        int given = in.map.insertColumn(domain, runs.base(run), length, first);
        if (given < 0) {
            return "a hash names two blocks";
        }
        named += given;
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            long key = lists.setKey(run, i);
            if (!RunLists.isBits(key)) {
                domains = Math.max(domains, RunLists.domainOf(key));
                String wrong = further(run, RunLists.domainOf(key), length, first);
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private String further(long run, long domain, int length, int first) {
        for (int place = 0; place < length; place++) {
            long name = in.names.name(run, domain, place);
            if (name != 0) {
                if (in.map.insert(domain, name, first + place) >= 0) {
                    return "a hash names two blocks: place=" + place;
                }
                named++;
            }
        }
        return null;
    }
}
