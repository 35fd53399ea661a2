package io.penstock.index.inspect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.collections.Long2LongHashMap;

/**
 * Holds two files against each other, block by block: counts for each worker and tier the blocks that both have, by
 * stretches that lie side by side in a run of each.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> about 60 bytes a block of this file.
 */
final class Difference {
    private static final long NOWHERE = -1;

    private record Key(String worker, long dpRank) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byName = worker.compareTo(other.worker);
            return byName != 0 ? byName : Long.compare(dpRank, other.dpRank);
        }
    }

    private record Part(Key key, int tier, int from, int to) {}

    private final Snapshot here;
    private final Snapshot other;
    private final Long2LongHashMap places = new Long2LongHashMap(NOWHERE);
    private final Map<Key, long[]> common = new HashMap<>();
    private long commonBlocks;
    private long commonRuns;

    Difference(Snapshot here, Snapshot other) {
        this.here = here;
        this.other = other;
        for (int i = 0; i < here.runs.size(); i++) {
            RunCopy run = here.runs.get(i);
            for (int place = 0; place < run.length(); place++) {
                places.put(run.sequences[place], (long) i << 32 | place);
            }
        }
        other.runs.forEach(this::compare);
    }

    private void compare(RunCopy run) {
        int place = 0;
        while (place < run.length()) {
            long at = places.get(run.sequences[place]);
            int from = place++;
            if (at != NOWHERE) {
                while (place < run.length() && places.get(run.sequences[place]) == at + place - from) {
                    place++;
                }
                RunCopy mine = here.runs.get((int) (at >>> 32));
                commonRuns += from == 0 && (int) at == 0 && place == run.length() && place == mine.length() ? 1 : 0;
                stretch(parts(mine, here, (int) at, place - from), parts(run, other, from, place - from), place - from);
            }
        }
    }

    /** What live slots have of a stretch of a run, counted from its begin. */
    private static List<Part> parts(RunCopy run, Snapshot of, int begin, int blocks) {
        List<Part> parts = new ArrayList<>();
        run.holdings((holder, tier, from, to, copies) -> {
            WorkerState worker = of.workers.get(holder);
            int first = Math.max(0, from - begin);
            int end = Math.min(blocks, to - begin);
            if (worker != null && copies == 0 && first < end) {
                parts.add(new Part(new Key(worker.worker(), worker.dpRank()), tier, first, end));
            }
        });
        return parts;
    }

    private void stretch(List<Part> mine, List<Part> theirs, int blocks) {
        Map<Key, List<Part>> byKey = new HashMap<>();
        mine.forEach(part ->
                byKey.computeIfAbsent(part.key, any -> new ArrayList<>()).add(part));
        for (Part part : theirs) {
            for (Part match : byKey.getOrDefault(part.key, List.of())) {
                int both = Math.min(part.to, match.to) - Math.max(part.from, match.from);
                if (part.tier == match.tier && both > 0) {
                    common.computeIfAbsent(part.key, any -> new long[4])[part.tier] += both;
                }
            }
        }
        commonBlocks += covered(mine, blocks, theirs);
    }

    private static long covered(List<Part> mine, int blocks, List<Part> theirs) {
        BitSet places = new BitSet(blocks);
        BitSet further = new BitSet(blocks);
        mine.forEach(part -> places.set(part.from, part.to));
        theirs.forEach(part -> further.set(part.from, part.to));
        places.and(further);
        return places.cardinality();
    }

    DiffAnswer answer() {
        Map<Key, TierCounts> mine = held(here);
        Map<Key, TierCounts> theirs = held(other);
        Map<Key, DiffAnswer.Worker> differ = new TreeMap<>();
        mine.forEach((key, counts) -> differ.put(key, worker(key, counts, theirs.get(key))));
        theirs.forEach((key, counts) -> differ.computeIfAbsent(key, only -> worker(key, null, counts)));
        differ.values()
                .removeIf(worker -> worker.only() == null
                        && worker.gained().total() == 0
                        && worker.lost().total() == 0);
        return new DiffAnswer(
                differ.isEmpty(),
                here.changing + other.changing,
                new DiffAnswer.Counts(blocks(here), blocks(other), commonBlocks),
                new DiffAnswer.Counts(here.runs.size(), other.runs.size(), commonRuns),
                List.copyOf(differ.values()));
    }

    private static Map<Key, TierCounts> held(Snapshot of) {
        Map<Key, TierCounts> held = new HashMap<>();
        of.counted().forEach(worker -> held.put(new Key(worker.worker(), worker.dpRank()), worker.held()));
        return held;
    }

    private DiffAnswer.Worker worker(Key key, TierCounts mine, TierCounts theirs) {
        TierCounts none = new TierCounts(0, 0, 0, 0);
        TierCounts both = TierCounts.of(common.getOrDefault(key, new long[4]));
        String only = mine == null ? "other" : theirs == null ? "here" : null;
        return new DiffAnswer.Worker(
                key.worker,
                key.dpRank,
                only,
                (theirs == null ? none : theirs).minus(both),
                (mine == null ? none : mine).minus(both));
    }

    private static long blocks(Snapshot of) {
        PlaceCounts counts = new PlaceCounts(of.workers.keySet());
        long blocks = 0;
        for (RunCopy run : of.runs) {
            counts.of(run);
            for (int place = 0; place < run.length(); place++) {
                blocks += counts.holders(place) > 0 ? 1 : 0;
            }
        }
        return blocks;
    }
}
