package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoTraceJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AgentContext AGENT = TraceRecords.agent("run-42:researcher", "run-42:planner");

    private static String json(TraceRecord record) {
        return new String(DynamoTraceJson.row(record).json(), StandardCharsets.UTF_8);
    }

    private static JsonNode tree(TraceRecord record) throws IOException {
        return JSON.readTree(DynamoTraceJson.row(record).json());
    }

    @Test
    void shouldWriteTheReferencesExampleWhenAnAgentAsked() {
        long worker = DynamoTraceJson.workerId("w1");
        assertEquals("""
                {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":1777312801000,\
                "event_source":"dynamo","agent_context":{"session_id":"run-42:researcher",\
                "parent_session_id":"run-42:planner","session_final":false,\
                "agent_headers":{"x-codex-turn-metadata":["{\\"request_kind\\":\\"turn\\"}"]},\
                "input_trigger":"tool_result"},"request":{"request_id":"0b6e","x_request_id":"llm-call-42",\
                "model":"my-model","input_tokens":130,"output_tokens":16,"cached_tokens":128,\
                "request_received_ms":1777312800000,"ttft_ms":99.5,"total_time_ms":1000.0,\
                "avg_itl_ms":60.03333333333333,"kv_hit_rate":0.6666666666666666,\
                "worker":{"prefill_worker_id":%d,"prefill_dp_rank":0,"decode_worker_id":%d,"decode_dp_rank":0},\
                "replay":{"trace_block_size":64,"input_length":130,"input_sequence_hashes":\
                [3480597578098033343,2575318956255022795,6999238864313042084]},\
                "finish_reason_metadata":{"finish_reason":"tool_calls",\
                "tool_calls":[{"choice_index":0,"tool_call_index":0,"id":"call-abc","name":"web_search"}],\
                "choices":[{"choice_index":0,"finish_reason":"tool_calls"}]}}}""".formatted(worker, worker), json(TraceRecords.request("0b6e", AGENT)));
    }

    @Test
    void shouldLeaveOutAgentModelAndReasonsWhenNobodyIsNamed() throws IOException {
        JsonNode row = tree(TraceRecords.request("r1", AgentContext.NONE));

        assertEquals(List.of("schema", "event_type", "event_time_unix_ms", "request"), names(row));
        assertEquals(
                List.of(
                        "request_id",
                        "input_tokens",
                        "output_tokens",
                        "cached_tokens",
                        "request_received_ms",
                        "ttft_ms",
                        "total_time_ms",
                        "avg_itl_ms",
                        "kv_hit_rate",
                        "worker",
                        "replay"),
                names(row.get("request")));
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown() throws IOException {
        TraceRecord record = new TraceRecord();
        record.epochMs = 7;
        record.requestId = "r1";
        record.agent = TraceRecords.agent("s", null);
        record.inputTokens = 0;
        record.blockSize = 16;
        record.exact = true;
        record.firstTokenMs = Double.POSITIVE_INFINITY;
        JsonNode request = tree(record).get("request");

        assertEquals(List.of("request_id", "input_tokens", "output_tokens", "replay"), names(request));
        assertEquals(0, request.get("output_tokens").intValue());
        assertEquals(0, request.get("replay").get("input_sequence_hashes").size());
        assertFalse(json(record).contains("null"));
    }

    @Test
    void shouldTakeTheTimeOfTheEventFromTheEndElseTheStart() {
        TraceRecord record = TraceRecords.request("r1", AGENT);
        record.totalMs = 12.6;
        assertEquals(record.receivedMs + 13, DynamoTraceJson.row(record).epochMs());
        record.totalMs = -3;
        assertEquals(record.receivedMs, DynamoTraceJson.row(record).epochMs());
        record.totalMs = Double.NaN;
        assertEquals(record.receivedMs, DynamoTraceJson.row(record).epochMs());
        record.agent = AgentContext.NONE;
        assertEquals(record.epochMs, DynamoTraceJson.row(record).epochMs());
    }

    @Test
    void shouldPrintHashesUnsignedWhenTheirHighestBitIsSet() {
        TraceRecord record = TraceRecords.request("r1", AGENT);
        record.inputTokens = 3;
        record.blockSize = 2;
        record.hashCount = 1;
        record.hashes = new long[] {Long.parseUnsignedLong("10773075109927122010")};
        record.partialHash = Long.parseUnsignedLong("17466410656762125515");

        assertTrue(json(record).contains("[10773075109927122010,17466410656762125515]"), json(record));
    }

    @Test
    void shouldUseTraceHashesWhereTheyDiffer() {
        TraceRecord record = TraceRecords.request("r1", AGENT);
        record.traceHashes = new long[] {1, -1};
        record.partialHash = 3;

        assertTrue(json(record).contains("[1,18446744073709551615,3]"), json(record));
    }

    @Test
    void shouldNameWorkersByNumbersThatEveryJsonReaderKeeps() {
        for (String worker : List.of("w1", "http://10.0.0.1:8000", "")) {
            long id = DynamoTraceJson.workerId(worker);
            assertTrue(id >= 0 && id < 1L << 53, worker + " " + id);
            assertEquals(id, (long) (double) id);
        }
        // XXH3-64 of no bytes is 2d06800538d394c2.
        assertEquals(0x2d06800538d394c2L >>> 11, DynamoTraceJson.workerId(""));
    }

    @ParameterizedTest
    @CsvSource({
        "stop, stop,",
        "end_turn, stop, end_turn",
        "stop_sequence, stop, stop_sequence",
        "max_tokens, length, max_tokens",
        "tool_use, tool_calls, tool_use",
        "refusal, content_filter, refusal",
        "max_output_tokens, length, max_output_tokens",
        "completed, stop, completed",
        "function_call, function_call,",
        "abort,, abort"
    })
    void shouldSayReasonsInOpenAisWordsAndKeepTheEngines(String given, String finish, String backend)
            throws IOException {
        TraceRecord record = TraceRecords.request("r1", AGENT);
        record.finishReason = given;
        JsonNode told = tree(record).get("request").get("finish_reason_metadata");

        assertEquals(finish, told.path("finish_reason").textValue());
        assertEquals(backend, told.path("backend_finish_reason").textValue());
    }

    @Test
    void shouldWriteAStopTokenAsANumberAndAStopStringAsText() throws IOException {
        TraceRecord record = TraceRecords.request("r1", AGENT);
        record.choices.set(0, new TraceRecord.ChoiceEnd(0, "stop", "128009"));
        JsonNode told = tree(record).get("request").get("finish_reason_metadata");
        assertEquals(128009, told.get("stop_reason").longValue());
        assertEquals(128009, told.get("choices").get(0).get("stop_reason").longValue());

        record.choices.set(0, new TraceRecord.ChoiceEnd(0, "stop", "</end>"));
        told = tree(record).get("request").get("finish_reason_metadata");
        assertEquals("</end>", told.get("stop_reason").textValue());
    }

    @Test
    void shouldWriteAToolsRow() {
        TraceRecord record = TraceRecords.tool(TraceRecord.Kind.TOOL_END, "run-42:researcher", "call-abc");
        record.toolOutputBytes = 12;
        assertEquals("""
                {"schema":"dynamo.request.trace.v1","event_type":"tool_end","event_time_unix_ms":1777312801500,\
                "event_source":"harness","agent_context":{"session_id":"run-42:researcher"},\
                "tool":{"tool_call_id":"call-abc","tool_class":"web_search","started_at_unix_ms":1777312801080,\
                "ended_at_unix_ms":1777312801500,"status":"succeeded","duration_ms":420.5,"output_bytes":12}}""", json(record));
    }

    @Test
    void shouldSkipWhatDynamoSkips() {
        TraceRecord several = TraceRecords.request("r", AGENT);
        several.choices.add(new TraceRecord.ChoiceEnd(1, "stop", null));
        TraceRecord text = TraceRecords.request("r", AGENT);
        text.exact = false;
        TraceRecord unhashed = TraceRecords.request("r", AGENT);
        unhashed.blockSize = 0;
        TraceRecord cut = TraceRecords.request("r", AGENT);
        cut.hashCount = 1;
        TraceRecord hint = new TraceRecord();
        hint.kind = TraceRecord.Kind.HINT;
        TraceRecord stray = TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", "c");
        stray.agent = AgentContext.NONE;
        TraceRecord nameless = TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", null);

        assertEquals(SkippedRow.SEVERAL_CHOICES, DynamoTraceJson.skipped(several));
        assertEquals(SkippedRow.NO_TOKEN_HASHES, DynamoTraceJson.skipped(text));
        assertEquals(SkippedRow.NO_TOKEN_HASHES, DynamoTraceJson.skipped(unhashed));
        assertEquals(SkippedRow.HASHES_DO_NOT_FIT, DynamoTraceJson.skipped(cut));
        assertEquals(SkippedRow.NOT_IN_DYNAMO, DynamoTraceJson.skipped(hint));
        assertEquals(SkippedRow.NO_SESSION, DynamoTraceJson.skipped(stray));
        assertEquals(SkippedRow.NAMELESS_TOOL, DynamoTraceJson.skipped(nameless));
        assertNull(DynamoTraceJson.skipped(TraceRecords.request("r", AGENT)));
        assertThrows(IllegalArgumentException.class, () -> DynamoTraceJson.row(several));
    }

    @Test
    void shouldWrapARowInItsEnvelopeWhenWrittenAsALine() throws IOException {
        DynamoRow row = DynamoTraceJson.row(TraceRecords.request("r", AGENT));
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        row.writeLine(line, 5213);

        assertEquals(line.size(), row.lineBytes(5213));
        String text = line.toString(StandardCharsets.UTF_8);
        assertEquals("{\"timestamp\":5213,\"event\":" + new String(row.json(), StandardCharsets.UTF_8) + "}\n", text);
        assertEquals(
                new BigInteger("3480597578098033343"),
                JSON.readTree(text)
                        .at("/event/request/replay/input_sequence_hashes/0")
                        .bigIntegerValue());
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(java.util.Map.Entry::getKey).toList();
    }
}
