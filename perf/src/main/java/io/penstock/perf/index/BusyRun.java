package io.penstock.perf.index;

import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import io.penstock.index.read.LiveReader;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One thread applies every event at full speed, another looks up through a lock-free reader meanwhile, cycling through
 * the stream's queries: what the peers' program calls {@code conc}. Events and queries lie in memory before both start;
 * both begin with an empty index and end with the writer.
 *
 * <p><b>Threading:</b> the caller's thread reads, one thread of its own writes.
 */
final class BusyRun {
    private final OpsStream ops;
    private final long[][] queries;
    private final Switches switches = new Switches();
    private volatile boolean go;
    private volatile boolean done;
    private volatile RuntimeException failed;
    private long writerNs;

    BusyRun(OpsStream ops) {
        this.ops = ops;
        Answers answers = new Answers(ops);
        int count = 0;
        for (int op = 0; op < ops.size; op++) {
            count += ops.type[op] == OpsStream.QUERY ? 1 : 0;
        }
        queries = new long[count][];
        int next = 0;
        for (int op = 0; op < ops.size; op++) {
            if (ops.type[op] == OpsStream.QUERY) {
                queries[next] = new long[ops.count[op]];
                answers.chain(op, queries[next++]);
            }
        }
    }

    /** One pass over {@code index}, empty and with its slots open; figures into {@code line}. */
    void pass(OffHeapIndex index, Map<String, Object> line) throws InterruptedException {
        go = false;
        done = false;
        LiveReader reader = index.reader();
        Overlaps out = new Overlaps(ops.workers);
        Histogram latency = QueryRun.histogram();
        Thread writer = Thread.ofPlatform().name("writer").start(() -> write(index));
        go = true;
        long looked = 0;
        long incomplete = 0;
        while (!done) {
            long[] query = queries[(int) (looked++ % queries.length)];
            long switched = switches.count();
            long start = System.nanoTime();
            reader.match(query, query.length, out);
            long took = System.nanoTime() - start;
            if (switches.count() == switched) {
                latency.recordValue(Math.max(1, took));
            }
            incomplete += reader.complete() ? 0 : 1;
        }
        writer.join();
        if (failed != null) {
            throw failed;
        }
        QueryRun.put(line, latency);
        line.put("lookups", looked);
        line.put("dropped", looked - latency.getTotalCount());
        line.put("incomplete", incomplete);
        line.put("writerBlocksPerSecond", Math.round((ops.blocksStored + ops.blocksRemoved) * 1e9 / writerNs));
    }

    private void write(PrefixIndex index) {
        while (!go) {
            Thread.onSpinWait();
        }
        try {
            long start = System.nanoTime();
            for (int op = 0; op < ops.size; op++) {
                apply(index, op);
            }
            writerNs = System.nanoTime() - start;
        } catch (RuntimeException broken) {
            failed = broken;
        }
        done = true;
    }

    private void apply(PrefixIndex index, int op) {
        int count = ops.count[op];
        int at = ops.offset[op];
        long taken = switch (ops.type[op]) {
            case OpsStream.STORED ->
                index.storedChained(
                        ops.worker[op],
                        Tier.DEVICE,
                        ops.aux[op] == 0,
                        ops.aux[op],
                        ops.words,
                        ops.words,
                        at + count,
                        count);
            case OpsStream.REMOVED -> index.removed(ops.worker[op], Tier.DEVICE, ops.words, at, count);
            default -> count;
        };
        if (taken != count) {
            throw new IllegalStateException("the index did not take an event: operation=" + op);
        }
    }
}
