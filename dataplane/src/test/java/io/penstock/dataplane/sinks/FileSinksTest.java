package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinksTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private static DynamoRow row(String id) {
        return DynamoTraceJson.row(TraceRecords.request(id, AgentContext.NONE));
    }

    private TraceSettings settings(String file, String... more) {
        Map<String, String> environment = new java.util.HashMap<>();
        environment.put("DYN_REQUEST_TRACE", "1");
        environment.put("DYN_REQUEST_TRACE_FILE_PATH", folder.resolve(file).toString());
        for (int i = 0; i < more.length; i += 2) {
            environment.put("DYN_REQUEST_TRACE_FILE_" + more[i], more[i + 1]);
        }
        return TraceSettings.of(environment);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private List<String> ids(String... files) {
        List<String> ids = new ArrayList<>();
        try (DynamoTraceReader reader =
                new DynamoTraceReader(Stream.of(files).map(folder::resolve).toList())) {
            for (var record = reader.next(); record != null; record = reader.next()) {
                ids.add(record.requestId);
            }
        }
        return ids;
    }

    @Test
    void shouldAppendLinesWhenTheFileIsThere() throws IOException {
        Path file = folder.resolve("deep/er/trace.jsonl");
        try (LineFile sink = new LineFile(file, 1 << 20, 1000)) {
            sink.write(row("r1"));
        }
        try (LineFile sink = new LineFile(file, 1 << 20, 1000)) {
            sink.write(row("r2"));
            assertEquals(1, Files.readAllLines(file).size(), "waits for its flush");
            sink.flush();
            assertEquals(2, Files.readAllLines(file).size());
        }
        for (String line : Files.readAllLines(file)) {
            JsonNode envelope = JSON.readTree(line);
            assertTrue(envelope.get("timestamp").longValue() < 60_000, "counts from the sink's opening");
            assertEquals("request_end", envelope.at("/event/event_type").textValue());
        }
        assertEquals(List.of("r1", "r2"), ids("deep/er/trace.jsonl"));
    }

    @Test
    void shouldGoOnAtTheNewEndWhenSomebodyTruncatesTheFile() throws IOException {
        Path file = folder.resolve("t.jsonl");
        try (LineFile sink = new LineFile(file, 1, 1000)) {
            sink.write(row("r1"));
            Files.write(file, new byte[0]);
            sink.write(row("r2"));
        }
        assertEquals(List.of("r2"), ids("t.jsonl"));
    }

    @Test
    void shouldWriteWhenTheBufferIsFull() throws IOException {
        Path file = folder.resolve("t.jsonl");
        try (LineFile sink = new LineFile(file, 1, 1000)) {
            sink.write(row("r1"));
            assertEquals(1, Files.readAllLines(file).size());
        }
    }

    @Test
    void shouldMakeAMemberOfEveryFlush() throws IOException {
        Path file = folder.resolve("t.000000.jsonl.gz");
        try (PackedFiles sink = new PackedFiles(settings("t"))) {
            assertFalse(Files.exists(file), "an empty file is no gzip");
            sink.write(row("r1"));
            sink.flush();
            byte[] first = Files.readAllBytes(file);
            sink.flush();
            assertArrayEquals(first, Files.readAllBytes(file), "nothing waited");
            sink.write(row("r2"));
            sink.flush();
            byte[] both = Files.readAllBytes(file);
            // The second member stands for itself.
            byte[] second = java.util.Arrays.copyOfRange(both, first.length, both.length);
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(second))) {
                assertTrue(new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("\"r2\""));
            }
            assertEquals(List.of("r1", "r2"), ids("t.000000.jsonl.gz"));
        }
        assertEquals(List.of("t.000000.jsonl.gz"), files());
    }

    @Test
    void shouldStripTheEndingOfThePrefixAndGoOnAfterTheHighestNumber() throws IOException {
        for (String path : List.of("t", "t.jsonl", "t.jsonl.gz")) {
            try (PackedFiles sink = new PackedFiles(settings(path))) {
                sink.write(row(path));
            }
        }
        assertEquals(List.of("t.000000.jsonl.gz", "t.000001.jsonl.gz", "t.000002.jsonl.gz"), files());
        Files.createFile(folder.resolve("t.000041.jsonl.gz"));
        Files.createFile(folder.resolve("u.000099.jsonl.gz"));
        try (PackedFiles sink = new PackedFiles(settings("t"))) {
            sink.write(row("last"));
        }
        assertEquals(List.of("last"), ids("t.000042.jsonl.gz"));
    }

    @Test
    void shouldPassOverANumberThatSomebodyTookMeanwhile() throws IOException {
        try (PackedFiles one = new PackedFiles(settings("t"));
                PackedFiles two = new PackedFiles(settings("t"))) {
            one.write(row("r1"));
            two.write(row("r2"));
            one.flush();
            two.flush();
        }
        assertEquals(List.of("r1"), ids("t.000000.jsonl.gz"));
        assertEquals(List.of("r2"), ids("t.000001.jsonl.gz"));
    }

    @Test
    void shouldRollBeforeALineThatWouldExceedTheBytes() throws IOException {
        long line = row("r1").lineBytes(0);
        try (PackedFiles sink = new PackedFiles(settings("t", "ROLL_BYTES", "" + (2 * line + 20)))) {
            for (int i = 1; i <= 5; i++) {
                sink.write(row("r" + i));
            }
        }
        assertEquals(List.of("r1", "r2"), ids("t.000000.jsonl.gz"));
        assertEquals(List.of("r3", "r4"), ids("t.000001.jsonl.gz"));
        assertEquals(List.of("r5"), ids("t.000002.jsonl.gz"));
    }

    @Test
    void shouldPutALineThatIsTooLongIntoAFileOfItsOwn() throws IOException {
        try (PackedFiles sink = new PackedFiles(settings("t", "ROLL_BYTES", "10"))) {
            sink.write(row("r1"));
            sink.write(row("r2"));
        }
        assertEquals(List.of("t.000000.jsonl.gz", "t.000001.jsonl.gz"), files());
    }

    @Test
    void shouldRollAtTheLinesAllowed() throws IOException {
        try (PackedFiles sink = new PackedFiles(settings("t", "ROLL_LINES", "2"))) {
            for (int i = 1; i <= 3; i++) {
                sink.write(row("r" + i));
                sink.flush();
            }
        }
        assertEquals(List.of("r1", "r2"), ids("t.000000.jsonl.gz"));
        assertEquals(List.of("r3"), ids("t.000001.jsonl.gz"));
    }

    @Test
    void shouldCountWhatAFailedWriteLosesAndGoOn() throws IOException {
        Path place = folder.resolve("place");
        PackedFiles sink = new PackedFiles(settings("place/t", "ROLL_LINES", "2"));
        Files.delete(place);
        sink.write(row("r1"));
        sink.write(row("r2"));
        assertThrows(IOException.class, () -> sink.write(row("r3")));
        assertEquals(3, sink.takeLost());
        assertEquals(0, sink.takeLost());
        Files.createDirectory(place);
        sink.write(row("r4"));
        sink.close();
        try (Stream<Path> all = Files.list(place)) {
            assertEquals(1, all.count());
        }
    }

    @Test
    void shouldRefuseAtTheStartWhenTheFolderCannotBe() throws IOException {
        Files.createFile(folder.resolve("file"));
        TraceSettings settings = settings("file/t");
        SinkCounts counts = new SinkCounts();
        IllegalArgumentException told =
                assertThrows(IllegalArgumentException.class, () -> new TraceSinks(settings, counts));
        assertTrue(told.getMessage().contains("sink=file path=" + settings.file()), told.getMessage());
    }

    @Test
    void shouldWriteBareRowsToAStream() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (RowStream sink = new RowStream(new PrintStream(bytes, true, StandardCharsets.UTF_8))) {
            sink.write(row("r1"));
            sink.write(row("r2"));
        }
        String[] lines = bytes.toString(StandardCharsets.UTF_8).split("\n");
        assertEquals(2, lines.length);
        assertEquals(new String(row("r2").json(), StandardCharsets.UTF_8), lines[1]);
    }
}
