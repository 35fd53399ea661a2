package io.penstock.dataplane.journal;

import static io.penstock.dataplane.journal.JournalFixture.HOUR_MS;
import static io.penstock.dataplane.journal.JournalFixture.end;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal's files: how long they are kept, what Chronicle reads in them, what damage does. */
class JournalFilesTest {
    @TempDir
    Path folder;

    private JournalFixture journal;

    @BeforeEach
    void make() {
        journal = new JournalFixture(folder);
    }

    private void hours(int count) {
        JournalWriter writer = journal.writer(64, "");
        for (int hour = 0; hour < count; hour++) {
            for (int turn = 1; turn <= 10; turn++) {
                writer.append(Traces.turn("s", 1, 100 * hour + turn));
            }
            journal.nowMs += HOUR_MS;
        }
        end(writer);
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldDeleteWhatIsTooOldWhileReadersGoOn() throws Exception {
        hours(5);
        List<String> before = names();
        try (TraceReader reader = JournalFolder.reader(folder)) {
            assertEquals(1, reader.next().hashCount);
            JournalWriter writer = journal.writer(new JournalConfig("", JournalRoll.HOURLY, 2, 0, 0, "", 64));
            assertEquals(before.subList(2, 5), names());
            // The file in hand is read to its end, then the oldest that is left.
            for (int turn = 2; turn <= 10; turn++) {
                assertEquals(turn, reader.next().hashCount);
            }
            assertEquals(201, reader.next().hashCount);
            writer.append(Traces.turn("s", 1, 700));
            end(writer);
            assertEquals(2L, writer.details().get("filesDeleted"));
        }
        assertEquals(700, journal.read().getLast().hashes.length);
    }

    @Test
    void shouldDeleteTheOldestButNeverTheYoungestWhenTheyAreTooMany() throws Exception {
        hours(4);
        List<String> before = names();
        end(journal.writer(new JournalConfig("", JournalRoll.HOURLY, 0, 1, 0, "", 64)));
        assertEquals(before.subList(3, 4), names());
        assertEquals(301, journal.read().getFirst().hashes.length);
    }

    @Test
    void shouldCutFilesToTheirLengthWhenTheyAreOver() throws Exception {
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 10));
        writer.tidy();
        Path first = folder.resolve(names().getFirst());
        assertTrue(Files.size(first) > 1 << 20, "mapped in front of the appender");
        journal.nowMs += HOUR_MS;
        writer.append(Traces.turn("s", 1, 11));
        writer.tidy();
        assertTrue(Files.size(first) < 1 << 17, "bytes left: " + Files.size(first));
        writer.append(Traces.turn("s", 1, 12));
        end(writer);
        assertEquals(List.of(10, 11, 12), journal.read().stream().map(record -> record.hashCount).toList());
    }

    @Test
    void shouldKeepTheRollOfTheFolder() {
        hours(2);
        JournalWriter writer = journal.writer(new JournalConfig("", JournalRoll.DAILY, 0, 0, 0, "", 64));
        writer.append(Traces.turn("s", 1, 700));
        assertEquals("hourly", writer.details().get("rollCycle"));
        end(writer);
        assertEquals(21, journal.read().size());
    }

    @Test
    void shouldGoOnInTheYoungestFileWhenTheClockGoesBack() throws Exception {
        hours(3);
        List<String> before = names();
        journal.nowMs -= 3 * HOUR_MS;
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 700));
        journal.nowMs += 6 * HOUR_MS;
        writer.append(Traces.turn("s", 1, 701));
        journal.nowMs -= 2 * HOUR_MS;
        writer.append(Traces.turn("s", 1, 702));
        end(writer);
        assertEquals(before, names().subList(0, 3));
        assertEquals(4, names().size());
        List<TraceRecord> read = journal.read();
        assertEquals(
                List.of(700, 701, 702),
                read.subList(30, 33).stream().map(record -> record.hashCount).toList());
    }

    @Test
    void shouldNameFilesAndCountRecordsAsChronicleDoes() throws Exception {
        for (JournalRoll roll : JournalRoll.values()) {
            Path own = folder.resolve(roll.name());
            JournalFixture each = new JournalFixture(own);
            JournalWriter writer = each.writer(new JournalConfig("", roll, 0, 0, 0, "", 64));
            for (int turn = 1; turn <= 600; turn++) {
                writer.append(Traces.turn("s", turn, turn));
                each.nowMs += turn % 300 == 0 ? roll.cycle().lengthInMillis() : 0;
            }
            end(writer);
            List<Long> positions = new ArrayList<>();
            each.read(positions);
            List<Long> theirs = new ArrayList<>();
            try (ChronicleQueue queue = SingleChronicleQueueBuilder.binary(own)
                            .rollCycle(roll.cycle())
                            .timeProvider(() -> each.nowMs)
                            .readOnly(true)
                            .build();
                    ExcerptTailer tailer = queue.createTailer()) {
                while (true) {
                    try (DocumentContext document = tailer.readingDocument()) {
                        if (!document.isPresent()) {
                            break;
                        }
                        theirs.add(document.index());
                    }
                }
            }
            assertEquals(theirs, positions, roll.name());
        }
    }

    @Test
    void shouldSayWhereItIsDamagedAndGoOnBehind() throws Exception {
        JournalWriter writer = journal.writer(1, "");
        for (int turn = 1; turn <= 3; turn++) {
            writer.append(Traces.turn("s", 1, 20));
        }
        end(writer);
        Path file = folder.resolve(names().getFirst());
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            // In the second record, found by its request's name.
            byte[] all = Files.readAllBytes(file);
            int at = find(all, "request-1-20".getBytes(), find(all, "request-1-20".getBytes(), 0) + 1);
            bytes.seek(at);
            bytes.write('R');
        }
        try (TraceReader reader = JournalFolder.reader(folder)) {
            Traces.assertSame(Traces.turn("s", 1, 20), reader.next());
            IllegalStateException damage = assertThrows(IllegalStateException.class, reader::next);
            assertTrue(damage.getMessage().contains("file=" + file + " offset="), damage.getMessage());
            Traces.assertSame(Traces.turn("s", 1, 20), reader.next());
            assertNull(reader.next());
        }
    }

    private static int find(byte[] in, byte[] what, int from) {
        for (int at = from; at + what.length <= in.length; at++) {
            int i = 0;
            while (i < what.length && in[at + i] == what[i]) {
                i++;
            }
            if (i == what.length) {
                return at;
            }
        }
        throw new AssertionError("not found");
    }
}
