package io.penstock.perf.index;

import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The whole stream, each look-up timed in wall time and its answer checked. The query lies in place before the timer
 * starts, as in the peers' program; {@link Variant#CHAIN} has its chain computed within.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class QueryRun {
    private static final long MOST_NS = 10_000_000_000L;
    private static final int LONGEST = 64 << 10;

    private final OpsStream ops;
    private final EventFeed feed;
    private final Answers answers;
    private final boolean chainInside;
    private final Switches switches = new Switches();
    private final long[] query = new long[LONGEST];
    private final Overlaps out;

    QueryRun(OpsStream ops, Variant variant) {
        this.ops = ops;
        feed = new EventFeed(ops, variant);
        answers = new Answers(ops);
        chainInside = variant == Variant.CHAIN;
        out = new Overlaps(ops.workers);
    }

    static Histogram histogram() {
        return new Histogram(MOST_NS, 3);
    }

    static void put(Map<String, Object> line, Histogram latency) {
        line.put("p50Ns", latency.getValueAtPercentile(50));
        line.put("p99Ns", latency.getValueAtPercentile(99));
        line.put("p999Ns", latency.getValueAtPercentile(99.9));
        line.put("maxNs", latency.getMaxValue());
    }

    /** One pass over {@code index}, empty and with its slots open; figures into {@code line}. */
    void pass(PrefixIndex index, Map<String, Object> line) {
        Histogram latency = histogram();
        long wrong = 0;
        long checked = 0;
        long allocated = CoreClock.allocatedBytes();
        for (int op = 0; op < ops.size; op++) {
            if (ops.type[op] != OpsStream.QUERY) {
                feed.stageOne(op);
                feed.check(0, feed.apply(index, 0));
                continue;
            }
            int blocks = answers.chain(op, query);
            long switched = switches.count();
            long took = chainInside ? chained(index, op) : given(index, blocks);
            if (switches.count() == switched) {
                latency.recordValue(Math.max(1, took));
            }
            checked++;
            if (!answers.right(op, out)) {
                wrong++;
            }
        }
        allocated = CoreClock.allocatedBytes() - allocated;
        put(line, latency);
        line.put("wrong", wrong);
        line.put("checked", checked);
        line.put("dropped", checked - latency.getTotalCount());
        // Of the whole pass, events included: nothing is to be allocated by either.
        line.put("allocatedBytesPerLookup", (double) allocated / checked);
    }

    private long given(PrefixIndex index, int blocks) {
        long start = System.nanoTime();
        index.match(query, blocks, out);
        return System.nanoTime() - start;
    }

    private long chained(PrefixIndex index, int op) {
        long start = System.nanoTime();
        index.match(query, answers.chain(op, query), out);
        return System.nanoTime() - start;
    }
}
