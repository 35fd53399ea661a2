package io.penstock.perf.jmh;

import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * An index in a file of its own that holds made-up prompts, and these prompts' hashes. The engines' hashes are the
 * sequence hashes, so that all workers share one hash domain. The same prompts in each run.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class Prompts implements AutoCloseable {
    /** Worker ranks, slots 0 on. */
    static final int WORKERS = 64;

    /** Most blocks in one event: a prefill chunk of 8,192 tokens. */
    static final int CHUNK = 512;

    private static final int COUNT = 16;
    private static final long SEED = 20_261_130;

    private final Path folder;
    private final OffHeapIndex index;
    private final long[][] local = new long[COUNT][];
    private final long[][] sequence = new long[COUNT][];
    private int next;

    /** Prompts of {@code depth} blocks, known to nobody yet. */
    Prompts(int depth) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int p = 0; p < COUNT; p++) {
            local[p] = random.longs(depth).toArray();
            sequence[p] = new long[depth];
            for (int i = 0; i < depth; i++) {
                sequence[p][i] = i == 0 ? local[p][0] : ChainHash.next(sequence[p][i - 1], local[p][i]);
            }
        }
        folder = Files.createTempDirectory("penstock-jmh");
        IndexConfig defaults = IndexConfig.defaults();
        index = OffHeapIndex.open(new IndexConfig(
                folder.resolve("bench.pst"),
                defaults.blockSize(),
                defaults.capacityBlocks(),
                defaults.pageBytes(),
                defaults.maxSlots()));
        for (int worker = 0; worker < WORKERS; worker++) {
            index.openSlot("w" + worker, 0);
        }
    }

    OffHeapIndex index() {
        return index;
    }

    /** Each prompt on {@code holders} workers, in chunks as an engine tells of them. */
    void store(int holders) {
        for (int p = 0; p < COUNT; p++) {
            for (int h = 0; h < holders; h++) {
                for (int from = 0; from < sequence[p].length; from += CHUNK) {
                    int count = Math.min(CHUNK, sequence[p].length - from);
                    expect(count, stored((p * 7 + h) % WORKERS, p, from, count));
                }
            }
        }
    }

    /** One event: blocks of prompt {@code p}, hashes at hand. */
    long stored(int slot, int p, int from, int count) {
        return index.storedChained(
                slot,
                Tier.DEVICE,
                from == 0,
                from == 0 ? 0 : sequence[p][from - 1],
                sequence[p],
                sequence[p],
                from,
                count);
    }

    /** One event: these blocks of prompt {@code p} left. */
    long removed(int slot, int p, int from, int count) {
        return index.removed(slot, Tier.DEVICE, sequence[p], from, count);
    }

    /** The prompts in turn: number of the next. */
    int turn() {
        next = next + 1 & COUNT - 1;
        return next;
    }

    long[] local(int p) {
        return local[p];
    }

    long[] sequence(int p) {
        return sequence[p];
    }

    /** The prompts' sequence hashes, other ones from block {@code known} on. */
    long[][] divergingAt(int known) {
        long[][] diverging = new long[COUNT][];
        for (int p = 0; p < COUNT; p++) {
            diverging[p] = sequence[p].clone();
            for (int i = known; i < diverging[p].length; i++) {
                diverging[p][i] = ChainHash.next(diverging[p][i - 1], ~local[p][i]);
            }
        }
        return diverging;
    }

    /** A benchmark that measures wrong answers measures nothing. */
    static void expect(long expected, long answer) {
        if (answer != expected) {
            throw new IllegalStateException("wrong answer of the index: answer=" + answer + " expected=" + expected);
        }
    }

    @Override
    public void close() throws IOException {
        index.close();
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
