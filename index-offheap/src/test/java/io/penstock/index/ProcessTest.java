package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of the process that has the index open. */
class ProcessTest {
    private static final int TERMINATED = 143;

    @TempDir
    Path folder;

    @Test
    void shouldEndBySigtermWithPagesHotAndLeaveNoTraceOfAnalytics() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path file = folder.resolve("index");
        Path log = folder.resolve("log");
        Process child = ChildJvm.start(CrashChild.class, List.of("-Duser.home=" + home), log, file.toString(), "3");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!worksOn(file)) {
            assertTrue(child.isAlive(), Files.readString(log));
            assertTrue(System.nanoTime() < deadline, "child makes no progress");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        child.destroy();
        assertEquals(TERMINATED, child.waitFor(), Files.readString(log));
        try (Stream<Path> left = Files.list(home)) {
            assertFalse(left.anyMatch(path -> path.getFileName().toString().startsWith(".chronicle")));
        }
        assertFalse(Files.readString(log).contains("google"), Files.readString(log));
    }

    @Test
    void shouldRefuseASecondProcessByTheNameOfTheFirst() throws Exception {
        Path file = folder.resolve("index");
        Path log = folder.resolve("log");
        Process child = ChildJvm.start(CrashChild.class, List.of(), log, file.toString(), "3");
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!worksOn(file)) {
                assertTrue(child.isAlive(), Files.readString(log));
                assertTrue(System.nanoTime() < deadline, "child makes no progress");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            String why = assertThrows(IndexFileException.class, () -> OffHeapIndex.open(CrashChild.config(file)))
                    .getMessage();
            assertTrue(why.contains("owner: pid=" + child.pid()), why);
            assertThrows(IndexFileException.class, () -> IndexResize.resize(file, 1 << 15));
            assertTrue(child.isAlive(), Files.readString(log));
        } finally {
            child.destroyForcibly().waitFor();
        }
        OffHeapIndex.open(CrashChild.config(file)).close();
    }

    @Test
    void shouldLackTheAnalyticsClasses() {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
    }

    private static boolean worksOn(Path file) throws IOException {
        Path progress = Path.of(file + ".progress");
        return Files.exists(progress)
                && Files.size(progress) >= Long.BYTES
                && java.nio.ByteBuffer.wrap(Files.readAllBytes(progress)).getLong() > 100;
    }
}
