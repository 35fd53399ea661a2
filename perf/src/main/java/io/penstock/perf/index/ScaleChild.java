package io.penstock.perf.index;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.io.IOException;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * One point of a scale curve: {@code ScaleChild FOLDER WORKERS BLOCKS DEPTH HOLDERS}. Sequences of DEPTH blocks, together
 * BLOCKS distinct ones, each sequence held by HOLDERS workers; full hits of sequences drawn at random; then a tenth is
 * removed. A small index of the same shape is run before, for the compiler.
 *
 * <p><b>Threading:</b> main thread.
 */
public final class ScaleChild {
    private static final int CHUNK = 512;
    private static final int LOOKUPS = 20_000;
    private static final long WARM_BLOCKS = 200_000;
    private static final int WARM_PASSES = 3;
    private static final int BLOCK_SIZE = 16;

    private final int workers;
    private final long sequences;
    private final int holders;
    private final long[] hashes;
    private final Overlaps out;

    private ScaleChild(int workers, long blocks, int depth, int holders) {
        this.workers = workers;
        this.holders = holders;
        sequences = Math.max(1, blocks / depth);
        hashes = new long[depth];
        out = new Overlaps(workers);
    }

    /** Measures one point, a JSON line. */
    public static void main(String[] args) throws IOException {
        BenchFolder folder = new BenchFolder(Path.of(args[0]));
        int workers = Integer.parseInt(args[1]);
        long blocks = Long.parseLong(args[2]);
        int depth = Integer.parseInt(args[3]);
        int holders = Integer.parseInt(args[4]);
        long warm = Math.min(blocks, Math.max(depth, WARM_BLOCKS / holders));
        for (int pass = 0; pass < WARM_PASSES; pass++) {
            new ScaleChild(workers, warm, depth, holders).measure(folder);
        }
        System.out.println(new ScaleChild(workers, blocks, depth, holders).measure(folder));
    }

    private String measure(BenchFolder folder) throws IOException {
        long distinct = sequences * hashes.length;
        long capacity = Math.max(IndexConfig.defaults().capacityBlocks(), distinct);
        try (OffHeapIndex index = folder.fresh(BLOCK_SIZE, capacity, workers)) {
            double stored = timed(index, sequences, true);
            double bytes = (double) index.usedBytes() / (distinct * holders);
            Histogram latency = lookups(index);
            double removed = timed(index, Math.max(1, sequences / 10), false);
            return "{\"storedNs\":" + stored + ",\"removedNs\":" + removed + ",\"p50Ns\":"
                    + latency.getValueAtPercentile(50) + ",\"p99Ns\":" + latency.getValueAtPercentile(99)
                    + ",\"bytesPerPair\":" + bytes + "}";
        }
    }

    /** CPU time of the thread for each block and holder, nanoseconds. */
    private double timed(PrefixIndex index, long count, boolean store) {
        long took = 0;
        for (long number = 0; number < count; number++) {
            SyntheticBlocks.fill(number, hashes);
            long start = CoreClock.cpuNs();
            for (int j = 0; j < holders; j++) {
                give(index, (int) ((number * 7 + j) % workers), store);
            }
            took += CoreClock.cpuNs() - start;
        }
        return (double) took / (count * hashes.length * holders);
    }

    private void give(PrefixIndex index, int slot, boolean store) {
        for (int from = 0; from < hashes.length; from += CHUNK) {
            int blocks = Math.min(CHUNK, hashes.length - from);
            long parent = from == 0 ? 0 : hashes[from - 1];
            long done = store
                    ? index.storedChained(slot, Tier.DEVICE, from == 0, parent, hashes, hashes, from, blocks)
                    : index.removed(slot, Tier.DEVICE, hashes, from, blocks);
            if (done != blocks) {
                throw new IllegalStateException("the index did not take blocks: slot=" + slot + ", answered=" + done);
            }
        }
    }

    private Histogram lookups(PrefixIndex index) {
        Histogram latency = QueryRun.histogram();
        for (int i = 0; i < LOOKUPS; i++) {
            SyntheticBlocks.fill(Long.remainderUnsigned(SyntheticBlocks.mix(i), sequences), hashes);
            long start = System.nanoTime();
            index.match(hashes, hashes.length, out);
            latency.recordValue(Math.max(1, System.nanoTime() - start));
            if (out.size() != holders || Answers.sum(out) != (long) holders * hashes.length) {
                throw new IllegalStateException("wrong answer to a full hit: holders=" + out.size());
            }
        }
        return latency;
    }
}
