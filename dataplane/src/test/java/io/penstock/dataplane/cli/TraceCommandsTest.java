package io.penstock.dataplane.cli;

import static io.penstock.dataplane.tail.TraceRecords.calling;
import static io.penstock.dataplane.tail.TraceRecords.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code penstock tail} and {@code penstock timeline} over a journal on disk. */
final class TraceCommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path write(TraceRecord... records) {
        JournalWriter writer = new JournalWriter(JournalConfig.defaults(), folder, (counter, amount) -> {}, failure -> {
            throw new AssertionError(failure);
        });
        writer.onStart();
        for (TraceRecord record : records) {
            DecisionRecord event = new DecisionRecord();
            event.trace = record;
            writer.onEvent(event, 0, true);
        }
        writer.onShutdown();
        writer.close();
        return folder.resolve("journal");
    }

    private int run(String... args) {
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }

    @Test
    void shouldPrintWhatTheJournalHoldsAndNothingElseWhenItIsNoTerminal() {
        long now = System.currentTimeMillis();
        Path journal = write(request("root", null, now - 9_000, 500), request("child", "root", now - 5_000, 4_000));
        assertEquals(0, run("tail", journal.toString()), err.toString());
        assertEquals(2, out.toString().lines().count(), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("tail", journal.toString(), "--header", "--slow", "1000", "--since", "1m"), err.toString());
        assertTrue(out.toString().startsWith("TIME "), out.toString());
        assertTrue(out.toString().lines().toList().getLast().contains(" └child "), out.toString());
        assertEquals(2, out.toString().lines().count(), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("tail", journal.toString(), "--json", "-n", "1"), err.toString());
        assertTrue(out.toString().startsWith("{\"kind\":\"request_end\""), out.toString());
    }

    @Test
    void shouldFindOldLinesWhenNothingHappenedLately() {
        Path journal = write(request("old", null, 1_700_000_000_000L, 500));
        assertEquals(0, run("tail", journal.toString()), err.toString());
        assertTrue(out.toString().contains(" old "), out.toString());
    }

    @Test
    void shouldFollowARouterThatStartsLater() throws Exception {
        Path journal = folder.resolve("journal");
        Thread tail = Thread.ofPlatform()
                .daemon()
                .start(() -> run("tail", "-f", "--header", "--latency", journal.toString()));
        await("no journal yet, waiting for one");
        write(request("first", null, System.currentTimeMillis(), 5));
        await(" first ");
        write(request("second", null, System.currentTimeMillis(), 5));
        await(" second ");
        assertTrue(tail.isAlive());
        assertTrue(out.toString().contains(" requests/s "), out.toString());
        tail.interrupt();
        tail.join(TimeUnit.SECONDS.toMillis(30));
        assertTrue(err.toString().startsWith("latency from request end to line, 2 lines: p50 "), err.toString());
    }

    private void await(String part) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!out.toString().contains(part)) {
            assertTrue(System.nanoTime() < end, "not printed: " + part + " in\n" + out + err);
            Thread.yield();
        }
    }

    @Test
    void shouldWriteBothFilesWhenAskedForBoth() throws Exception {
        long now = System.currentTimeMillis();
        Path journal = write(
                calling(request("root", null, now - 9_000, 500), "c1:Task"),
                request("child", "root", now - 5_000, 4_000));
        Path page = folder.resolve("deep/page.html");
        Path trace = folder.resolve("trace.json");
        assertEquals(
                0,
                run("timeline", journal.toString(), "--html", page.toString(), "--perfetto", trace.toString()),
                err.toString());
        assertTrue(out.toString().contains("page.html: 2 sessions, 2 requests, 1 tools, "), out.toString());
        assertTrue(Files.readString(page).contains("<canvas id=\"tracks\""));
        assertTrue(
                new ObjectMapper().readTree(trace.toFile()).path("traceEvents").size() > 10);
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() {
        assertEquals(2, run("tail", folder.resolve("none").toString()));
        assertTrue(err.toString().startsWith("no trace journal lies there: folder="), err.toString());
        err.getBuffer().setLength(0);
        assertEquals(2, run("timeline", folder.toString()));
        assertEquals("nothing to write: --html FILE or --perfetto FILE is needed\n", err.toString());
        err.getBuffer().setLength(0);
        Path journal = write();
        assertEquals(
                2,
                run(
                        "timeline",
                        journal.toString(),
                        "--html",
                        folder.resolve("a.html").toString()));
        assertTrue(err.toString().startsWith("no requests or tools there: journal="), err.toString());
        err.getBuffer().setLength(0);
        assertEquals(2, run("tail", journal.toString(), "--since", "yesterday"));
        assertEquals("not a time like 1970-01-01T00:00:00Z or 15m: since=yesterday\n", err.toString());
    }

    @Test
    void shouldReadATimeInEachOfItsForms() {
        long now = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();
        assertEquals(now - 900_000, TimeArgument.ms("15m", "since", now));
        assertEquals(now - 2 * 86_400_000L, TimeArgument.ms("2d", "since", now));
        assertEquals(now, TimeArgument.ms("2026-11-30T12:00:00Z", "since", 0));
        assertEquals(now, TimeArgument.ms("2026-11-30T14:00:00+02:00", "since", 0));
        assertEquals(now, TimeArgument.ms(Long.toString(now), "since", 0));
        assertThrows(IllegalArgumentException.class, () -> TimeArgument.ms("15", "since", 0));
    }
}
