package io.penstock.index.structure;

import io.penstock.index.ChainHash;
import io.penstock.index.PrefixIndex;
import io.penstock.index.layout.BlockCell;
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
 * <p>I1: a sequence hash stands at one place of one run at most, dead places included. I2: what is in a step's way (a
 * dead generation, a hash that means another block) is settled in steps of its own before; then the step is tried again.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated once the longest event was seen.
 */
public final class Applier {
    private static final int DECODE_GRANULES = 2;
    private static final int NO_ROOM = -1;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Heads heads;
    private final Extents extents;
    private final Names names;
    private final EngineMap map;
    private final Holders holders;
    private final Holdings holdings;
    private final Reclaimer reclaimer;
    private final Resolver resolver;
    private final long[] places = Holdings.places();

    private long[] chained = new long[Geometry.MAX_RUN_BLOCKS];
    private long run;
    private int place;

    Applier(
            PageFile pages,
            StepLog steps,
            Runs runs,
            RunLists lists,
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
        this.lists = lists;
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
        if (!stand(holder, root, parent)) {
            return PrefixIndex.UNKNOWN_PARENT;
        }
        chain(localHashes, from, count);
        return walk(holder, tier, engineHashes, from, chained, 0, count);
    }

    /** {@link PrefixIndex#storedChained} for a holder. */
    public long storedChained(
            int holder,
            int tier,
            boolean root,
            long parent,
            long[] engineHashes,
            long[] sequences,
            int from,
            int count) {
        if (!stand(holder, root, parent)) {
            return PrefixIndex.UNKNOWN_PARENT;
        }
        return walk(holder, tier, engineHashes, from, sequences, from, count);
    }

    /** Stands at the parent; false when it is not known. */
    private boolean stand(int holder, boolean root, long parent) {
        run = -1;
        place = -1;
        if (!root) {
            int block = resolver.resolve(holder, Names.kept(parent));
            if (block < 0) {
                return false;
            }
            run = runs.of(block);
            place = runs.place(run, block);
        }
        return true;
    }

    private void chain(long[] localHashes, int from, int count) {
        if (chained.length < count) {
            chained = new long[Integer.highestOneBit(count) * 2];
        }
        int i = 0;
        if (run < 0 && count > 0) {
            chained[0] = localHashes[from];
            i = 1;
        }
        long parent = run < 0 ? chained[0] : runs.sequence(run, place);
        for (; i < count; i++) {
            parent = ChainHash.next(parent, localHashes[from + i]);
            chained[i] = parent;
        }
    }

    private long walk(int holder, int tier, long[] hashes, int from, long[] sequences, int sequencesFrom, int count) {
        int done = 0;
        while (done < count) {
            int taken = step(holder, tier, hashes, from + done, sequences, sequencesFrom + done, count - done);
            if (taken != 0) {
                // What was settled before blocks were taken in belongs to their step: a writer that dies has done both
                // or none.
                steps.commit();
            }
            if (taken == NO_ROOM) {
                return PrefixIndex.OUT_OF_CAPACITY;
            }
            done += taken;
        }
        return count;
    }

    /** Takes in some blocks and answers how many; 0 when something had to be settled before, or {@link #NO_ROOM}. */
    private int step(int holder, int tier, long[] hashes, int from, long[] sequences, int at, int count) {
        long sequence = sequences[at];
        if (run >= 0 && place + 1 < runs.length(run) && runs.sequence(run, place + 1) == sequence) {
            return knownAt(holder, tier, run, place + 1, hashes, from, sequences, at, count);
        }
        long target = heads.find(sequence);
        return target < 0
                ? fresh(holder, tier, hashes, from, sequences, at, count)
                : knownAt(holder, tier, target, 0, hashes, from, sequences, at, count);
    }

