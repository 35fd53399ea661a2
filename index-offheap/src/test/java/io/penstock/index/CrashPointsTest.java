package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.pages.DyingWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After every store of every multi-step change the file is copied as a killed writer would leave it, and the copy is
 * opened: it holds what was there after some prefix of the change.
 */
class CrashPointsTest {
    private static final int ALL = 10_000;

    @TempDir
    Path folder;

    @AfterEach
    void liveOn() {
        DyingWriter.live();
    }

    @Test
    void shouldHoldAPrefixOfEveryNamedChangeAfterASampleOfItsStores() {
        explore(Long.getLong("penstock.seed", 4L), 0.05, 500);
    }

    @Test
    @Tag("crash")
    void shouldHoldAPrefixOfEveryNamedChangeAfterEachOfItsStores() {
        explore(Long.getLong("penstock.seed", System.nanoTime()), 1, ALL);
    }

    /** Rounds of all stories with other lengths until there are enough cases. */
    private void explore(long seed, double share, int least) {
        Map<String, Integer> casesByName = new TreeMap<>();
        Random random = new Random(seed);
        int cases = 0;
        for (int round = 0; round == 0 || cases < least; round++) {
            for (Story story : Stories.all(random)) {
                CrashPoints points = new CrashPoints(folder, random.nextLong(), share);
                try {
                    int found = points.explore(story);
                    casesByName.merge(story.name, found, Integer::sum);
                    cases += found;
                } catch (AssertionError | RuntimeException wrong) {
                    throw new AssertionError("seed=" + seed + ", round=" + round + ", change=" + story, wrong);
                }
            }
        }
        System.out.println("crash points: seed=" + seed + ", cases=" + cases + " " + casesByName);
        assertTrue(cases >= least, "cases=" + cases);
        assertTrue(casesByName.values().stream().allMatch(count -> count > 0), () -> "never seen: " + casesByName);
    }
}
