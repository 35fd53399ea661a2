package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.reference.ReferencePageIndex;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageIndexModelTest {
    private static final int SCRIPTS = Integer.getInteger("penstock.scripts", 10_000) / 20;

    @TempDir
    Path folder;

    @Test
    void shouldEqualTheReferenceAfterEveryScript() {
        run(Long.getLong("penstock.seed", 20261130L), SCRIPTS, 400);
    }

    @Test
    @Tag("long")
    void shouldEqualTheReferenceAfterManyMoreScripts() {
        run(Long.getLong("penstock.seed", System.nanoTime()), 20 * SCRIPTS, 2_000);
    }

    private void run(long seed, int scripts, int operations) {
        Random random = new Random(seed);
        for (int script = 0; script < scripts; script++) {
            long scriptSeed = random.nextLong();
            try {
                play(new Random(scriptSeed), script, operations);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed=" + seed + ", script=" + script + ", scriptSeed=" + scriptSeed, wrong);
            }
        }
    }

    private void play(Random random, int script, int operations) {
        int capacity = script % 3 == 0 ? 500 : 1 + random.nextInt(60);
        int objects = 1 + random.nextInt(script % 5 == 0 ? 300 : 4);
        int timeToLive = random.nextBoolean() ? 0 : 1 + random.nextInt(40);
        Path file = folder.resolve("model-" + script);
        try (OffHeapIndex index = OffHeapIndex.open(new IndexConfig(file, 16, 1, 1 << 16, 4, capacity, objects))) {
            PageIndexScript both = new PageIndexScript(
                    random,
                    new ReferencePageIndex(capacity, objects, timeToLive),
                    index.pageIndex(timeToLive),
                    1 + random.nextInt(200));
            for (int i = 0; i < operations; i++) {
                both.step();
            }
            both.compareAll();
        }
        assertEquals(true, file.toFile().delete());
    }
}
