package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Holds every run against its sum, its memory against that of the others, its holdings against the holders, its hashes
 * against all others.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class RunCheck {
    private final FileWords words;
    private final RunReader reader;
    private final Geometry in;
    private final Damage damage;
    private final BitSet granules = new BitSet();
    private final BitSet sideUnits = new BitSet();
    private final LongHashSet sequences = new LongHashSet();
    private final Map<Long, LongHashSet> names = new HashMap<>();
    private final long[][] held;
    private final List<RunCopy> runs = new ArrayList<>();
    private final BitSet anyone = new BitSet();
    private long blocks;
    private long heldBlocks;
    private long named;

    RunCheck(FileWords words, RunReader reader, Damage damage) {
        this.words = words;
        this.reader = reader;
        this.damage = damage;
        in = words.in();
        held = new long[in.holderCount][4];
    }

    void all(int high) {
        for (int id = 0; id < high; id++) {
            RunCopy run = reader.attempt(id, reader.version(id), any -> {});
            if (run == null) {
                damage.found("run " + id + ": extent, length, range or column out of bounds");
            } else if (!run.free()) {
                runs.add(run);
                blocks += run.length();
                check(run);
            }
        }
    }

    private void check(RunCopy run) {
        String where = "run " + run.id + ": ";
        claim(granules, run.granule(), run.granules(), where + "extent is also another's");
        for (int i = 0; i < run.setCount(); i++) {
            if (run.isColumn(i)) {
                claim(granules, run.columnGranule(i), run.columnGranules(i), where + "column is also another's");
            }
        }
        side(run, RunCopy.rangeUnit(run.side()), run.rangeClass(), where);
        side(run, RunCopy.setUnit(run.side()), run.setClass(), where);
        damage.same(run.sum(), reader.sum(run), where + "sum");
        damage.unless(reader.sequence(run, 0) == run.head(), where + "head is not the first block's hash");
        holdings(run, where);
        for (int place = 0; place < run.length(); place++) {
            damage.unless(
                    sequences.add(reader.sequence(run, place)), where + "sequence hash stands twice: place=" + place);
            name(run.domain(), reader.name(run, place), place, where);
            for (int i = 0; i < run.setCount(); i++) {
                if (run.isColumn(i)) {
                    name(run.columnDomain(i), reader.name(run, i, place), place, where);
                }
            }
        }
    }

    private void claim(BitSet taken, int first, int count, String line) {
        int next = taken.nextSetBit(first);
        damage.unless(next < 0 || next >= first + count, line);
        taken.set(first, first + count);
    }

    private void side(RunCopy run, int unit, int sizeClass, String where) {
        if (sizeClass > 0
                && sizeClass <= HeaderLayout.SIDE_CLASSES
                && unit >= 0
                && unit + (1 << sizeClass - 1) <= in.sideUnits) {
            claim(sideUnits, unit, 1 << sizeClass - 1, where + "side block is also another's");
        } else {
            damage.unless(sizeClass == 0, where + "side block out of range: unit=" + unit + ", class=" + sizeClass);
        }
    }

    private void holdings(RunCopy run, String where) {
        anyone.clear();
        Map<Integer, BitSet> parts = new HashMap<>();
        run.holdings((holder, tier, from, to, copies) -> {
            if (holder >= in.holderCount || state(holder) == HolderLayout.FREE) {
                damage.found(where + "held by nobody's holder: " + holder);
            } else if (copies == 0) {
                held[holder][tier] += to - from;
                anyone.set(from, to);
                claim(
                        parts.computeIfAbsent(holder << 2 | tier, any -> new BitSet()),
                        from,
                        to - from,
                        where + "holdings overlap: holder=" + holder);
            }
        });
        heldBlocks += anyone.cardinality();
        damage.unless(anyone.get(run.length() - 1), where + "nobody holds the last block");
    }

    private long state(int holder) {
        return words.at(in.holders + (long) holder * HolderLayout.BYTES + HolderLayout.STATE);
    }

    private void name(long domain, long name, int place, String where) {
        if (name != 0) {
            named++;
            damage.unless(
                    domain >= 0 && domain < words.at(HeaderLayout.NEXT_DOMAIN),
                    where + "a hash domain is not in use yet: " + domain);
            damage.unless(
                    names.computeIfAbsent(domain, any -> new LongHashSet()).add(name),
                    where + "an engine hash names two blocks: place=" + place);
            damage.unless(anyone.get(place), where + "a block that nobody holds has a name: place=" + place);
        }
    }

    /** Runs in use. */
    List<RunCopy> runs() {
        return runs;
    }

    int count() {
        return runs.size();
    }

    /** Blocks of all runs, held or not. */
    long blocks() {
        return blocks;
    }

    /** Blocks that any generation holds. */
    long heldBlocks() {
        return heldBlocks;
    }

    long named() {
        return named;
    }

    long held(int holder, int tier) {
        return held[holder][tier];
    }

    int usedGranules() {
        return granules.cardinality();
    }

    int usedSideUnits() {
        return sideUnits.cardinality();
    }
}
