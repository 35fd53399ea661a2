package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import java.util.BitSet;
import java.util.List;

/**
 * Adds up what a worker's slots have.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class WorkerSearch {
    private final Snapshot snapshot;
    private final int holder;
    private final long[] held = new long[4];
    private final long[] further = new long[4];
    private final BitSet places = new BitSet(Geometry.MAX_RUN_BLOCKS);
    private int runs;
    private int whole;
    private long sole;
    private boolean wholeHere;

    private WorkerSearch(Snapshot snapshot, int holder) {
        this.snapshot = snapshot;
        this.holder = holder;
    }

    static WorkerAnswer search(Snapshot snapshot, String name) {
        List<WorkerAnswer.Rank> ranks = snapshot.workers.entrySet().stream()
                .filter(entry -> entry.getValue().worker().equals(name))
                .map(entry -> new WorkerSearch(snapshot, entry.getKey()).rank(entry.getValue()))
                .sorted((a, b) -> Long.compare(a.state().dpRank(), b.state().dpRank()))
                .toList();
        return new WorkerAnswer(name, snapshot.changing, ranks);
    }

    private WorkerAnswer.Rank rank(WorkerState state) {
        PlaceCounts counts = new PlaceCounts(snapshot.workers.keySet());
        for (RunCopy run : snapshot.runs) {
            places.clear();
            wholeHere = false;
            run.holdings((who, tier, from, to, copies) -> add(run, who, tier, from, to, copies));
            if (!places.isEmpty()) {
                runs++;
                whole += wholeHere ? 1 : 0;
                counts.of(run);
                sole += places.stream()
                        .filter(place -> counts.holders(place) == 1)
                        .count();
            }
        }
        return new WorkerAnswer.Rank(state.with(TierCounts.of(held)), TierCounts.of(further), runs, whole, sole);
    }

    private void add(RunCopy run, int who, int tier, int from, int to, int copies) {
        if (who == holder) {
            held[tier] += copies == 0 ? to - from : 0;
            further[tier] += (long) copies * (to - from);
            places.set(from, to);
            wholeHere |= copies == 0 && to - from == run.length();
        }
    }
}
