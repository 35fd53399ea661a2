package io.penstock.index.inspect;

import io.penstock.index.layout.HeaderLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Runs and workers that all stood in the file at one moment, also while a writer works on it.
 *
 * <p>Every run is copied under its version; those whose version is still the same when the last one was copied stood
 * there together at that moment. The others are copied anew a few times, then left out and counted as {@link #changing}.
 * So what a snapshot says was true, or is less than the truth. Holdings count only for slots whose generation was the
 * same before and after.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> 300 bytes a run.
 */
final class Snapshot {
    private static final int PASSES = 6;
    private static final int STEPS = 4;

    final List<RunCopy> runs;
    final int changing;
    final int takenBack;
    final Map<Integer, WorkerState> workers;

    private Snapshot(List<RunCopy> runs, int changing, int takenBack, Map<Integer, WorkerState> workers) {
        this.runs = runs;
        this.changing = changing;
        this.takenBack = takenBack;
        this.workers = workers;
    }

    static Snapshot take(FileWords words, RunReader reader, RunReader.Look look) {
        SlotCopies slots = new SlotCopies(words);
        for (int i = 0; ; i++) {
            if (i < STEPS) {
                words.takeStepBack();
            } else {
                words.forgetStep();
            }
            Snapshot taken = once(words, reader, slots, look);
            if (words.stepStands()) {
                return taken;
            }
        }
    }

    private static Snapshot once(FileWords words, RunReader reader, SlotCopies slots, RunReader.Look look) {
        Map<Integer, WorkerState> before = slots.live();
        int high = Math.clamp(words.at(HeaderLayout.RUN_HIGH), 0, words.in().runCount);
        RunCopy[] all = new RunCopy[high];
        int changed = high;
        for (int pass = 0; pass < PASSES && changed > 0; pass++) {
            for (int id = 0; id < high; id++) {
                if (all[id] == null) {
                    all[id] = reader.read(id, look);
                }
            }
            FileWords.fence();
            changed = 0;
            for (int id = 0; id < high; id++) {
                if (all[id] == null || all[id].version != reader.version(id)) {
                    all[id] = null;
                    changed++;
                }
            }
        }
        Map<Integer, WorkerState> same = new TreeMap<>();
        slots.live().forEach((holder, worker) -> same.put(holder, worker));
        same.entrySet().removeIf(entry -> !sameLife(before.get(entry.getKey()), entry.getValue()));
        return new Snapshot(
                Arrays.stream(all)
                        .filter(Objects::nonNull)
                        .filter(run -> !run.free())
                        .toList(),
                changed,
                words.takenBack(),
                same);
    }

    private static boolean sameLife(WorkerState before, WorkerState now) {
        return before != null
                && before.slot() == now.slot()
                && before.generation() == now.generation()
                && before.worker().equals(now.worker());
    }

    /** The workers with what they hold, by slot. */
    List<WorkerState> counted() {
        Map<Integer, long[]> held = new HashMap<>();
        workers.keySet().forEach(holder -> held.put(holder, new long[4]));
        for (RunCopy run : runs) {
            run.holdings((holder, tier, from, to, copies) -> {
                long[] tiers = held.get(holder);
                if (tiers != null && copies == 0) {
                    tiers[tier] += to - from;
                }
            });
        }
        return workers.entrySet().stream()
                .map(entry -> entry.getValue().with(TierCounts.of(held.get(entry.getKey()))))
                .sorted((a, b) -> Integer.compare(a.slot(), b.slot()))
                .toList();
    }
}
