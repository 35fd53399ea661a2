package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is appended is read back: every field, every hash, from the folder alone. */
class JournalTest {
    private static final long HOUR_MS = 3_600_000;

    @TempDir
    Path folder;

    private long nowMs = 500_000 * HOUR_MS;
    private final List<Throwable> failures = new ArrayList<>();
    private long dropped;

    private JournalWriter writer(int fullEvery, String salt) {
        JournalConfig config = new JournalConfig("", JournalRoll.HOURLY, 0, 0, 0, salt, fullEvery);
        JournalWriter writer =
                new JournalWriter(config, folder, (counter, amount) -> dropped += amount, failures::add, () -> nowMs);
        writer.onStart();
        return writer;
    }

    private static void end(JournalWriter writer) {
        writer.onShutdown();
        writer.close();
    }

    @Test
    void shouldReadBackEveryFieldAcrossRollsAndRestarts() throws Exception {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceRecord> written = new ArrayList<>();
        try (TraceReader reader = lateReader()) {
            for (int life = 0; life < 3; life++) {
                JournalWriter writer = writer(5, "");
                for (int i = 0; i < 300; i++) {
                    TraceRecord record = Traces.any(random);
                    writer.append(record);
                    written.add(record);
                    if (random.nextInt(100) == 0) {
                        nowMs += HOUR_MS * random.nextInt(1, 3);
                    }
                    if (random.nextBoolean()) {
                        Traces.assertSame(written.removeFirst(), reader.next());
                    }
                }
                end(writer);
            }
            while (!written.isEmpty()) {
                Traces.assertSame(written.removeFirst(), reader.next());
            }
            assertNull(reader.next());
        } catch (AssertionError | RuntimeException wrong) {
            throw new AssertionError("penstock.seed=" + seed, wrong);
        }
        assertEquals(List.of(), failures);
        assertEquals(0, dropped);
    }

    private TraceReader lateReader() throws java.io.IOException {
        JournalFolder.take(folder).close();
        return JournalFolder.reader(folder);
    }

    @Test
    void shouldWriteOnlyTheNewBlocksWhenATurnGoesOn() {
        JournalWriter writer = writer(64, "");
        writer.append(Traces.turn("s", 1, 1_000));
        long full = bytes(writer);
        writer.append(Traces.turn("s", 1, 1_010));
        long more = bytes(writer) - full;
        assertTrue(full > 8_000, "bytes of the first: " + full);
        assertTrue(more < 600, "bytes of the second: " + more);
        // A title asked for between two turns does not cost the conversation its list.
        writer.append(Traces.turn("s", 2, 20));
        long before = bytes(writer);
        writer.append(Traces.turn("s", 1, 1_020));
        assertTrue(bytes(writer) - before < 600, "bytes after the title: " + (bytes(writer) - before));
        end(writer);
        try (TraceReader reader = JournalFolder.reader(folder)) {
            Traces.assertSame(Traces.turn("s", 1, 1_000), reader.next());
            Traces.assertSame(Traces.turn("s", 1, 1_010), reader.next());
            Traces.assertSame(Traces.turn("s", 2, 20), reader.next());
            Traces.assertSame(Traces.turn("s", 1, 1_020), reader.next());
        }
    }

    private static long bytes(JournalWriter writer) {
        return (long) writer.details().get("bytes");
    }

    @Test
    void shouldGoOnFromAnyPositionWithFullHashes() {
        JournalWriter writer = writer(8, "");
        for (int turn = 1; turn <= 700; turn++) {
            writer.append(Traces.turn("s", 1, turn));
        }
        end(writer);
        List<Long> positions = new ArrayList<>();
        try (TraceReader reader = JournalFolder.reader(folder)) {
            while (reader.next() != null) {
                positions.add(reader.position());
            }
        }
        assertEquals(700, positions.size());
        for (int at : new int[] {698, 0, 511, 512, 300}) {
            try (TraceReader fresh = JournalFolder.reader(folder)) {
                assertTrue(fresh.moveTo(positions.get(at)));
                assertEquals(positions.get(at), fresh.position());
                Traces.assertSame(Traces.turn("s", 1, at + 2), fresh.next());
                assertEquals(positions.get(at + 1), fresh.position());
            }
        }
        try (TraceReader reader = JournalFolder.reader(folder)) {
            reader.toEnd();
            assertEquals(positions.getLast(), reader.position());
            assertNull(reader.next());
            JournalWriter again = writer(8, "");
            again.append(Traces.turn("s", 1, 701));
            Traces.assertSame(Traces.turn("s", 1, 701), reader.next());
            end(again);
            assertFalse(reader.moveTo(positions.getLast() + (1L << 33)));
            assertEquals(1, reader.next().hashCount);
        }
    }

    @Test
    void shouldKeepEqualHashesEqualButUnknownWhenSalted() {
        JournalWriter writer = writer(64, "secret");
        TraceRecord first = Traces.turn("a", 1, 30);
        first.traceHashes = first.hashes;
        writer.append(first);
        writer.append(Traces.turn("b", 1, 40));
        end(writer);
        try (TraceReader reader = JournalFolder.reader(folder)) {
            TraceRecord a = reader.next();
            TraceRecord b = reader.next();
            for (int i = 0; i < 30; i++) {
                assertEquals(a.hashes[i], b.hashes[i]);
                assertEquals(a.hashes[i], a.traceHashes[i]);
                assertTrue(a.hashes[i] != first.hashes[i]);
            }
        }
    }

    @Test
    void shouldRefuseASecondWriterAndAFolderThatIsNone() {
        assertFalse(JournalFolder.isJournal(folder));
        assertThrows(IllegalArgumentException.class, () -> JournalFolder.reader(folder));
        JournalWriter writer = writer(64, "");
        assertTrue(JournalFolder.isJournal(folder));
        assertThrows(IllegalArgumentException.class, () -> writer(64, ""));
        end(writer);
        JournalWriter second = writer(64, "");
        end(second);
        assertNotNull(JournalFolder.reader(folder));
        assertTrue(Files.exists(folder));
    }
}
