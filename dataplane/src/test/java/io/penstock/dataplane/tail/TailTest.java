package io.penstock.dataplane.tail;

import static io.penstock.dataplane.tail.TraceRecords.calling;
import static io.penstock.dataplane.tail.TraceRecords.request;
import static io.penstock.dataplane.tail.TraceRecords.tool;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What {@code penstock tail} shows. */
final class TailTest {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long T0 = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();

    private final StringWriter text = new StringWriter();
    private final ListedJournal journal = new ListedJournal();
    private final AtomicReference<ListedJournal> lying = new AtomicReference<>(journal);

    private final TailSource source = new TailSource() {
        private ListedJournal opened;

        @Override
        public TraceReader open(long sinceMs) {
            opened = lying.get();
            return opened == null ? null : opened.reader();
        }

        @Override
        public boolean replaced() {
            return opened != lying.get();
        }
    };

    private final LineFormat plain = new TailText(ZoneOffset.UTC, false);

    private Tail tail(TailFilter filter, TailOptions options, LineFormat format) {
        PrintWriter out = new PrintWriter(text);
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(T0 + 60_000));
        return new Tail(source, filter, options, format, new TailScreen(out, out, false), clock);
    }

    private List<String> lines(TailFilter filter) {
        tail(filter, new TailOptions(-1, 100, false, null), plain).run();
        return text.toString().lines().toList();
    }

    private static TailFilter sessions(String... names) {
        return new TailFilter(List.of(names), List.of(), Double.NaN, List.of());
    }

    @Test
    void shouldShowWhatARequestWasInOneLine() {
        journal.add(calling(request("agent-1", null, T0, 1_900), "c1:Bash", "c2:Read"));
        assertEquals(
                List.of("12:00:01.900  agent-1           sim                   w1                 1,000   75%      50"
                        + "   190 ms   1.90 s  tool_use: Bash, Read"),
                lines(TailFilter.ALL));
    }

    @Test
    void shouldMarkAnExpectationWhenTheEngineTellsNoCachedTokens() {
        TraceRecord record = request(null, null, T0, 90_000);
        record.cachedTokens = TraceRecord.UNKNOWN;
        record.outcome = Outcome.CANCELLED;
        record.finishReason = null;
        journal.add(record);
        String line = lines(TailFilter.ALL).getFirst();
        assertTrue(line.contains(" ~80% "), line);
        assertTrue(line.contains(" 1:30 m  cancelled"), line);
        assertTrue(line.startsWith("12:01:30.000  -  "), line);
    }

    @Test
    void shouldIndentSubagentsAndShowTools() {
        journal.add(request("root", null, T0, 100));
        journal.add(request("child", "root", T0 + 200, 100));
        journal.add(request("grandchild-with-a-long-name", "child", T0 + 400, 100));
        TraceRecord failed = tool(TraceRecord.Kind.TOOL_ERROR, "child", "c9", "Bash", T0 + 600);
        failed.toolErrorType = "Timeout";
        failed.toolMs = 12_345;
        journal.add(failed);
        List<String> lines = lines(TailFilter.ALL);
        assertTrue(lines.get(1).contains("  └child  "), lines.get(1));
        assertTrue(lines.get(2).contains("   └grandchild-wi…  "), lines.get(2));
        assertTrue(lines.get(3).contains("  tool Bash  "), lines.get(3));
        assertTrue(lines.get(3).endsWith(" 12.35 s  error: Timeout"), lines.get(3));
    }

    @Test
    void shouldShowASessionWithItsChildrenWhenAskedForIt() {
        journal.add(request("root", null, T0, 100));
        journal.add(request("other", null, T0 + 100, 100));
        journal.add(request("child", "root", T0 + 200, 100));
        journal.add(request("grandchild", "child", T0 + 300, 100));
        journal.add(tool(TraceRecord.Kind.TOOL_END, "grandchild", "c1", "Bash", T0 + 500));
        assertEquals(4, lines(sessions("root")).size());
        text.getBuffer().setLength(0);
        assertEquals(3, lines(sessions("chi*")).size());
        text.getBuffer().setLength(0);
        assertEquals(1, lines(sessions("oth…")).size());
        text.getBuffer().setLength(0);
        assertEquals(0, lines(sessions("o")).size());
    }

    @Test
    void shouldShowOnlyWhatIsAskedForWhenFiltered() {
        TraceRecord slow = request("a", null, T0, 5_000);
        TraceRecord elsewhere = request("b", null, T0, 100);
        elsewhere.worker = "w2";
        TraceRecord cancelled = request("c", null, T0, 100);
        cancelled.outcome = Outcome.CANCELLED;
        cancelled.finishReason = null;
        cancelled.choices.clear();
        journal.add(slow).add(elsewhere).add(cancelled);
        assertEquals(
                1, lines(new TailFilter(List.of(), List.of(), 5_000, List.of())).size());
        text.getBuffer().setLength(0);
        assertEquals(
                1,
                lines(new TailFilter(List.of(), List.of("w2"), Double.NaN, List.of()))
                        .size());
        text.getBuffer().setLength(0);
        assertEquals(
                1,
                lines(new TailFilter(List.of(), List.of(), Double.NaN, List.of("cancelled")))
                        .size());
        text.getBuffer().setLength(0);
        assertEquals(
                2,
                lines(new TailFilter(List.of(), List.of(), Double.NaN, List.of("end_turn")))
                        .size());
        text.getBuffer().setLength(0);
        assertEquals(
                0,
                lines(new TailFilter(List.of(), List.of("w2"), 5_000, List.of()))
                        .size());
    }

    @Test
    void shouldShowTheLastOrThoseSinceWhenItDoesNotFollow() {
        for (int i = 0; i < 20; i++) {
            journal.add(request("s" + i, null, T0 + i * 1_000, 500));
        }
        tail(TailFilter.ALL, new TailOptions(-1, 3, false, null), plain).run();
        assertEquals(3, text.toString().lines().count());
        assertTrue(text.toString().contains(" s17 "), text.toString());
        text.getBuffer().setLength(0);
        tail(TailFilter.ALL, new TailOptions(T0 + 15_500, 3, false, null), plain)
                .run();
        assertEquals(5, text.toString().lines().count());
    }

    @Test
    void shouldLeaveOutWhatIsNotKnownWhenItWritesJson() throws Exception {
        TraceRecord record = calling(request("child", "root", T0, 1_000), "c1:Bash");
        record.firstTokenMs = Double.NaN;
        record.overlapBlocks = TraceRecord.UNKNOWN;
        record.requestPayload = new byte[] {1};
        journal.add(record);
        journal.add(tool(TraceRecord.Kind.TOOL_START, "child", "c1", "Bash", T0 + 1_010));
        tail(TailFilter.ALL, new TailOptions(-1, 10, false, null), new TailJson())
                .run();
        List<String> lines = text.toString().lines().toList();
        JsonNode json = new ObjectMapper().readTree(lines.getFirst());
        assertEquals("request_end", json.path("kind").asText());
        assertEquals("root", json.path("parent").asText());
        assertEquals(1, json.path("depth").asInt());
        assertEquals(0.75, json.path("hitRate").asDouble());
        assertEquals("Bash", json.path("toolCalls").path(0).path("name").asText());
        assertEquals("completed", json.path("outcome").asText());
        assertFalse(
                json.has("firstTokenMs") || json.has("overlapBlocks") || json.has("requestPayload"), lines.getFirst());
        assertEquals(
                "{\"kind\":\"tool_start\",\"epochMs\":" + (T0 + 1_010)
                        + ",\"session\":\"child\",\"depth\":1,\"inputTrigger\":\"user_message\",\"toolCallId\":\"c1\",\"toolClass\":\"Bash\"}",
                lines.getLast());
    }

    @Test
    void shouldFollowWhatIsWrittenAndGoOverToANewJournalWhenTheOldOneIsGone() throws Exception {
        lying.set(null);
        Tail tail = tail(TailFilter.ALL, new TailOptions(-1, 10, true, Duration.ofSeconds(10)), plain);
        Thread thread = Thread.ofPlatform().daemon().start(tail::run);
        await("no journal yet");
        lying.set(journal.add(request("first", null, T0, 59_000)));
        await(" first ");
        journal.add(request("second", null, T0, 59_900));
        await(" second ");
        lying.set(new ListedJournal().add(request("third", null, T0, 59_999)));
        await("another journal lies here now");
        await(" third ");
        tail.stop();
        thread.join(TimeUnit.NANOSECONDS.toMillis(DEADLINE_NS));
        assertFalse(thread.isAlive());
        assertTrue(text.toString().contains("# 0.0 requests/s"), text.toString());
        assertEquals(
                "latency from request end to line, 3 lines: p50 100.0 ms, p99 1000.4 ms, max 1000.4 ms"
                        + " (a record's time has 1 ms resolution)",
                tail.latency());
    }

    @Test
    void shouldEndWhenNobodyReadsTheLines() {
        journal.add(request("a", null, T0, 1_000));
        PrintWriter broken = new PrintWriter(new Writer() {
            @Override
            public void write(char[] chars, int from, int count) throws java.io.IOException {
                throw new java.io.IOException("broken pipe");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        new Tail(
                        source,
                        TailFilter.ALL,
                        new TailOptions(-1, 10, true, null),
                        plain,
                        new TailScreen(broken, broken, false),
                        InstantSource.system())
                .run();
        assertEquals("", text.toString());
    }

    @Test
    void shouldCountRatesOverTheLastSeconds() {
        Rates rates = new Rates();
        long now = 1_000_000;
        rates.start(now);
        for (int i = 0; i < 40; i++) {
            rates.add(request("s" + i % 3, null, T0, 100), now + i * 100);
        }
        TraceRecord unknown = request("s9", null, T0, 100);
        unknown.inputTokens = TraceRecord.UNKNOWN;
        rates.add(unknown, now + 4_000);
        assertEquals(
                "10.3 requests/s  10,000 in  513 out tokens/s  hit rate 75.0%  4 sessions", rates.line(now + 4_000));
        assertEquals("0.0 requests/s  0 in  0 out tokens/s  hit rate -  0 sessions", rates.line(now + 60_000));
    }

    private void await(String part) {
        BooleanSupplier there = () -> text.toString().contains(part);
        long end = System.nanoTime() + DEADLINE_NS;
        while (!there.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not printed: " + part + " in\n" + text);
            Thread.yield();
        }
    }
}
