package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.index.pages.DyingWriter;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer dies at a random access to the file, thousands of times in one process: loads and stores alike. */
class DyingWriterTest {
    /** A file is left when too many deaths in it cannot be told apart. */
    private static final int MAX_STATES = 40;

    @TempDir
    Path folder;

    private final Comparison comparison = new Comparison();

    @AfterEach
    void liveOn() {
        DyingWriter.live();
    }

    @Test
    void shouldReopenWithAPrefixOfTheScriptWhereverTheWriterDies() {
        die(Long.getLong("penstock.seed", 4711L), 400);
    }

    @Test
    @Tag("crash")
    void shouldReopenWithAPrefixOfTheScriptWhereverTheWriterDiesManyTimes() {
        die(Long.getLong("penstock.seed", System.nanoTime()), 10_000);
    }

    private void die(long seed, int deaths) {
        Random random = new Random(seed);
        int died = 0;
        for (int file = 0; died < deaths; file++) {
            long trafficSeed = random.nextLong();
            IndexConfig config = new IndexConfig(folder.resolve("dying-" + file), 16, 1 << 12, 1 << 16, 24);
            try {
                died += dieOnOneFile(config, trafficSeed, random, 25);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed=" + seed + ", file=" + file + ", trafficSeed=" + trafficSeed, wrong);
            }
            config.file().toFile().delete();
        }
    }

    private int dieOnOneFile(IndexConfig config, long seed, Random random, int deaths) {
        int workers = 1 + random.nextInt(8);
        Traffic traffic = new Traffic(seed, 1 + random.nextInt(150), workers, 1 + random.nextInt(80));
        History history = new History(config);
        OffHeapIndex index = OffHeapIndex.open(config);
        for (Traffic.Operation opening : traffic.opening()) {
            opening.apply(index);
            history.apply(opening);
        }
        int died = 0;
        while (died < deaths && history.states() <= MAX_STATES) {
            Traffic.Operation operation = traffic.next();
            boolean doomed = random.nextInt(6) == 0;
            if (doomed) {
                DyingWriter.dieAfter(random.nextInt(1 << random.nextInt(14)));
            }
            try {
                operation.apply(index);
                history.apply(operation);
                DyingWriter.live();
            } catch (IllegalStateException death) {
                DyingWriter.live();
                died++;
                index.abandon();
                index = OffHeapIndex.open(config);
                assertEquals(RecoveryReport.Outcome.REPAIRED, index.recovery().outcome());
                history.perhaps(operation);
                assertNull(history.compare(index, traffic, comparison), "died in " + operation);
            }
        }
        assertNull(history.compare(index, traffic, comparison));
        index.close();
        return died;
    }
}
