package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every answer of readers beside a writer at full speed was the truth at an instant within the look-up. */
class LiveReaderStressTest {
    private static final int QUERIES = 12;

    /** Small, so that the heads table is crowded and memory is used again at once. */
    private static final long CAPACITY = 1 << 12;

    private static final long CHILD_READY_MS = 60_000;

    @TempDir
    Path folder;

    @Test
    void shouldAnswerOnlyWhatWasTrueBesideAWriter() throws Exception {
        long seed = Long.getLong("penstock.seed", 20261130L);
        play(seed, 1_500, 6, Duration.ofSeconds(3));
    }

    @Test
    @Tag("long")
    void shouldAnswerOnlyWhatWasTrueBesideManyWriters() throws Exception {
        Random random = new Random(Long.getLong("penstock.seed", System.nanoTime()));
        long seconds = Long.getLong("penstock.stress.seconds", 300);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int round = 0; System.nanoTime() < deadline; round++) {
            play(random.nextLong(), 4_000, round % 4 == 3 ? 70 : 2 + random.nextInt(10), Duration.ofSeconds(20));
        }
    }

    private void play(long seed, int operations, int workers, Duration time) throws Exception {
        Path file = folder.resolve("index-" + Long.toHexString(seed));
        TruthLog log = WitnessChild.log(seed, operations, workers, QUERIES);
        Path childLog = folder.resolve("child.log");
        try (OffHeapIndex index = OffHeapIndex.open(new IndexConfig(file, 16, CAPACITY, 1 << 16, log.maxSlots()));
                Progress progress = new Progress(Path.of(file + ".progress"))) {
            Process child = ChildJvm.start(
                    WitnessChild.class,
                    List.of(),
                    childLog,
                    file.toString(),
                    Long.toString(seed),
                    Integer.toString(operations),
                    Integer.toString(workers),
                    Integer.toString(QUERIES));
            try {
                awaitReady(child, childLog);
                List<Witness> witnesses = new ArrayList<>();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    Witness witness = new Witness(log, progress, index.reader(), seed + i);
                    witnesses.add(witness);
                    threads.add(Thread.ofPlatform().start(witness));
                }
                long done = write(index, log, progress, time);
                for (Thread thread : threads) {
                    thread.join();
                }
                String where = "seed=" + seed + ", operations=" + done + ": ";
                for (Witness witness : witnesses) {
                    System.out.println(where + witness);
                    assertNull(witness.wrong(), where);
                    assertTrue(witness.judged() > 0, where + witness);
                }
                assertTrue(child.waitFor(1, TimeUnit.MINUTES), where + "child does not end");
                System.out.println(where + "other process: "
                        + Files.readString(childLog).strip().replace("\n", ", "));
                assertEquals(0, child.exitValue(), where + Files.readString(childLog));
            } finally {
                child.destroyForcibly();
            }
            assertNull(index.verify());
        }
    }

    private static long write(OffHeapIndex index, TruthLog log, Progress progress, Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        long n = 0;
        try {
            // Always to the end of a round: the last operations are the ones that empty the index.
            while (System.nanoTime() < deadline || n % log.size() != 0) {
                progress.started(n);
                log.apply(n, index);
                progress.done(n++);
            }
        } finally {
            progress.stop();
        }
        return n;
    }

    private static void awaitReady(Process child, Path log) throws IOException {
        long deadline = System.currentTimeMillis() + CHILD_READY_MS;
        while (!Files.exists(log) || !Files.readString(log).contains("ready")) {
            assertTrue(child.isAlive(), "child ended before it began");
            assertTrue(System.currentTimeMillis() < deadline, "child is not ready");
            Thread.onSpinWait();
        }
    }
}
