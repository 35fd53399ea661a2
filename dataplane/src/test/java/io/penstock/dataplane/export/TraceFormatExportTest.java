package io.penstock.dataplane.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dynamo's rows, recorded sessions, logs and the table. */
final class TraceFormatExportTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @Test
    void shouldWriteRowsInTheirEnvelopeInTheOrderOfTheJournalWhenDynamo() throws IOException {
        TraceScript script = TraceScript.agents();
        script.request("plain", null, null, 960, 970, 8, 11, 12);
        Exported exported = Exported.of(ExportFormat.DYNAMO, script.source());
        List<JsonNode> rows = exported.rows();
        assertEquals(9, rows.size());
        assertEquals(0, rows.getFirst().path("timestamp").asLong());
        assertEquals(870, rows.getLast().path("timestamp").asLong());
        assertEquals(
                List.of("r1", "call-1", "t", "r2", "c1", "c2", "g1", "r3", "plain"),
                rows.stream()
                        .map(row -> row.path("event"))
                        .map(row -> row.path("request").path("request_id").asText()
                                + row.path("tool").path("tool_call_id").asText())
                        .toList());
        assertEquals(1, exported.notice("requests without a session beside others"));
        assertEquals(1, exported.notice("requests that overlap another of their session"));
        assertEquals(
                8,
                Exported.of(ExportFormat.DYNAMO, script.source(), new ExportOptions(0, false, true))
                        .rows()
                        .size());
    }

    @Test
    void shouldReadWhatItWroteWhenTheSourceIsADynamoTrace() throws IOException {
        TraceSource source = TraceScript.agents().source();
        Path file = folder.resolve("trace.jsonl.gz");
        new TraceExport(source, ExportFormat.DYNAMO, ExportOptions.ALL).to(file);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            assertEquals(
                    8,
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .count());
        }
        TraceSource written = new DynamoTraceFiles(List.of(file));
        for (ExportFormat format : List.of(ExportFormat.DYNAMO, ExportFormat.MOONCAKE)) {
            assertEquals(
                    Exported.of(format, source).text(),
                    Exported.of(format, written).text());
        }
        try (var left = Files.list(folder)) {
            assertEquals(List.of(file), left.toList());
        }
    }

    @Test
    void shouldSayWhatWasSteppedOverWhenATraceHasOtherLines() throws IOException {
        Path file = folder.resolve("trace.jsonl");
        Files.writeString(
                file,
                Exported.of(ExportFormat.DYNAMO, TraceScript.agents().source()).text() + "{\"a\":1}\n");
        Exported exported = Exported.of(ExportFormat.CSV, new DynamoTraceFiles(List.of(file)));
        assertEquals(1, exported.notice("lines stepped over, other_schema"));
    }

    @Test
    void shouldWriteAFileAConversationWhenWeka() throws IOException {
        TraceScript script = TraceScript.agents();
        script.request("other", "alone", null, 50, 60, 9, 91, 92, 93);
        Exported exported = weka(script.source());
        assertEquals(2, exported.notice("written: conversations"));
        assertEquals(1, exported.notice("flattened"));
        JsonNode root = JSON.readTree(folder.resolve("conversation-000001.json").toFile());
        assertEquals("root", root.path("id").asText());
        assertEquals(4, root.path("block_size").asInt());
        List<String> told = new ArrayList<>();
        for (JsonNode entry : root.path("requests")) {
            told.add(entry.path("t").asText() + " " + entry.path("type").asText() + " "
                    + entry.path("agent_id").asText() + entry.path("in").asText() + " "
                    + entry.path("hash_ids").size());
        }
        // t is the partial prompt: no full block. The grandchild stands beside its parent.
        assertEquals(
                List.of(
                        "0.0 n 8 2",
                        "0.2 n 10 2",
                        "0.25 n 3 0",
                        "0.26 subagent child 0",
                        "0.41 subagent grand 0",
                        "0.9 n 12 3"),
                told);
        JsonNode calls = root.path("requests");
        assertEquals("tool_use", calls.get(0).path("stop").asText());
        assertEquals("end_turn", calls.get(5).path("stop").asText());
        assertEquals(0.1, calls.get(0).path("api_time").asDouble());
        assertEquals(0.1, calls.get(1).path("think_time").asDouble());
        assertEquals(0, calls.get(2).path("think_time").asDouble());
        assertEquals(calls.get(0).path("hash_ids"), calls.get(1).path("hash_ids"));
        JsonNode child = calls.get(3);
        assertEquals(340, child.path("duration_ms").asInt());
        assertEquals(24, child.path("total_tokens").asInt());
        // Absolute: the only reading that AIPerf takes right for a subagent that outlives its own start time.
        assertEquals(0.5, child.path("requests").get(1).path("t").asDouble());
        assertEquals(
                calls.get(0).path("hash_ids").get(0),
                child.path("requests").get(0).path("hash_ids").get(0));
        JsonNode alone =
                JSON.readTree(folder.resolve("conversation-000002.json").toFile());
        assertEquals("alone", alone.path("id").asText());
        assertEquals("[0,1]", alone.path("requests").get(0).path("hash_ids").toString());
    }

    @Test
    void shouldKeepBlocksApartWhenHashesAreNotChained() throws IOException {
        TraceScript script = new TraceScript();
        script.request("a", "s", null, 0, 1, 8, 1, 2);
        script.request("b", "s", null, 2, 3, 8, 3, 2);
        weka(script.source());
        JsonNode calls = JSON.readTree(
                        folder.resolve("conversation-000001.json").toFile())
                .path("requests");
        assertEquals("[0,1]", calls.get(0).path("hash_ids").toString());
        assertEquals("[2,1]", calls.get(1).path("hash_ids").toString());
    }

    @Test
    void shouldWriteLogsAsTheCollectorTakesThemWhenOtlp() throws IOException {
        List<JsonNode> lines =
                Exported.of(ExportFormat.OTLP, TraceScript.agents().source()).rows();
        JsonNode scope =
                lines.getFirst().path("resourceLogs").get(0).path("scopeLogs").get(0);
        assertEquals("dynamo.request_trace", scope.path("scope").path("name").asText());
        assertEquals(8, scope.path("logRecords").size());
        JsonNode log = scope.path("logRecords").get(0);
        assertEquals("1800000000100000000", log.path("timeUnixNano").textValue());
        assertEquals("request_end", log.path("body").path("stringValue").asText());
        JsonNode payload = log.path("attributes").get(4);
        assertEquals("payload", payload.path("key").asText());
        assertEquals(
                "r1",
                JSON.readTree(payload.path("value").path("stringValue").asText())
                        .path("request")
                        .path("request_id")
                        .asText());
    }

    @Test
    void shouldQuoteAndLeaveEmptyWhenCsv() throws IOException {
        TraceScript script = TraceScript.agents();
        script.request("q\"1\",x", null, null, 960, 970, 8, 11, 12).worker = "a\nb";
        Exported exported = Exported.of(ExportFormat.CSV, script.source());
        String[] lines = exported.text().split("\r\n");
        int columns = lines[0].split(",", -1).length;
        assertEquals(10, lines.length);
        for (int i = 0; i < 9; i++) {
            assertEquals(columns, lines[i].split(",", -1).length, lines[i]);
        }
        assertTrue(lines[1].startsWith("request_end,1800000000100,root,,,user_message,dynamo,,r1,,"), lines[1]);
        assertTrue(lines[9].contains(",\"q\"\"1\"\",x\","), lines[9]);
        assertTrue(lines[9].contains(",\"a\nb\","), lines[9]);
        assertFalse(exported.text().contains(",-1,"), exported.text());
        assertFalse(exported.text().contains("NaN"), exported.text());
    }

    @Test
    void shouldRefuseWhenTheOldestPartGoesMissingMeanwhile() {
        List<TraceRecord> records = TraceScript.agents().source().records();
        TraceSource shrinking = new TraceSource() {
            private int opened;

            @Override
            public String format() {
                return "shrinking";
            }

            @Override
            public TraceReader open() {
                TraceReader reader = new ListSource(records).open();
                if (opened++ > 0) {
                    reader.moveTo(30);
                }
                return reader;
            }
        };
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> Exported.of(ExportFormat.MOONCAKE, shrinking));
        assertTrue(failure.getMessage().contains("position=10"), failure.getMessage());
    }

    private Exported weka(TraceSource source) throws IOException {
        TraceExport export = new TraceExport(source, ExportFormat.WEKA, ExportOptions.ALL);
        export.to(folder);
        return new Exported("", export.notices().counts());
    }
}
