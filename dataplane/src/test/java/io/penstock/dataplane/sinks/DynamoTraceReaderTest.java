package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoTraceReaderTest {
    private static final AgentContext AGENT = TraceRecords.agent("run-42:researcher", "run-42:planner");

    @TempDir
    Path folder;

    private static String bare(TraceRecord record) {
        return new String(DynamoTraceJson.row(record).json(), StandardCharsets.UTF_8);
    }

    private static String line(TraceRecord record) {
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            DynamoTraceJson.row(record).writeLine(line, 1);
            return line.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static List<TraceRecord> all(DynamoTraceReader reader) {
        List<TraceRecord> records = new ArrayList<>();
        for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
            records.add(record);
        }
        return records;
    }

    @Test
    void shouldGiveBackWhatWasWritten() throws IOException {
        TraceRecord request = TraceRecords.request("r1", AGENT);
        TraceRecord nobody = TraceRecords.request("r2", AgentContext.NONE);
        TraceRecord tool = TraceRecords.tool(TraceRecord.Kind.TOOL_ERROR, "s", "c");
        Path file = file("t.jsonl", line(request) + bare(nobody) + "\n\n" + line(tool));
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file))) {
            List<TraceRecord> read = all(reader);

            assertEquals(3, read.size());
            TraceRecord first = read.getFirst();
            assertArrayEquals(request.hashes, first.hashes);
            assertEquals(request.partialHash, first.partialHash);
            assertEquals(request.agent, first.agent);
            assertEquals(request.toolCalls, first.toolCalls);
            assertEquals(request.choices, first.choices);
            assertEquals(request.overlapBlocks, first.overlapBlocks);
            // A worker's number is all that a row tells of its name.
            first.worker = request.worker;
            read.get(1).worker = nobody.worker;
            assertEquals(bare(request), bare(first));
            assertEquals(bare(nobody), bare(read.get(1)));
            assertEquals(bare(tool), bare(read.get(2)));
            assertTrue(reader.steppedOver().isEmpty());
        }
    }

    @Test
    void shouldReadRowsOfNewerAndOlderWriters() throws IOException {
        Path file = file("t.jsonl", """
                {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":5,"novel":{"a":[1]},\
                "agent_context":{"session_id":"s","compaction":{},"input_trigger":"unheard_of"},\
                "request":{"request_id":"r","output_tokens":1,"queue_depth":0,"worker":{"prefill_worker_id":18446744073709551615},\
                "replay":{"trace_block_size":2,"input_length":3,"input_sequence_hashes":\
                [10773075109927122010,17466410656762125515]}}}
                """);
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file))) {
            TraceRecord record = reader.next();

            assertEquals("s", record.agent.session());
            assertNull(record.agent.inputTrigger());
            assertEquals("18446744073709551615", record.worker);
            assertEquals(3, record.inputTokens);
            assertEquals(Long.parseUnsignedLong("10773075109927122010"), record.hashes[0]);
            assertEquals(Long.parseUnsignedLong("17466410656762125515"), record.partialHash);
            assertTrue(Double.isNaN(record.totalMs));
            assertNull(reader.next());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "running,running",
        "succeeded,succeeded",
        "error,error",
        "cancelled,cancelled",
        "ok,succeeded",
        "success,succeeded",
        "failed,error",
        "canceled,cancelled",
        "timeout,cancelled",
        "odd,"
    })
    void shouldReadOldWordsForAToolsStatus(String word, String status) throws IOException {
        String row =
                bare(TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", "c")).replace("succeeded", word);
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file("t.jsonl", row)))) {
            assertEquals(status, reader.next().toolStatus);
        }
    }

    @Test
    void shouldStepOverAndCountWhatIsNoRecord() throws IOException {
        String payload = "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_payload\"}\n";
        String other = "{\"schema\":\"dynamo.agent.trace.v1\",\"event_type\":\"request_end\"}\n[1]\n";
        String incomplete = "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"tool_end\","
                + "\"agent_context\":{\"session_id\":\"s\"},\"tool\":{\"tool_call_id\":\"c\"}}\n";
        String whole = line(TraceRecords.request("r1", AGENT));
        Path file = file("t.jsonl", payload + other + incomplete + whole + whole.substring(0, 100));
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file))) {
            assertEquals(1, all(reader).size());
            assertEquals(
                    Map.of(
                            DynamoTraceReader.Reason.PAYLOAD, 1L,
                            DynamoTraceReader.Reason.OTHER_SCHEMA, 2L,
                            DynamoTraceReader.Reason.INCOMPLETE, 1L,
                            DynamoTraceReader.Reason.CUT_OFF, 1L),
                    reader.steppedOver());
        }
    }

    @Test
    void shouldNameFileAndLineWhenALineIsNoJson() throws IOException {
        Path file = file("t.jsonl", line(TraceRecords.request("r1", AGENT)) + "{oops\n" + "{}\n");
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file))) {
            reader.next();
            IllegalStateException told = assertThrows(IllegalStateException.class, reader::next);
            assertTrue(told.getMessage().contains("t.jsonl:2"), told.getMessage());
        }
    }

    @Test
    void shouldReadAllMembersAndWhatIsWholeOfACutOne() throws IOException {
        byte[] first = gzip(line(TraceRecords.request("r1", AGENT)) + line(TraceRecords.request("r2", AGENT)));
        byte[] second = gzip(line(TraceRecords.request("r3", AGENT)));
        Path whole = Files.write(folder.resolve("a.000000.jsonl.gz"), concat(first, second));
        Path cut = Files.write(
                folder.resolve("a.000001.jsonl.gz"), concat(first, Arrays.copyOf(second, second.length / 2)));
        Path empty = Files.createFile(folder.resolve("a.000002.jsonl.gz"));
        Path head = Files.write(folder.resolve("a.000003.jsonl.gz"), Arrays.copyOf(second, 5));
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(whole, cut, empty, head))) {
            assertEquals(
                    List.of("r1", "r2", "r3", "r1", "r2"),
                    all(reader).stream().map(record -> record.requestId).toList());
            assertEquals(1L, reader.steppedOver().get(DynamoTraceReader.Reason.CUT_OFF));
        }
    }

    @Test
    void shouldGoOnBehindAPositionGivenBefore() throws IOException {
        Path a = file("a.jsonl", line(TraceRecords.request("r1", AGENT)) + line(TraceRecords.request("r2", AGENT)));
        Path b = file("b.jsonl", line(TraceRecords.request("r3", AGENT)));
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(a, b))) {
            reader.next();
            reader.next();
            long second = reader.position();
            reader.toEnd();
            assertNull(reader.next());
            assertTrue(reader.moveTo(second));
            assertEquals("r3", reader.next().requestId);
            assertFalse(reader.moveTo(99));
        }
    }

    @Test
    void shouldRefuseAFileThatIsNotThere() {
        Path missing = folder.resolve("none.jsonl");
        assertThrows(IllegalArgumentException.class, () -> new DynamoTraceReader(List.of(missing)));
        assertThrows(IllegalArgumentException.class, () -> new DynamoTraceReader(List.of()));
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
