package io.penstock.perf.index;

import io.penstock.index.ChainHash;
import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * One index under the stream: apply all events, or replay events and queries with every answer checked, or query full
 * hits and misses by depth. Method as in the peers' program: events are at hand before the timer starts, applying is
 * measured in thread CPU time read after every event, look-ups in wall time; whole passes, the first one for the JIT.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class StreamRun {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int DEPTH_SEQUENCES = 16;
    private static final int DEPTH_BLOCKS = 8_192;
    private static final int CHUNK = 512;
    private static final boolean CHAIN = Boolean.getBoolean("chain");

    private final OpsStream ops;
    private final Supplier<PrefixIndex> factory;
    private final long[] query = new long[64 << 10];

    StreamRun(OpsStream ops, Supplier<PrefixIndex> factory) {
        this.ops = ops;
        this.factory = factory;
    }

    /** Figures of one pass of all events. */
    record Apply(
            double blocksPerSecond,
            double storedNsPerBlock,
            double removedNsPerBlock,
            double bytesPerPair,
            long worstEventNs,
            double allocatedBytesPerEvent) {}

    /** Figures of one pass of events and queries. */
    record Query(Histogram latencyNs, long wrong, long checked) {}

    Apply apply() {
        try (PrefixIndex index = opened()) {
            long stored = 0;
            long removed = 0;
            long worst = 0;
            long events = 0;
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            long last = THREADS.getCurrentThreadCpuTime();
            for (int op = 0; op < ops.size; op++) {
                if (ops.type[op] == OpsStream.QUERY) {
                    continue;
                }
                apply(index, op);
                events++;
                long now = THREADS.getCurrentThreadCpuTime();
                long took = now - last;
                last = now;
                worst = Math.max(worst, took);
                if (ops.type[op] == OpsStream.STORED) {
                    stored += took;
                } else {
                    removed += took;
                }
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
            return new Apply(
                    (ops.blocksStored + ops.blocksRemoved) * 1e9 / (stored + removed),
                    (double) stored / ops.blocksStored,
                    (double) removed / Math.max(1, ops.blocksRemoved),
                    (double) index.usedBytes() / ops.livePairs,
                    worst,
                    (double) allocated / events);
        }
    }

    Query query() {
        try (PrefixIndex index = opened()) {
            Overlaps out = new Overlaps(ops.workers);
            Histogram latency = new Histogram(10_000_000_000L, 3);
            long wrong = 0;
            long checked = 0;
            for (int op = 0; op < ops.size; op++) {
                if (ops.type[op] != OpsStream.QUERY) {
                    apply(index, op);
                    continue;
                }
                int blocks = chain(ops.words, ops.offset[op], ops.count[op]);
                long start = System.nanoTime();
                index.match(query, blocks, out);
                latency.recordValue(Math.max(1, System.nanoTime() - start));
                checked++;
                if (out.size() != ops.expectedHolders(op) || sum(out) != ops.expectedSum(op)) {
                    wrong++;
                }
            }
            return new Query(latency, wrong, checked);
        }
    }

    /** p50 of a full hit of {@code depth} blocks held by {@code holders} slots, over a loaded index. */
    Histogram fullHit(int holders, int depth) {
        try (PrefixIndex index = opened()) {
            for (int op = 0; op < ops.size; op++) {
                if (ops.type[op] != OpsStream.QUERY) {
                    apply(index, op);
                }
            }
            long[][] sequences = new long[DEPTH_SEQUENCES][];
            for (int k = 0; k < DEPTH_SEQUENCES; k++) {
                sequences[k] = storeDeep(index, holders, k);
            }
            Overlaps out = new Overlaps(ops.workers);
            Histogram latency = new Histogram(10_000_000_000L, 3);
            for (int round = 0; round < 60_000; round++) {
                System.arraycopy(sequences[round % DEPTH_SEQUENCES], 0, query, 0, depth);
                long start = System.nanoTime();
                index.match(query, depth, out);
                long took = System.nanoTime() - start;
                if (out.size() != holders || sum(out) != (long) depth * holders) {
                    throw new IllegalStateException("wrong answer at depth " + depth);
                }
                if (round >= 40_000) {
                    latency.recordValue(Math.max(1, took));
                }
            }
            return latency;
        }
    }

    private long[] storeDeep(PrefixIndex index, int holders, int k) {
        long[] locals = new long[DEPTH_BLOCKS];
        long[] sequence = new long[DEPTH_BLOCKS];
        for (int i = 0; i < DEPTH_BLOCKS; i++) {
            locals[i] = (0x5EED_0000_0000_0000L ^ (long) holders << 40 ^ (long) k << 32 ^ i) * 0x9E37_79B9_7F4A_7C15L;
            sequence[i] = i == 0 ? locals[i] : ChainHash.next(sequence[i - 1], locals[i]);
        }
        for (int j = 0; j < holders; j++) {
            int slot = (k * 7 + j) % ops.workers;
            for (int from = 0; from < DEPTH_BLOCKS; from += CHUNK) {
                long parent = from == 0 ? 0 : sequence[from - 1];
                index.stored(slot, Tier.DEVICE, from == 0, parent, sequence, locals, from, CHUNK);
            }
        }
        return sequence;
    }

    private PrefixIndex opened() {
        PrefixIndex index = factory.get();
        for (int w = 0; w < ops.workers; w++) {
            if (index.openSlot("worker-" + w, 0) != w) {
                throw new IllegalStateException("slots are not dense");
            }
        }
        return index;
    }

    private void apply(PrefixIndex index, int op) {
        int count = ops.count[op];
        int at = ops.offset[op];
        long done;
        if (ops.type[op] == OpsStream.STORED) {
            System.arraycopy(ops.words, at, locals, 0, count);
            System.arraycopy(ops.words, at + count, engine, 0, count);
            done = CHAIN
                    ? index.stored(ops.worker[op], Tier.DEVICE, ops.aux[op] == 0, ops.aux[op], engine, locals, 0, count)
                    : index.storedChained(
                            ops.worker[op], Tier.DEVICE, ops.aux[op] == 0, ops.aux[op], engine, engine, 0, count);
        } else {
            done = index.removed(ops.worker[op], Tier.DEVICE, ops.words, at, count);
        }
        if (done != count) {
            throw new IllegalStateException("operation " + op + " answered " + done + " for " + count + " blocks");
        }
    }

    private final long[] locals = new long[64 << 10];
    private final long[] engine = new long[64 << 10];

    /** The query's sequence hashes into {@link #query}: in the product the front has them before the core is asked. */
    private int chain(long[] words, int at, int count) {
        for (int i = 0; i < count; i++) {
            query[i] = i == 0 ? words[at] : ChainHash.next(query[i - 1], words[at + i]);
        }
        return count;
    }

    private static long sum(Overlaps out) {
        long sum = 0;
        for (int i = 0; i < out.size(); i++) {
            sum += out.blocks(i, Tier.DEVICE);
        }
        return sum;
    }
}
