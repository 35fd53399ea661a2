package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.index.reference.ReferenceIndex;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTest {
    private static final int SCRIPTS = Integer.getInteger("penstock.scripts", 10_000);
    private static final int SCRIPTS_A_FILE = 500;

    @TempDir
    Path folder;

    private final Comparison comparison = new Comparison();
    private long emptyBytes;

    @Test
    void shouldEqualTheReferenceAfterEveryScript() {
        run(Long.getLong("penstock.seed", 20261130L), SCRIPTS, 60);
    }

    @Test
    @Tag("long")
    void shouldEqualTheReferenceAfterManyMoreScripts() {
        run(Long.getLong("penstock.seed", System.nanoTime()), 20 * SCRIPTS, 200);
    }

    private void run(long seed, int scripts, int operations) {
        Random random = new Random(seed);
        for (int begin = 0; begin < scripts; begin += SCRIPTS_A_FILE) {
            int pageBytes = 1 << (16 + begin / SCRIPTS_A_FILE % 4);
            IndexConfig config = new IndexConfig(folder.resolve("model-" + begin), 16, 1 << 14, pageBytes, 300);
            try (OffHeapIndex index = OffHeapIndex.open(config)) {
                emptyBytes = index.usedBytes();
                ReferenceIndex reference = new ReferenceIndex(16, 1 << 14, 300);
                for (int script = begin; script < begin + SCRIPTS_A_FILE; script++) {
                    long scriptSeed = random.nextLong();
                    try {
                        play(scriptSeed, script, operations, reference, index);
                    } catch (AssertionError | RuntimeException wrong) {
                        throw new AssertionError(
                                "seed=" + seed + ", script=" + script + ", scriptSeed=" + scriptSeed, wrong);
                    }
                }
            }
            config.file().toFile().delete();
        }
    }

    private void play(long seed, int script, int operations, ReferenceIndex reference, OffHeapIndex index) {
        Random random = new Random(seed);
        int workers = script % 500 == 0 ? 300 : script % 50 == 1 ? 70 : 1 + random.nextInt(8);
        Traffic traffic = new Traffic(
                seed,
                1 + random.nextInt(script % 20 == 2 ? 1200 : 120),
                workers,
                1 + random.nextInt(script % 20 == 2 ? 700 : 60));
        for (Traffic.Operation opening : traffic.opening()) {
            assertEquals(opening.apply(reference), opening.apply(index));
        }
        for (int i = 0; i < operations + workers; i++) {
            Traffic.Operation operation = traffic.next();
            String where = "operation " + i + ": " + operation;
            long wanted = operation.apply(reference);
            long found = operation.apply(index);
            if (operation.kind() != Traffic.Operation.Kind.SWEEP) {
                assertEquals(wanted, found, where);
            }
            if (i % 4 == 0) {
                assertNull(comparison.ofQuery(reference, index, traffic.query(traffic.anyNode())), where);
                assertNull(comparison.ofQuery(reference, index, traffic.strayQuery()), where);
            }
        }
        assertNull(comparison.ofAll(reference, index, traffic));
        assertNull(index.verify());
        while (index.sweep(1000) > 0) {
            // until nothing dead is left
        }
        assertEquals(reference.blockCount(), index.blockCount());
        assertNull(comparison.ofAll(reference, index, traffic));
        forgetAll(reference, index);
    }

    private void forgetAll(PrefixIndex reference, PrefixIndex index) {
        for (int slot = 0; slot < reference.slotLimit(); slot++) {
            reference.removeSlot(slot);
            index.removeSlot(slot);
        }
        while (index.sweep(1000) > 0) {
            // until nothing dead is left
        }
        assertEquals(0, index.blockCount());
        assertEquals(emptyBytes, index.usedBytes());
    }
}
