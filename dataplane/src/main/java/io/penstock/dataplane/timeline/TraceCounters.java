package io.penstock.dataplane.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Counters of a Chrome trace: the KV hit rate of the requests that began in each interval, weighted by their tokens, and
 * evicted blocks where the journal tells of any.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TraceCounters {
    static final String HIT_RATE = "KV hit rate";
    static final String EVICTIONS = "KV evictions";
    private static final double SHORTEST_MS = 1_000;
    private static final int INTERVALS = 2_000;

    private TraceCounters() {}

    static List<TraceEvent> of(Timeline timeline) {
        double start = timeline.startMs();
        double interval = Math.max(SHORTEST_MS, (timeline.endMs() - start) / INTERVALS);
        TreeMap<Long, long[]> sums = new TreeMap<>();
        for (RequestSpan request : timeline.requests()) {
            if (!Double.isNaN(request.hitRate())) {
                long[] sum = sums.computeIfAbsent((long) ((request.startMs() - start) / interval), any -> new long[2]);
                sum[0] += Math.min(request.knownCachedTokens(), request.inputTokens());
                sum[1] += request.inputTokens();
            }
        }
        List<TraceEvent> events = new ArrayList<>();
        sums.forEach((at, sum) ->
                events.add(TraceEvent.counter(HIT_RATE, start + at * interval, "percent", 100.0 * sum[0] / sum[1])));
        long evicted = 0;
        for (Hint hint : timeline.hints()) {
            if (hint.isEviction()) {
                evicted += Math.max(0, hint.amount());
                events.add(TraceEvent.counter(EVICTIONS, hint.epochMs(), "blocks", evicted));
            }
        }
        return events;
    }
}