    private int knownAt(
            int holder,
            int tier,
            long target,
            int first,
            long[] hashes,
            int from,
            long[] sequences,
            int at,
            int count) {
        if (holders.anyDying() && holdings.anyDying(target) != 0) {
            reclaimer.purge(target);
            return 0;
        }
        int length = Math.min(runs.common(target, first, sequences, at, count), reclaimer.stepBlocks(target));
        int taken = known(holder, tier, target, first, hashes, from, length);
        if (taken > 0) {
            run = target;
            place = first + taken - 1;
        }
        return taken;
    }

    private int known(int holder, int tier, long target, int at, long[] hashes, int from, int length) {
        int taken = names.equal(target, holders.domain(holder), at, hashes, from, length);
        if (!holdings.roomToCover(target, tier, holder, at, at + length)) {
            return NO_ROOM;
        }
        if (taken == 0) {
            taken = give(holder, target, at, hashes, from, length);
            if (taken <= 0) {
                return taken;
            }
        }
        if (!holdings.anyWhole(target)) {
            steps.addRoot(HeaderLayout.BLOCKS, dead(target, at, taken));
        }
        holdings.cover(target, tier, holder, at, at + taken);
        return taken;
    }

    /** Places of the stretch that nobody holds. */
    private int dead(long target, int at, int length) {
        holdings.union(target, places);
        int dead = 0;
        for (int i = at; i < at + length; i++) {
            dead += (int) (~places[i >>> 6] >>> i & 1);
        }
        return dead;
    }

    /** The holder's domain has no name for the stretch's first place, or another one. */
    private int give(int holder, long target, int at, long[] hashes, int from, int length) {
        long domain = holders.domain(holder);
        int nameless = names.nameless(target, domain, at, length);
        if (nameless == 0) {
            settle(holder, target, at, Names.kept(hashes[from]));
            return 0;
        }
        if (!map.roomFor(nameless) || !names.roomFor(target, domain)) {
            return NO_ROOM;
        }
        runs.enter(target);
        names.require(target, domain);
        int block = runs.block(target, at);
        int given = 0;
        // One by one: the column must say a name before the next is looked for, and must not before its own is.
        while (given < nameless && map.insert(domain, Names.kept(hashes[from + given]), block + given) < 0) {
            names.put(target, domain, at + given, Names.kept(hashes[from + given]));
            given++;
        }
        map.added(given);
        if (given == 0) {
            settle(holder, target, at, Names.kept(hashes[from]));
        }
        return given;
    }

    private int fresh(int holder, int tier, long[] hashes, int from, long[] sequences, int at, int count) {
        long domain = holders.domain(holder);
        int room = room(holder, tier, domain);
        int limit = Math.min(count, room > 0 ? room : Geometry.MAX_RUN_BLOCKS);
        int length = heads.headless(sequences, at, limit);
        if (!map.roomFor(length)) {
            return NO_ROOM;
        }
        int taken = room > 0
                ? append(holder, tier, domain, hashes, from, sequences, at, length)
                : begin(holder, tier, domain, hashes, from, sequences, at, length);
        if (taken == 0) {
            settle(holder, -1, 0, Names.kept(hashes[from]));
        } else if (taken > 0) {
            steps.addRoot(HeaderLayout.BLOCKS, taken);
            map.added(taken);
        }
        return taken;
    }

    /** Blocks that may be appended after the parent, 0 if a new run is needed. */
    private int room(int holder, int tier, long domain) {
        if (run < 0 || place != runs.length(run) - 1) {
            return 0;
        }
        if (steps.get(run + RunLayout.DOMAIN) != domain || holdings.anyWhole(run, tier, holder)) {
            return 0;
        }
        return runs.granules(run) * Geometry.GRANULE_BLOCKS - runs.length(run);
    }

