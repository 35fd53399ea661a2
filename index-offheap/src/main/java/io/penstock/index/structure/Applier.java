package io.penstock.index.structure;

import io.penstock.index.ChainHash;
import io.penstock.index.PrefixIndex;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Applies stored events, one stretch of a run a step.
 *
 * <p>An event walks: the next block is the next place of the same run, or the head of another, or new. New blocks
 * are appended when the run ends at the parent and nobody else has all of it, otherwise they become a run sized to the
 * event. Because sequence hashes are chained, one compare settles a whole known stretch.
 *
 * <p>I1: a sequence hash stands at one place of one run at most, dead places included. I2: a purge of dead generations
 * never happens inside a step; a step that meets one is taken back, the run purged, the step tried again.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated once the longest event was seen.
 */
public final class Applier {
    private static final int TOUCH_BATCH = 16;
    private static final int NAME_CELL_BYTES = Geometry.GRANULE_BLOCKS * Long.BYTES;
    private static final int DECODE_GRANULES = 2;

    /** A dead generation's block is in the way: purge {@link #inTheWay} and repeat. */
    private static final class DeadName extends RuntimeException {
        static final DeadName INSTANCE = new DeadName();
        private static final long serialVersionUID = 1;

        private DeadName() {
            super(null, null, false, false);
        }
    }

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final Heads heads;
    private final Extents extents;
    private final Names names;
    private final EngineMap map;
    private final Holders holders;
    private final Holdings holdings;
    private final Reclaimer reclaimer;
    private final Resolver resolver;
    private final long[] places = Holdings.places();

    private long[] sequences = new long[Geometry.MAX_RUN_BLOCKS];
    private long run;
    private int place;
    private long inTheWay;

