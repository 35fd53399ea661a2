package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Python reader says what the Java writer wrote, also while it writes. */
@Timeout(60)
class JournalPythonTest {
    private static final Path PACKAGE =
            Path.of(System.getProperty("penstock.root"), "bindings", "python", "penstock-journal");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private JournalFixture journal;

    @BeforeEach
    void make() {
        assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
                "python3 is not installed: the Python reader is not held against the writer");
        journal = new JournalFixture(folder);
    }

    private Process python(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("python3", "-m", "penstock_journal", folder.toString()));
        words.addAll(List.of(options));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(PACKAGE.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        return builder.start();
    }

    @Test
    void shouldSayTheSameAsTheWriterAcrossRollsAndRestarts() throws Exception {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceRecord> written = new ArrayList<>();
        for (int life = 0; life < 2; life++) {
            JournalWriter writer = journal.writer(5, "");
            for (int i = 0; i < 150; i++) {
                TraceRecord record = Traces.any(random);
                writer.append(record);
                written.add(record);
                if (random.nextInt(60) == 0) {
                    journal.nowMs += JournalFixture.HOUR_MS;
                }
            }
            JournalFixture.end(writer);
        }
        Process process = python();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertEquals(0, process.waitFor());
        assertEquals(written.size(), lines.size(), "penstock.seed=" + seed);
        for (int i = 0; i < lines.size(); i++) {
            assertSame(written.get(i), JSON.readTree(lines.get(i)), "penstock.seed=" + seed + " record=" + i);
        }
    }

    @Test
    void shouldFollowTheLiveQueueAcrossARoll() throws Exception {
        JournalWriter writer = journal.writer(8, "");
        writer.append(Traces.turn("s", 1, 9));
        Process process = python("--follow");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (int turn = 10; turn < 60; turn++) {
                JsonNode read = JSON.readTree(lines.readLine());
                assertSame(Traces.turn("s", 1, turn - 1), read, "turn " + (turn - 1));
                if (turn % 20 == 0) {
                    journal.nowMs += JournalFixture.HOUR_MS;
                }
                // Written only when the one before has arrived.
                writer.append(Traces.turn("s", 1, turn));
            }
        } finally {
            process.destroyForcibly().waitFor();
            JournalFixture.end(writer);
        }
    }

    private static void assertSame(TraceRecord expected, JsonNode read, String where) throws IOException {
        assertNotNull(read, where);
        assertEquals(
                expected.kind.name().toLowerCase(Locale.ROOT), read.get("kind").asText(), where);
        assertEquals(expected.epochMs, read.get("epochMs").asLong(), where);
        assertText(expected.agent.session(), read.get("session"), where);
        assertText(expected.agent.parent(), read.get("parent"), where);
        assertText(expected.agent.group(), read.get("group"), where);
        assertText(
                expected.agent.inputTrigger() == null
                        ? null
                        : expected.agent.inputTrigger().wire(),
                read.get("inputTrigger"),
                where);
        assertEquals(expected.agent.source().label(), read.get("source").asText(), where);
        JsonNode last = read.get("sessionFinal");
        assertEquals(expected.agent.sessionFinal(), last.isNull() ? null : (Boolean) last.asBoolean(), where);
        assertEquals(JSON.valueToTree(expected.agent.agentHeaders()), read.get("agentHeaders"), where);
        assertEquals(JSON.valueToTree(expected.choices), read.get("choices"), where);
        assertEquals(JSON.valueToTree(expected.toolCalls), read.get("toolCalls"), where);
        assertText(expected.requestId, read.get("requestId"), where);
        assertText(expected.clientRequestId, read.get("clientRequestId"), where);
        assertText(expected.model, read.get("model"), where);
        assertText(expected.worker, read.get("worker"), where);
        assertText(
                expected.outcome == null ? null : expected.outcome.name().toLowerCase(Locale.ROOT),
                read.get("outcome"),
                where);
        assertNumber(expected.status, read.get("status"), where);
        assertNumber(expected.waitNs, read.get("waitNs"), where);
        assertEquals(
                Double.isNaN(expected.firstTokenMs), read.get("firstTokenMs").isNull(), where);
        assertEquals(expected.totalMs, read.get("totalMs").asDouble(), where);
        assertEquals(expected.exact, read.get("exact").asBoolean(), where);
        assertHashes(expected.hashes, read.get("hashes"), where);
        if (expected.traceHashes == null) {
            assertTrue(read.get("traceHashes").isNull(), where);
        } else {
            assertHashes(expected.traceHashes, read.get("traceHashes"), where);
        }
        assertText(
                expected.partial ? Long.toUnsignedString(expected.partialHash) : null, read.get("partialHash"), where);
        byte[] payload = read.get("requestPayload").binaryValue();
        assertEquals(
                expected.requestPayload == null ? -1 : expected.requestPayload.length,
                payload == null ? -1 : payload.length,
                where);
        if (expected.kind == TraceRecord.Kind.TOOL_END) {
            assertText(expected.toolCallId, read.get("toolCallId"), where);
            assertText(expected.toolErrorType, read.get("toolErrorType"), where);
            assertNumber(expected.toolOutputBytes, read.get("toolOutputBytes"), where);
        }
        if (expected.kind == TraceRecord.Kind.HINT) {
            assertText(expected.action, read.get("action"), where);
            assertNumber(expected.amount, read.get("amount"), where);
        }
    }

    private static void assertText(String expected, JsonNode read, String where) {
        assertEquals(expected, read.isNull() ? null : read.asText(), where);
    }

    private static void assertNumber(long expected, JsonNode read, String where) {
        assertEquals(expected, read.isNull() ? TraceRecord.UNKNOWN : read.asLong(), where);
    }

    private static void assertHashes(long[] expected, JsonNode read, String where) {
        assertEquals(
                Arrays.stream(expected).mapToObj(Long::toUnsignedString).toList(),
                read.valueStream().map(JsonNode::asText).toList(),
                where);
    }
}
