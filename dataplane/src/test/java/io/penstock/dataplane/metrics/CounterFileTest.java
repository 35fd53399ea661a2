package io.penstock.dataplane.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterFileTest {
    @TempDir
    Path folder;

    @Test
    void shouldBeReadableThroughAnotherMappingWhileItIsWritten() {
        Path path = folder.resolve("counters.dat");
        try (CounterFile file = CounterFile.create(path);
                CounterFileReader reader = CounterFile.map(path)) {
            file.increment(Counter.REQUESTS_ROUTED);
            file.add(Counter.BLOCKS_STORED, 41);
            file.counter("frames malformed").increment();
            for (int i = 0; i < 3; i++) {
                file.error(new IllegalStateException("page 7 is torn"));
            }
            assertEquals(1, reader.value(Counter.REQUESTS_ROUTED));
            assertEquals(41, reader.value(Counter.BLOCKS_STORED));
            assertEquals(1, reader.all().get("frames malformed"));
            assertEquals(41, reader.all().get("blocks stored"));
            assertEquals(ProcessHandle.current().pid(), reader.pid());
            List<CounterFileReader.LoggedError> errors = reader.errors();
            assertEquals(1, errors.size());
            assertEquals(3, errors.getFirst().count());
            assertTrue(errors.getFirst().text().contains("page 7 is torn"));
        }
    }

    @Test
    void shouldNoteNoErrorThatComesAfterTheEnd() {
        Path path = folder.resolve("counters.dat");
        CounterFile file = CounterFile.create(path);
        file.error(new IllegalStateException("before"));
        file.close();
        file.error(new IllegalStateException("after: the memory is gone"));
        try (CounterFileReader reader = CounterFile.map(path)) {
            assertEquals(1, reader.errors().size());
            assertTrue(reader.errors().getFirst().text().contains("before"));
        }
    }

    @Test
    void shouldBeReadableWhenTheRouterWasKilled() throws Exception {
        Path path = folder.resolve("counters.dat");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Killed.class.getName(),
                        path.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
        assertTrue(child.waitFor(60, TimeUnit.SECONDS), "the child ends by itself");
        assertEquals(3, child.exitValue(), () -> read(folder.resolve("child.log")));
        try (CounterFileReader reader = CounterFile.map(path)) {
            assertEquals(child.pid(), reader.pid());
            assertEquals(12, reader.value(Counter.REQUESTS_NO_WORKER));
            assertTrue(reader.errors().getFirst().text().contains("the last thing it said"));
        }
    }

    @Test
    void shouldKeepTheFormerRunsFileWhenANewOneStarts() {
        Path path = folder.resolve("counters.dat");
        try (CounterFile file = CounterFile.create(path)) {
            file.increment(Counter.CORE_FAILURES);
        }
        CounterFile.create(path).close();
        try (CounterFileReader before = CounterFile.map(folder.resolve("counters.dat.previous"));
                CounterFileReader now = CounterFile.map(path)) {
            assertEquals(1, before.value(Counter.CORE_FAILURES));
            assertEquals(0, now.value(Counter.CORE_FAILURES));
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenItIsNoCountersFile() throws Exception {
        Path path = folder.resolve("other.dat");
        Files.write(path, new byte[4_096]);
        assertEquals(
                "not a counters file: magic=0",
                assertThrows(IllegalArgumentException.class, () -> CounterFile.map(path))
                        .getMessage());
        Files.write(path, new byte[3]);
        assertEquals(
                "not a counters file: length=3",
                assertThrows(IllegalArgumentException.class, () -> CounterFile.map(path))
                        .getMessage());
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    /** Counts, then dies without closing anything. */
    static final class Killed {
        private Killed() {}

        public static void main(String[] args) {
            CounterFile file = CounterFile.create(Path.of(args[0]));
            file.add(Counter.REQUESTS_NO_WORKER, 12);
            file.error(new IllegalStateException("the last thing it said"));
            Runtime.getRuntime().halt(3);
        }
    }
}
