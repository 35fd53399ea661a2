package io.penstock.perf.index;

import io.penstock.index.ChainHash;
import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Full hits by depth and number of holders over an index that the stream has loaded: 16 further sequences of 8,192 blocks,
 * the same that the peers' program makes.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class DepthRun {
    private static final int SEQUENCES = 16;
    private static final int BLOCKS = 8_192;
    private static final int CHUNK = 512;
    private static final int ROUNDS = 60_000;
    private static final int WARM = 40_000;

    private final OpsStream ops;
    private final Switches switches = new Switches();
    private final long[] query = new long[BLOCKS];
    private final Overlaps out;

    DepthRun(OpsStream ops) {
        this.ops = ops;
        out = new Overlaps(ops.workers);
    }

    /** Loads {@code index}, empty and with its slots open; a line for each number of holders and depth. */
    void run(PrefixIndex index, Consumer<Map<String, Object>> lines) {
        new EventFeed(ops, Variant.GIVEN).applyAll(index);
        for (int holders : new int[] {1, ops.workers}) {
            long[][] sequences = new long[SEQUENCES][];
            for (int k = 0; k < SEQUENCES; k++) {
                sequences[k] = store(index, holders, k);
            }
            for (int depth : new int[] {64, 512, 4_096, BLOCKS}) {
                Map<String, Object> line = new java.util.LinkedHashMap<>();
                line.put("holders", holders);
                line.put("depth", depth);
                line.put("kind", "full_hit");
                QueryRun.put(line, fullHit(index, sequences, holders, depth));
                lines.accept(line);
            }
        }
    }

    private Histogram fullHit(PrefixIndex index, long[][] sequences, int holders, int depth) {
        Histogram latency = QueryRun.histogram();
        for (int round = 0; round < ROUNDS; round++) {
            System.arraycopy(sequences[round % SEQUENCES], 0, query, 0, depth);
            long switched = switches.count();
            long start = System.nanoTime();
            index.match(query, depth, out);
            long took = System.nanoTime() - start;
            if (round >= WARM && switches.count() == switched) {
                latency.recordValue(Math.max(1, took));
            }
            if (out.size() != holders || Answers.sum(out) != (long) depth * holders) {
                throw new IllegalStateException("wrong answer to a full hit: depth=" + depth + ", holders=" + holders);
            }
        }
        return latency;
    }

    private long[] store(PrefixIndex index, int holders, int k) {
        long[] locals = new long[BLOCKS];
        long[] sequence = new long[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            locals[i] = (0x5EED_0000_0000_0000L ^ (long) holders << 40 ^ (long) k << 32 ^ i) * 0x9E37_79B9_7F4A_7C15L;
            sequence[i] = i == 0 ? locals[i] : ChainHash.next(sequence[i - 1], locals[i]);
        }
        for (int j = 0; j < holders; j++) {
            int slot = (k * 7 + j) % ops.workers;
            for (int from = 0; from < BLOCKS; from += CHUNK) {
                long parent = from == 0 ? 0 : sequence[from - 1];
                if (index.stored(slot, Tier.DEVICE, from == 0, parent, sequence, locals, from, CHUNK) != CHUNK) {
                    throw new IllegalStateException("the index did not take a sequence: slot=" + slot);
                }
            }
        }
        return sequence;
    }
}
