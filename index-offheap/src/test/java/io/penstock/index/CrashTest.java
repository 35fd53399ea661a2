package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child process is killed by SIGKILL while it applies a script; its file must hold what it had acknowledged. */
class CrashTest {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    private final Comparison comparison = new Comparison();

    @Test
    void shouldHoldAllAcknowledgedOperationsAfterTenKills() throws Exception {
        kill(Long.getLong("penstock.seed", 99L), 10);
    }

    @Test
    @Tag("crash")
    void shouldHoldAllAcknowledgedOperationsAfterManyKills() throws Exception {
        kill(Long.getLong("penstock.seed", System.nanoTime()), Integer.getInteger("crash.kills", 200));
    }

    private void kill(long seed, int kills) throws Exception {
        Random random = new Random(seed);
        for (int kill = 0; kill < kills; kill++) {
            Path file = folder.resolve("killed-" + kill);
            long trafficSeed = random.nextLong();
            try {
                killOnce(file, trafficSeed, kill % 5 == 4, random);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed=" + seed + ", kill=" + kill + ", trafficSeed=" + trafficSeed, wrong);
            }
        }
    }

    private void killOnce(Path file, long seed, boolean early, Random random) throws Exception {
        Path log = Path.of(file + ".log");
        Process child = ChildJvm.start(
                CrashChild.class, List.of("-Dpenstock.index.checked=false"), log, file.toString(), Long.toString(seed));
        if (!early) {
            awaitProgress(file, child, log);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(early ? 1500 : 60)));
        child.destroyForcibly().waitFor();
        compare(file, seed, done(file));
    }

    private static void awaitProgress(Path file, Process child, Path log) throws IOException {
        long deadline = System.nanoTime() + DEADLINE_NS;
        while (done(file) == 0) {
            assertTrue(child.isAlive(), () -> text(log));
            assertTrue(System.nanoTime() < deadline, "child makes no progress");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static long done(Path file) throws IOException {
        Path progress = Path.of(file + ".progress");
        if (!Files.exists(progress) || Files.size(progress) < Long.BYTES) {
            return 0;
        }
        try (RandomAccessFile counter = new RandomAccessFile(progress.toFile(), "r")) {
            return counter.readLong();
        }
    }

    private void compare(Path file, long seed, long acknowledged) {
        IndexConfig config = CrashChild.config(file);
        boolean existed = Files.exists(file);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(
                    existed ? RecoveryReport.Outcome.REPAIRED : RecoveryReport.Outcome.CREATED,
                    index.recovery().outcome());
            Traffic traffic = CrashChild.traffic(seed);
            List<Traffic.Operation> opening = traffic.opening();
            History history = new History(config);
            int at = 0;
            for (; at < acknowledged; at++) {
                history.apply(at < opening.size() ? opening.get(at) : traffic.next());
            }
            Traffic.Operation inFlight = at < opening.size() ? opening.get(at) : traffic.next();
            history.perhaps(inFlight);
            assertNull(
                    history.compare(index, traffic, comparison),
                    "acknowledged=" + acknowledged + ", in flight: " + inFlight);
            goOn(history, index, traffic);
        }
    }

    private void goOn(History history, OffHeapIndex index, Traffic traffic) {
        for (int i = 0; i < 100; i++) {
            Traffic.Operation operation = traffic.next();
            operation.apply(index);
            history.apply(operation);
        }
        assertNull(history.compare(index, traffic, comparison));
    }
}