    private int append(
            int holder, int tier, long domain, long[] hashes, int from, long[] sequences, int at, int length) {
        int first = place + 1;
        boolean whole = holdings.whole(run, tier, holder);
        if (!whole && !holdings.roomToCover(run, tier, holder, first, first + length)) {
            return NO_ROOM;
        }
        long base = runs.base(run);
        long sum = fill(base, first, sequences, at, hashes, from, length);
        int taken = map.insertAll(domain, hashes, from, length, runs.block(run, first));
        if (taken == 0) {
            return 0;
        }
        if (taken < length) {
            sum = Runs.contentSum(base, first, first + taken);
        }
        // Not before: readers look neither past the run's end nor into the map, and need not wait for either.
        runs.enter(run);
        runs.addToSum(run, sum);
        runs.put(run, RunLayout.EXTENT, Runs.extent(runs.granule(run), runs.granules(run), first + taken));
        heads.resize(run, first + taken);
        if (whole) {
            holders.addHeld(holder, tier, taken);
        } else {
            holdings.cover(run, tier, holder, first, first + taken);
        }
        place = first + taken - 1;
        return taken;
    }

    private int begin(
            int holder, int tier, long domain, long[] hashes, int from, long[] sequences, int at, int wanted) {
        int granules = wanted == 1 ? DECODE_GRANULES : (wanted + Geometry.GRANULE_BLOCKS - 1) / Geometry.GRANULE_BLOCKS;
        while (granules > 1 && !extents.available(granules)) {
            granules /= 2;
        }
        if (!runs.anyFree() || !extents.available(granules) || !lists.roomForRun()) {
            return NO_ROOM;
        }
        int length = Math.min(wanted, granules * Geometry.GRANULE_BLOCKS);
        long made = runs.allocate(domain, sequences[at], run < 0 ? 0 : runs.sequence(run, place));
        int granule = extents.allocate(granules, runs.id(made) + 1);
        long base = pages.address(extents.offset(granule));
        long sum = fill(base, 0, sequences, at, hashes, from, length);
        int taken = map.insertAll(domain, hashes, from, length, granule * Geometry.GRANULE_BLOCKS);
        if (taken == 0) {
            extents.free(granule, granules);
            runs.free(made);
            return 0;
        }
        if (taken < length) {
            sum = Runs.contentSum(base, 0, taken);
        }
        runs.addToSum(made, sum);
        runs.put(made, RunLayout.EXTENT, Runs.extent(granule, granules, taken));
        heads.insert(sequences[at], made, taken);
        holdings.cover(made, tier, holder, 0, taken);
        run = made;
        place = taken - 1;
        return taken;
    }

    /** Places past the run's end are nobody's: no log. Answers what they add to the run's sum. */
    private static long fill(long base, int first, long[] sequences, int at, long[] hashes, int from, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            long cell = BlockCell.at(base, first + i);
            long sequence = sequences[at + i];
            long name = Names.kept(hashes[from + i]);
            Memory.putLong(cell, sequence);
            Memory.putLong(cell + BlockCell.NAME, name);
            sum += sequence * RunLayout.sequenceWeight(first + i) + name * RunLayout.nameWeight(first + i);
        }
        return sum;
    }

    /**
     * The holder calls a block by a hash that means another one, or another hash meant the block. In the shared domain it
     * is the holder that differs: it gets a domain of its own. In its own domain the newest word counts.
     */
    private void settle(int holder, long target, int at, long hash) {
        long domain = holders.domain(holder);
        int namesake = map.find(domain, hash);
        if (namesake >= 0 && holders.anyDying() && holdings.anyDying(runs.of(namesake)) != 0) {
            steps.commit();
            reclaimer.purge(runs.of(namesake));
        } else if (domain == Names.SHARED) {
            long fresh = steps.root(HeaderLayout.NEXT_DOMAIN);
            steps.put(HeaderLayout.NEXT_DOMAIN, fresh + 1);
            holders.setDomain(holder, fresh);
        } else {
            if (namesake >= 0) {
                forgetName(runs.of(namesake), domain, runs.place(runs.of(namesake), namesake));
            }
            if (target >= 0) {
                forgetName(target, domain, at);
            }
        }
    }

    private void forgetName(long target, long domain, int at) {
        long name = names.name(target, domain, at);
        if (name != 0) {
            runs.enter(target);
            map.delete(domain, name, runs.block(target, at));
            map.added(-1);
            names.put(target, domain, at, 0);
        }
    }
}
