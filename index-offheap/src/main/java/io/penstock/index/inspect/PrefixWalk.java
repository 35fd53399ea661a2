package io.penstock.index.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Walks a prefix from run to run and extends each worker's part tier by tier.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class PrefixWalk {
    private record Stretch(int tier, int from, int to) {}

    private PrefixWalk() {}

    static PrefixAnswer walk(FileWords words, RunReader reader, long[] asked) {
        LongHashSet heads = new LongHashSet();
        for (long sequence : asked) {
            heads.add(sequence);
        }
        Snapshot snapshot = Snapshot.take(words, reader, run -> {
            if (heads.contains(run.head())) {
                run.sequences = reader.sequences(run);
            }
        });
        Map<Long, RunCopy> byHead = new HashMap<>();
        snapshot.runs.stream().filter(run -> run.sequences != null).forEach(run -> byHead.put(run.head(), run));
        Map<Integer, List<Stretch>> parts = new HashMap<>();
        int at = 0;
        for (RunCopy run = at(byHead, asked, at); run != null; run = at(byHead, asked, at)) {
            int begin = at;
            while (at < asked.length && at - begin < run.length() && run.sequences[at - begin] == asked[at]) {
                at++;
            }
            int end = at;
            run.holdings((holder, tier, from, to, copies) -> {
                if (copies == 0 && begin + from < end) {
                    parts.computeIfAbsent(holder, any -> new ArrayList<>())
                            .add(new Stretch(tier, begin + from, Math.min(end, begin + to)));
                }
            });
        }
        List<PrefixAnswer.Holder> holders = new ArrayList<>();
        parts.forEach((holder, stretches) -> add(snapshot.workers.get(holder), stretches, holders));
        holders.sort(Comparator.comparingInt(PrefixAnswer.Holder::slot));
        return new PrefixAnswer(asked.length, at, snapshot.changing, holders);
    }

    private static RunCopy at(Map<Long, RunCopy> byHead, long[] asked, int at) {
        return at < asked.length ? byHead.get(asked[at]) : null;
    }

    private static void add(WorkerState worker, List<Stretch> stretches, List<PrefixAnswer.Holder> out) {
        stretches.sort(Comparator.comparingInt(Stretch::tier).thenComparingInt(Stretch::from));
        int[] counts = new int[4];
        int reached = 0;
        for (Stretch stretch : stretches) {
            if (stretch.from <= reached && reached < stretch.to) {
                counts[stretch.tier] += stretch.to - reached;
                reached = stretch.to;
            }
        }
        if (worker != null && reached > 0) {
            out.add(new PrefixAnswer.Holder(
                    worker.slot(), worker.worker(), worker.dpRank(), counts[0], counts[1], counts[2], counts[3]));
        }
    }
}
