package io.penstock.dataplane.inputlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Killed at any moment, the log holds a beginning of what was taken, and all of that is decided again. */
@Tag("crash")
class InputLogCrashTest {
    private static final int LIVES = 6;

    @TempDir
    Path folder;

    @Test
    void shouldDecideAgainWhatWasLoggedWhenTheRouterWasKilled() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long end = 0;
        long decisions = 0;
        for (int life = 0; life < LIVES; life++) {
            String told = "seed " + seed + ", life " + life;
            Path out = folder.resolve("out-" + life);
            Process child = InputLogChild.start(folder, random.nextLong(), out);
            try {
                int lines = 5 + random.nextInt(40);
                RecordedPipeline.await(() -> decided(out).size() >= lines || !child.isAlive());
                assertTrue(child.isAlive(), () -> told + "\n" + text(out));
            } finally {
                child.destroyForcibly();
                assertTrue(child.waitFor(20, TimeUnit.SECONDS));
            }
            List<Long> seen = decided(out);
            assertTrue(seen.getFirst() > end, told + ": numbers go on");
            LogFolder log = new LogFolder(folder.resolve("log"));
            end = LogReader.lastSeq(log);
            // The writer looks at the ring each millisecond; what was decided fifty steps before the end has long been
            // written.
            assertTrue(end >= seen.get(seen.size() - 2), told + ": last " + end + ", decided " + seen.getLast());
            Explainer.Verified verified = new Explainer(log.path()).verify();
            assertEquals(-1, verified.firstDifferent(), told);
            assertEquals(verified.decisions(), verified.equal(), told);
            assertTrue(verified.decisions() > decisions, told);
            decisions = verified.decisions();
        }
    }

    private static List<Long> decided(Path out) {
        return text(out)
                .lines()
                .filter(line -> line.matches("decided \\d+"))
                .map(line -> Long.valueOf(line.substring(8)))
                .toList();
    }

    private static String text(Path out) {
        try {
            return Files.readString(out);
        } catch (IOException notYet) {
            return "";
        }
    }
}
