package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts, clears and evictions for hours of simulated time leave no more than the content's own bytes. */
class ChurnTest {
    private static final int HOUR = 3600;
    private static final int ENGINES = 64;
    private static final double MOST = 1.2;

    @TempDir
    Path folder;

    private final Overlaps overlaps = new Overlaps(256);

    @Test
    void shouldNeedNoMoreThanAFreshIndexAfterTwentyMinutes() {
        churn(Long.getLong("penstock.seed", 24L), HOUR / 3, 0.2);
    }

    @Test
    @Tag("long")
    void shouldNeedNoMoreThanAFreshIndexAfterADay() {
        churn(Long.getLong("penstock.seed", System.nanoTime()), 24 * HOUR, 0.05);
    }

    private void churn(long seed, int seconds, double restartsASecond) {
        Fleet fleet = new Fleet(seed, ENGINES, 3000, 400);
        try (OffHeapIndex index = OffHeapIndex.open(config("churned"));
                OffHeapIndex fresh = OffHeapIndex.open(config("fresh"))) {
            long emptyBytes = index.usedBytes();
            fleet.start(index);
            for (int second = 0; second < seconds; second++) {
                fleet.second(index, restartsASecond);
            }
            while (index.sweep(Integer.MAX_VALUE) > 0) {
                // until nothing dead is left
            }
            fleet.tell(fresh);
            String line = "seed=" + seed + ", lives=" + fleet.lives() + ", blocks=" + index.blockCount() + "/"
                    + fresh.blockCount() + ", bytes=" + (index.usedBytes() - emptyBytes) + "/"
                    + (fresh.usedBytes() - emptyBytes) + ", with the fixed tables " + index.usedBytes() + "/"
                    + fresh.usedBytes();
            System.out.println("churn: " + line);
            assertSame(fleet, fresh, index, line);
            assertNull(index.verify(), line);
            assertTrue(index.usedBytes() - emptyBytes <= MOST * (fresh.usedBytes() - emptyBytes), line);
            fleet.end(index);
            assertEquals(0, index.blockCount(), line);
            assertEquals(emptyBytes, index.usedBytes(), line);
        }
    }

    private IndexConfig config(String name) {
        return new IndexConfig(folder.resolve(name), 16, 1 << 18, 1 << 20, 2 * ENGINES);
    }

    private void assertSame(Fleet fleet, PrefixIndex fresh, PrefixIndex index, String line) {
        assertEquals(fresh.blockCount(), index.blockCount(), line);
        for (int engine = 0; engine < fleet.engines(); engine++) {
            assertEquals(fleet.held(engine), index.heldBlocks(fleet.slot(engine), Tier.DEVICE), line);
        }
        for (int session = 0; session < fleet.sessions(); session++) {
            long[] prompt = fleet.prompt(session);
            assertEquals(answer(fresh, prompt), answer(index, prompt), line + ", session=" + session);
        }
    }

    private Map<String, Integer> answer(PrefixIndex index, long[] prompt) {
        index.match(prompt, prompt.length, overlaps);
        Map<String, Integer> blocks = new TreeMap<>();
        for (int i = 0; i < overlaps.size(); i++) {
            blocks.put(index.workerOf(overlaps.slot(i)), overlaps.total(i));
        }
        return blocks;
    }
}
