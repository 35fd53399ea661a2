package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.penstock.bindings.harness.AgentContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file of Chronicle Queue 2026.4 with our records, byte by byte: its framing, which reader and Python know by heart, and
 * our format. A change here means a new version of the format.
 */
class JournalGoldenTest {
    private static final String NAME = "20270115-08F.cq4";

    @TempDir
    Path folder;

    static List<TraceRecord> records() {
        List<TraceRecord> all = new ArrayList<>();
        for (int turn = 0; turn < 6; turn++) {
            all.add(Traces.turn("session", 1, 40 + turn));
        }
        TraceRecord traced = Traces.turn("session", 2, 10);
        traced.traceHashes = Traces.hashes(3, 10);
        traced.partial = true;
        traced.partialHash = -5;
        traced.requestPayload = new byte[100_000];
        traced.choices.add(new TraceRecord.ChoiceEnd(0, "tool_use", null));
        traced.toolCalls.add(new TraceRecord.ToolCall(0, 0, "toolu_1", "Bash"));
        all.add(traced);
        TraceRecord tool = new TraceRecord();
        tool.kind = TraceRecord.Kind.TOOL_END;
        tool.agent = AgentContext.NONE;
        tool.epochMs = 1_800_000_000_123L;
        tool.toolCallId = "toolu_1";
        tool.toolClass = "naïve 漢字 \ud83d\ude00";
        tool.toolStatus = "succeeded";
        tool.toolMs = 12.5;
        all.add(tool);
        TraceRecord hint = new TraceRecord();
        hint.kind = TraceRecord.Kind.HINT;
        hint.action = "pin";
        hint.amount = 12;
        all.add(hint);
        return all;
    }

    private static byte[] golden() throws IOException {
        try (InputStream in = JournalGoldenTest.class.getResourceAsStream("/journal/" + NAME + ".gz")) {
            assertNotNull(in, "the golden file is in the test's resources");
            return new GZIPInputStream(in).readAllBytes();
        }
    }

    private byte[] written() throws IOException {
        JournalFixture journal = new JournalFixture(folder);
        JournalWriter writer = journal.writer(4, "");
        records().forEach(writer::append);
        // The end of file is written when the next one begins.
        journal.nowMs += JournalFixture.HOUR_MS;
        writer.append(Traces.turn("session", 1, 50));
        JournalFixture.end(writer);
        return toEnd(Files.readAllBytes(folder.resolve(NAME)));
    }

    /** The bytes up to the mark of the end, that included. */
    private static byte[] toEnd(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (bytes.getInt(at) != 0xC0000000) {
            at = at + 4 + (bytes.getInt(at) & 0x3FFFFFFF) + 3 & ~3;
        }
        return Arrays.copyOf(file, at + 4);
    }

    @Test
    void shouldWriteTheGoldenBytes() throws IOException {
        byte[] golden = golden();
        byte[] written = written();
        // Before the first record are Chronicle's own documents: their lengths are fixed, their words change.
        int records = 65_808;
        assertEquals(golden.length, written.length);
        assertArrayEquals(
                Arrays.copyOfRange(golden, records, golden.length),
                Arrays.copyOfRange(written, records, written.length));
        for (int header : new int[] {0, 200, 33_008}) {
            assertArrayEquals(
                    Arrays.copyOfRange(golden, header, header + 4), Arrays.copyOfRange(written, header, header + 4));
        }
    }

    @Test
    void shouldReadTheGoldenRecords() throws IOException {
        Files.write(folder.resolve(NAME), golden());
        List<TraceRecord> read = new JournalFixture(folder).read();
        List<TraceRecord> expected = records();
        assertEquals(expected.size(), read.size());
        for (int i = 0; i < expected.size(); i++) {
            Traces.assertSame(expected.get(i), read.get(i));
        }
    }

    /** Writes the golden file anew: {@code JournalGoldenTest FILE.gz}. */
    public static void main(String[] args) throws IOException {
        JournalGoldenTest test = new JournalGoldenTest();
        test.folder = Files.createTempDirectory("golden");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(args[0])))) {
            out.write(test.written());
        }
    }
}
