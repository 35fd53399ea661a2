package io.penstock.dataplane.timeline;

import static io.penstock.dataplane.tail.TraceRecords.calling;
import static io.penstock.dataplane.tail.TraceRecords.request;
import static io.penstock.dataplane.tail.TraceRecords.tool;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.tail.ListedJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Chrome trace, worked out by hand. */
final class PerfettoTraceTest {
    private static final long T0 = 1_800_000_000_000L;

    private final ListedJournal journal = new ListedJournal();

    private JsonNode trace(TimelineRange range) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PerfettoTrace.write(TimelineBuilder.read(journal.reader(), range), out);
        return new ObjectMapper().readTree(out.toByteArray());
    }

    /** Events without metadata as {@code phase name start duration tid}, ms from T0 on. */
    private List<String> events(JsonNode trace) {
        List<String> lines = new ArrayList<>();
        for (JsonNode event : trace.path("traceEvents")) {
            if (!event.path("ph").asText().equals("M")) {
                lines.add(event.path("ph").asText() + " " + event.path("name").asText() + " "
                        + (event.path("ts").asLong() - T0 * 1_000) / 1e3
                        + (event.has("dur") ? " +" + event.path("dur").asLong() / 1e3 : "") + " @"
                        + event.path("tid").asInt());
            }
        }
        return lines;
    }

    private static Map<Integer, String> trackNames(JsonNode trace) {
        Map<Integer, String> names = new HashMap<>();
        for (JsonNode event : trace.path("traceEvents")) {
            if (event.path("name").asText().equals("thread_name")) {
                names.put(
                        event.path("tid").asInt(),
                        event.path("args").path("name").asText());
            }
        }
        return names;
    }

    private static JsonNode named(JsonNode trace, String name) {
        for (JsonNode event : trace.path("traceEvents")) {
            if (event.path("name").asText().equals(name)) {
                return event;
            }
        }
        throw new AssertionError("no event " + name + " in " + trace.toPrettyString());
    }

    @Test
    void shouldDrawStagesPausesAndCountersWhenASessionHasTwoTurns() throws IOException {
        journal.add(request("s", null, T0, 1_000)).add(request("s", null, T0 + 3_000, 500));
        JsonNode trace = trace(TimelineRange.ALL);
        assertEquals("ms", trace.path("displayTimeUnit").asText());
        assertEquals(Map.of(1, "s"), trackNames(trace));
        assertEquals(
                List.of(
                        "C KV hit rate 0.0 @0",
                        "X LLM request: sim 0.0 +1000.0 @1",
                        "X waiting 0.0 +10.0 @1",
                        "X prefill 10.0 +90.0 @1",
                        "X decode 100.0 +900.0 @1",
                        "X paused 1000.0 +2000.0 @1",
                        "C KV hit rate 3000.0 @0",
                        "X LLM request: sim 3000.0 +500.0 @1",
                        "X waiting 3000.0 +5.0 @1",
                        "X prefill 3005.0 +45.0 @1",
                        "X decode 3050.0 +450.0 @1"),
                events(trace));
        assertEquals(
                75.0, named(trace, "KV hit rate").path("args").path("percent").asDouble());
        JsonNode args = named(trace, "LLM request: sim").path("args");
        assertEquals("s", args.path("session_id").asText());
        assertEquals(1_000, args.path("input_tokens").asInt());
        assertEquals(0.75, args.path("kv_hit_rate").asDouble());
        assertEquals("end_turn", args.path("finish.finish_reason").asText());
        assertEquals("0:end_turn", args.path("finish.choice_finish_reasons").asText());
        assertEquals(900.0 / 49, args.path("avg_itl_ms").asDouble(), 1e-9);
        assertFalse(args.has("parent_session_id") || args.has("x_request_id"), args.toString());
        assertEquals(0, trace.toString().split("null", -1).length - 1);
    }

    @Test
    void shouldPutAToolBetweenTheRequestsAroundItWhenNobodyTellsOfIt() throws IOException {
        journal.add(calling(request("s", null, T0, 1_000), "c1:Bash", "c2:Read"))
                .add(calling(request("s", null, T0 + 1_400, 100), "c3:Bash"));
        JsonNode trace = trace(TimelineRange.ALL);
        List<String> events = events(trace);
        assertTrue(events.contains("X Tool: Bash 1000.0 +400.0 @2"), events.toString());
        assertTrue(events.contains("X Tool: Read 1000.0 +400.0 @3"), events.toString());
        assertTrue(events.contains("X Tool: Bash 1500.0 +1.0 @2"), events.toString());
        assertEquals(Map.of(1, "s [lane 0]", 2, "s [lane 0] tools", 3, "s [lane 1] tools"), trackNames(trace));
        assertTrue(events.stream().noneMatch(line -> line.contains("paused")), events.toString());
        JsonNode args = named(trace, "Tool: Read").path("args");
        assertTrue(args.path("inferred").asBoolean());
        assertFalse(args.path("host_execution").asBoolean(true));
        assertEquals("r-" + T0, args.path("source_request_id").asText());
        assertEquals("r-" + (T0 + 1_400), args.path("next_request_id").asText());
        assertEquals(400.0, args.path("duration_ms").asDouble());
    }

    @Test
    void shouldTakeWhatTheHarnessToldWhenItToldOfATool() throws IOException {
        journal.add(calling(request("s", null, T0, 1_000), "c1:Bash", "c2:Read", "c3:Grep", "c4:Edit"));
        TraceRecord spanned = tool(TraceRecord.Kind.TOOL_END, "s", "c1", "Bash", T0 + 1_900);
        spanned.toolStartedMs = T0 + 1_100;
        spanned.toolEndedMs = T0 + 1_800;
        TraceRecord lasted = tool(TraceRecord.Kind.TOOL_ERROR, "s", "c2", "Read", T0 + 1_900);
        lasted.toolMs = 250;
        lasted.toolErrorType = "Denied";
        journal.add(spanned).add(lasted);
        journal.add(tool(TraceRecord.Kind.TOOL_START, "s", "c3", "Grep", T0 + 1_200));
        journal.add(tool(TraceRecord.Kind.TOOL_END, "s", "c3", "Grep", T0 + 1_300));
        journal.add(tool(TraceRecord.Kind.TOOL_END, "s", "c4", "Edit", T0 + 1_500));
        journal.add(tool(TraceRecord.Kind.TOOL_START, "s", "c5", "Task", T0 + 1_600));
        journal.add(request("s", null, T0 + 2_000, 100));
        JsonNode trace = trace(TimelineRange.ALL);
        List<String> tools = events(trace).stream()
                .filter(line -> line.contains("Tool"))
                .map(line -> line.substring(0, line.indexOf(" @")))
                .toList();
        assertEquals(
                List.of(
                        "X Tool: Bash 1100.0 +700.0",
                        "X Tool: Grep 1200.0 +100.0",
                        "X Tool: Edit 1500.0 +1.0",
                        "i Tool start: Task 1600.0",
                        "X Tool error: Read 1650.0 +250.0"),
                tools);
        assertTrue(named(trace, "Tool: Edit")
                .path("args")
                .path("synthetic_duration")
                .asBoolean());
        assertEquals(
                "Denied",
                named(trace, "Tool error: Read").path("args").path("error_type").asText());
    }

    @Test
    void shouldSortSubagentsBelowTheirParentsAndShowThatItWaitsForThem() throws IOException {
        journal.add(request("other", null, T0 - 10, 50))
                .add(request("root", null, T0, 1_000))
                .add(request("child", "root", T0 + 1_500, 500))
                .add(request("grandchild", "child", T0 + 2_500, 500))
                .add(request("root", null, T0 + 5_000, 100));
        JsonNode trace = trace(TimelineRange.ALL);
        List<String> order = new ArrayList<>();
        Map<Integer, String> names = trackNames(trace);
        for (JsonNode event : trace.path("traceEvents")) {
            if (event.path("name").asText().equals("thread_sort_index")) {
                order.add(names.get(event.path("tid").asInt()));
            }
        }
        assertEquals(List.of("other", "root", "child", "grandchild"), order);
        List<String> events = events(trace);
        assertTrue(events.contains("X paused 1000.0 +500.0 @2"), events.toString());
        assertTrue(events.contains("X waiting for subagents 1500.0 +1500.0 @2"), events.toString());
        assertTrue(events.contains("X paused 3000.0 +2000.0 @2"), events.toString());
        assertTrue(events.contains("s subagent 999.999 @2"), events.toString());
        assertTrue(events.contains("f subagent 1500.0 @3"), events.toString());
        assertTrue(events.contains("s subagent 1999.999 @3"), events.toString());
    }

    @Test
    void shouldTakeTheNextLaneWhenRequestsOfASessionOverlap() throws IOException {
        journal.add(request("s", null, T0, 1_000)).add(request("s", null, T0 + 500, 1_000));
        journal.add(request("s", null, T0 + 1_000, 100));
        JsonNode trace = trace(TimelineRange.ALL);
        assertEquals(Map.of(1, "s [lane 0]", 2, "s [lane 1]"), trackNames(trace));
        assertTrue(events(trace).contains("X LLM request: sim 1000.0 +100.0 @1"));
    }

    @Test
    void shouldInventNothingWhenLittleIsKnown() throws IOException {
        TraceRecord bare = new TraceRecord();
        bare.epochMs = T0;
        bare.requestId = "r";
        journal.add(bare);
        JsonNode trace = trace(TimelineRange.ALL);
        assertEquals(List.of("X LLM request: unknown-model 0.0 +0.001 @1"), events(trace));
        assertEquals(Map.of(1, "request-only"), trackNames(trace));
    }

    @Test
    void shouldCountEvictionsOnlyWhenTheJournalTellsOfThem() throws IOException {
        for (int i = 0; i < 2; i++) {
            TraceRecord hint = new TraceRecord();
            hint.kind = TraceRecord.Kind.HINT;
            hint.epochMs = T0 + i;
            hint.action = "evict";
            hint.amount = 5;
            journal.add(hint);
        }
        List<String> events = events(trace(TimelineRange.ALL));
        assertTrue(
                events.contains("C KV evictions 0.0 @0") && events.contains("C KV evictions 1.0 @0"),
                events.toString());
    }

    @Test
    void shouldDrawOnlyWhatIsAskedFor() throws IOException {
        journal.add(request("root", null, T0, 100)).add(request("child", "root", T0 + 200, 100));
        journal.add(request("other", null, T0, 100)).add(request("late", null, T0 + 9_000, 100));
        assertEquals(
                Map.of(1, "root", 2, "child"), trackNames(trace(new TimelineRange(0, Long.MAX_VALUE, List.of("ro*")))));
        assertEquals(
                1,
                trackNames(trace(new TimelineRange(T0 + 1_000, Long.MAX_VALUE, List.of())))
                        .size());
        assertEquals(
                "nothing lies between: since=5 until=5",
                assertThrows(IllegalArgumentException.class, () -> new TimelineRange(5, 5, List.of()))
                        .getMessage());
    }

    @Test
    void shouldEndWhenSessionsNameEachOtherAsParents() throws IOException {
        journal.add(request("a", "b", T0, 100)).add(request("b", "a", T0 + 200, 100));
        assertEquals(2, trackNames(trace(TimelineRange.ALL)).size());
    }
}