    /** Works on the structures of one file. */
    public Applier(
            PageFile pages,
            StepLog steps,
            Runs runs,
            Heads heads,
            Extents extents,
            Names names,
            EngineMap map,
            Holders holders,
            Holdings holdings,
            Reclaimer reclaimer,
            Resolver resolver) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        this.heads = heads;
        this.extents = extents;
        this.names = names;
        this.map = map;
        this.holders = holders;
        this.holdings = holdings;
        this.reclaimer = reclaimer;
        this.resolver = resolver;
    }

    /** {@link PrefixIndex#stored} for a holder. */
    public long stored(
            int holder,
            int tier,
            boolean root,
            long parent,
            long[] engineHashes,
            long[] localHashes,
            int from,
            int count) {
        run = -1;
        place = -1;
        if (!root) {
            int block = resolver.resolve(holder, Names.kept(parent));
            if (block < 0) {
                return PrefixIndex.UNKNOWN_PARENT;
            }
            run = runs.of(block);
            place = runs.place(run, block);
        }
        chain(localHashes, from, count);
        int done = 0;
        while (done < count) {
            long runBefore = run;
            int placeBefore = place;
            try {
                done += step(holder, tier, engineHashes, from, done, count);
                steps.commit();
            } catch (DeadName repeat) {
                steps.rollback();
                run = runBefore;
                place = placeBefore;
                reclaimer.purge(inTheWay);
            } catch (OutOfCapacity full) {
                steps.rollback();
                return PrefixIndex.OUT_OF_CAPACITY;
            }
        }
        return count;
    }

    private void chain(long[] localHashes, int from, int count) {
        if (sequences.length < count) {
            sequences = new long[Integer.highestOneBit(count) * 2];
        }
        int i = 0;
        if (run < 0 && count > 0) {
            sequences[0] = localHashes[from];
            i = 1;
        }
        long parent = run < 0 ? sequences[0] : runs.sequence(run, place);
        for (; i < count; i++) {
            parent = ChainHash.next(parent, localHashes[from + i]);
            sequences[i] = parent;
        }
    }

    private int step(int holder, int tier, long[] engineHashes, int from, int done, int count) {
        long sequence = sequences[done];
        long target;
        int at = 0;
        if (run >= 0 && place + 1 < runs.length(run) && runs.sequence(run, place + 1) == sequence) {
            target = run;
            at = place + 1;
        } else {
            target = heads.find(sequence);
        }
        if (target < 0) {
            return fresh(holder, tier, engineHashes, from, done, count);
        }
        if (holders.anyDying() && holdings.anyDying(target) != 0) {
            reclaimer.purge(target);
            return 0;
        }
        int length = Math.min(runs.common(target, at, sequences, done, count - done), reclaimer.stepBlocks(target));
        known(holder, tier, target, at, engineHashes, from + done, length);
        run = target;
        place = at + length - 1;
        return length;
    }

    private void known(int holder, int tier, long target, int at, long[] engineHashes, int from, int length) {
        if (!holdings.anyWhole(target)) {
            holdings.union(target, places);
            int dead = 0;
            for (int i = at; i < at + length; i++) {
                dead += (int) (~places[i >>> 6] >>> i & 1);
            }
            steps.addRoot(HeaderLayout.BLOCKS, dead);
        }
        for (int i = 0; i < length; i++) {
            name(holder, target, at + i, Names.kept(engineHashes[from + i]));
        }
        holdings.cover(target, tier, holder, at, at + length);
    }

    private int fresh(int holder, int tier, long[] engineHashes, int from, int done, int count) {
        int limit = Math.min(count - done, Geometry.MAX_RUN_BLOCKS);
        int room = room(holder, tier);
        if (room > 0) {
            limit = Math.min(limit, room);
        }
        int length = 1;
        while (length < limit && heads.find(sequences[done + length]) < 0) {
            length++;
        }
        int at = 0;
        if (room > 0) {
            at = place + 1;
        } else {
            run = newRun(holder, length, sequences[done]);
        }
        append(holder, tier, at, engineHashes, from + done, done, length);
        place = at + length - 1;
        return length;
    }

    /** Blocks that may be appended after the parent, 0 if a new run is needed. */
    private int room(int holder, int tier) {
        if (run < 0 || place != runs.length(run) - 1 || holdings.anyWhole(run, tier, holder)) {
            return 0;
        }
        return runs.granules(run) * Geometry.GRANULE_BLOCKS - runs.length(run);
    }

    private long newRun(int holder, int length, long head) {
        long parent = run < 0 ? 0 : runs.sequence(run, place);
        int granules = length == 1 ? DECODE_GRANULES : (length + Geometry.GRANULE_BLOCKS - 1) / Geometry.GRANULE_BLOCKS;
        long made = runs.allocate();
        int granule = extents.allocate(granules, runs.id(made) + 1);
        long header = pages.address(made);
        Memory.putLong(header + RunLayout.EXTENT, Runs.extent(granule, granules, 0));
        Memory.putLong(header + RunLayout.DOMAIN, holders.domain(holder));
        Memory.putLong(header + RunLayout.HEAD, head);
        Memory.putLong(header + RunLayout.PARENT, parent);
        heads.insert(head, made);
        return made;
    }

    private void append(int holder, int tier, int at, long[] engineHashes, int from, int done, int length) {
        runs.enter(run);
        long sum = steps.get(run + RunLayout.SUM) + writeCells(runs.base(run), at, sequences, done, length);
        boolean whole = at > 0 && holdings.whole(run, tier, holder);
        steps.put(run + RunLayout.SUM, sum);
        steps.put(run + RunLayout.EXTENT, Runs.extent(runs.granule(run), runs.granules(run), at + length));
        if (whole) {
            holders.addHeld(holder, tier, length);
        } else {
            holdings.cover(run, tier, holder, at, at + length);
        }
        steps.addRoot(HeaderLayout.BLOCKS, length);
        map.require(length);
        int named = 0;
        while (named < length) {
            int batch = Math.min(TOUCH_BATCH, length - named);
            map.touch(holders.domain(holder), engineHashes, from + named, batch);
            int plain = nameFresh(holder, at + named, engineHashes, from + named, batch);
            named += plain;
            if (plain < batch) {
                name(holder, run, at + named, Names.kept(engineHashes[from + named]));
                named++;
            }
        }
    }

    /** Places past the run's end are nobody's: no log. Answers what they add to the run's sum. */
    private static long writeCells(long base, int at, long[] sequences, int from, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            long cell = Runs.cellAt(base, at + i);
            Memory.putLong(cell, sequences[from + i]);
            Memory.putLong(cell + NAME_CELL_BYTES, 0);
            sum += Runs.weight(sequences[from + i], at + i);
        }
        return sum;
    }

    /** Names fresh blocks in the run's own column until one is not plain: another domain, or a hash that is taken. */
    private int nameFresh(int holder, int at, long[] engineHashes, int from, int count) {
        long domain = holders.domain(holder);
        if (steps.get(run + RunLayout.DOMAIN) != domain) {
            return 0;
        }
        long base = runs.base(run);
        int block = runs.block(run, at);
        int named = 0;
        while (named < count) {
            long hash = Names.kept(engineHashes[from + named]);
            if (map.insert(domain, hash, block + named) >= 0) {
                break;
            }
            Memory.putLong(Runs.cellAt(base, at + named) + NAME_CELL_BYTES, hash);
            named++;
        }
        map.added(named);
        return named;
    }

    /** Notes the holder's engine hash of a block; a contradiction moves the slot to a domain of its own. */
    private void name(int holder, long target, int at, long hash) {
        long domain = holders.domain(holder);
        long offset = names.offset(target, domain, at);
        long former = offset < 0 ? 0 : steps.get(offset);
        if (former == hash) {
            return;
        }
        int namesake = map.find(domain, hash);
        if (namesake >= 0 && holders.anyDying() && holdings.anyDying(runs.of(namesake)) != 0) {
            inTheWay = runs.of(namesake);
            throw DeadName.INSTANCE;
        }
        int block = runs.block(target, at);
        if (former != 0 || namesake >= 0) {
            if (domain == Names.SHARED) {
                domain = steps.root(HeaderLayout.NEXT_DOMAIN);
                steps.put(HeaderLayout.NEXT_DOMAIN, domain + 1);
                holders.setDomain(holder, domain);
                offset = -1;
            } else {
                rename(domain, hash, namesake, former, block);
            }
        }
        if (offset < 0) {
            offset = names.offsetOrNew(target, domain, at);
        }
        map.require(1);
        // Before the column says so: else another domain's entry of the same block and tag would be taken for it.
        map.insert(domain, hash, block);
        steps.put(offset, hash);
        map.added(1);
    }

    private void rename(long domain, long hash, int namesake, long former, int block) {
        if (namesake >= 0) {
            long other = runs.of(namesake);
            map.delete(domain, hash, namesake);
            map.added(-1);
            steps.put(names.offset(other, domain, runs.place(other, namesake)), 0);
        }
        if (former != 0) {
            map.delete(domain, former, block);
            map.added(-1);
        }
    }
}
