package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CountersCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void count() {
        file = folder.resolve("counters.dat");
        try (CounterFile counters = CounterFile.create(file)) {
            counters.add(Counter.CORE_FAILURES, 2);
            counters.error(new IllegalStateException("page 7 is torn"));
            counters.error(new IllegalStateException("page 7 is torn"));
        }
    }

    @Test
    void shouldPrintWhatWasCountedAndWhichErrorsWereMet() {
        assertEquals(0, run("counters", file.toString()), err.toString());
        String text = out.toString();
        assertTrue(text.startsWith("router pid=" + ProcessHandle.current().pid() + " started="), text);
        assertTrue(text.contains(" 2  core failures"), text);
        assertFalse(text.contains("requests routed"), text);
        assertTrue(text.contains("page 7 is torn"), text);
    }

    @Test
    void shouldPrintZerosWhenAskedForAll() {
        assertEquals(0, run("counters", "--all", file.toString()), err.toString());
        for (Counter counter : Counter.values()) {
            assertTrue(out.toString().contains("  " + counter.label()), counter.label());
        }
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWhenItIsNoCountersFile() throws Exception {
        assertEquals(2, run("counters", folder.resolve("none").toString()));
        assertTrue(err.toString().startsWith("no such counters file: file="), err.toString());
        Path other = Files.write(folder.resolve("other"), new byte[4_096]);
        assertEquals(2, run("counters", other.toString()));
        assertTrue(err.toString().contains("not a counters file: magic=0"), err.toString());
    }

    private int run(String... args) {
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }
}
