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
    private static final int STAGED = 1_000;
    private static final boolean CHAIN = Boolean.getBoolean("chain");

    private final OpsStream ops;
    private final Supplier<PrefixIndex> factory;
    private final long[] query = new long[64 << 10];
    private final int[] stagedOps = new int[STAGED];
    private final int[] stagedAt = new int[STAGED];
    private long[] stagedEngine = new long[1 << 19];
    private long[] stagedLocals = new long[1 << 19];
    private int staged;

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
            Totals totals = new Totals();
            for (int op = 0; op < ops.size; ) {
                op = stage(op);
                timed(index, totals);
            }
            return new Apply(
                    (ops.blocksStored + ops.blocksRemoved) * 1e9 / (totals.stored + totals.removed),
                    (double) totals.stored / ops.blocksStored,
                    (double) totals.removed / Math.max(1, ops.blocksRemoved),
                    (double) index.usedBytes() / ops.livePairs,
                    totals.worst,
                    (double) totals.allocated / totals.events);
        }
    }

    private static final class Totals {
        long stored;
        long removed;
        long worst;
        long events;
        long allocated;
    }

    /** Copies the next thousand events side by side, as the peers' program does before its timer; answers where it ends. */
    private int stage(int from) {
        staged = 0;
        int used = 0;
        int op = from;
        for (; op < ops.size && staged < STAGED; op++) {
            if (ops.type[op] == OpsStream.QUERY) {
                continue;
            }
            int count = ops.count[op];
            int at = ops.offset[op];
            if (stagedEngine.length < used + count) {
                stagedEngine = java.util.Arrays.copyOf(stagedEngine, (used + count) * 2);
                stagedLocals = java.util.Arrays.copyOf(stagedLocals, (used + count) * 2);
            }
            boolean stored = ops.type[op] == OpsStream.STORED;
            System.arraycopy(ops.words, stored ? at + count : at, stagedEngine, used, count);
            if (stored) {
                System.arraycopy(ops.words, at, stagedLocals, used, count);
            }
            stagedOps[staged] = op;
            stagedAt[staged++] = used;
            used += count;
        }
        return op;
    }

    private void timed(PrefixIndex index, Totals totals) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long last = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < staged; i++) {
            int op = stagedOps[i];
            boolean stored = ops.type[op] == OpsStream.STORED;
            long done = stored ? stored(index, op, stagedAt[i]) : removed(index, op, stagedAt[i]);
            long now = THREADS.getCurrentThreadCpuTime();
            long took = now - last;
            last = now;
            totals.worst = Math.max(totals.worst, took);
            totals.events++;
            if (stored) {
                totals.stored += took;
            } else {
                totals.removed += took;
            }
            check(op, done);
        }
        totals.allocated += THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }

    private long stored(PrefixIndex index, int op, int at) {
        return CHAIN
                ? index.stored(
                        ops.worker[op],
                        Tier.DEVICE,
                        ops.aux[op] == 0,
                        ops.aux[op],
                        stagedEngine,
                        stagedLocals,
                        at,
                        ops.count[op])
                : index.storedChained(
                        ops.worker[op],
                        Tier.DEVICE,
                        ops.aux[op] == 0,
                        ops.aux[op],
                        stagedEngine,
                        stagedEngine,
                        at,
                        ops.count[op]);
    }

    private long removed(PrefixIndex index, int op, int at) {
        return index.removed(ops.worker[op], Tier.DEVICE, stagedEngine, at, ops.count[op]);
    }

    private void check(int op, long done) {
        if (done != ops.count[op]) {
            throw new IllegalStateException(
                    "operation " + op + " answered " + done + " for " + ops.count[op] + " blocks");
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
