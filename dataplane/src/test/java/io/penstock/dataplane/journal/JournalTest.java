package io.penstock.dataplane.journal;

import static io.penstock.dataplane.journal.JournalFixture.HOUR_MS;
import static io.penstock.dataplane.journal.JournalFixture.bytes;
import static io.penstock.dataplane.journal.JournalFixture.end;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is appended is read back: every field, every hash, from the folder alone. */
class JournalTest {
    @TempDir
    Path folder;

    private JournalFixture journal;

    @BeforeEach
    void make() {
        journal = new JournalFixture(folder);
    }

    @Test
    void shouldReadBackEveryFieldAcrossRollsAndRestarts() throws Exception {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceRecord> written = new ArrayList<>();
        JournalFolder.take(folder).close();
        try (TraceReader reader = JournalFolder.reader(folder)) {
            for (int life = 0; life < 3; life++) {
                JournalWriter writer = journal.writer(5, "");
                for (int i = 0; i < 300; i++) {
                    TraceRecord record = Traces.any(random);
                    writer.append(record);
                    written.add(record);
                    if (random.nextInt(100) == 0) {
                        journal.nowMs += HOUR_MS * random.nextInt(1, 3);
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
        assertEquals(List.of(), journal.failures);
        assertEquals(0, journal.dropped);
    }

    @Test
    void shouldWriteOnlyTheNewBlocksWhenATurnGoesOn() {
        JournalWriter writer = journal.writer(64, "");
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
        List<TraceRecord> read = journal.read();
        Traces.assertSame(Traces.turn("s", 1, 1_000), read.get(0));
        Traces.assertSame(Traces.turn("s", 1, 1_010), read.get(1));
        Traces.assertSame(Traces.turn("s", 2, 20), read.get(2));
        Traces.assertSame(Traces.turn("s", 1, 1_020), read.get(3));
    }

    @Test
    void shouldTellAllHashesAgainWhenTheTurnsAreManyOrTheFileIsNew() {
        JournalWriter writer = journal.writer(4, "");
        List<Boolean> full = new ArrayList<>();
        for (int turn = 1; turn <= 9; turn++) {
            long before = bytes(writer);
            if (turn == 7) {
                journal.nowMs += HOUR_MS;
            }
            writer.append(Traces.turn("s", 1, 1_000 + turn));
            full.add(bytes(writer) - before > 8_000);
        }
        end(writer);
        assertEquals(List.of(true, false, false, false, true, false, true, false, false), full);
        assertEquals(1_009, journal.read().getLast().hashes.length);
    }

    @Test
    void shouldGoOnFromAnyPositionWithFullHashes() {
        JournalWriter writer = journal.writer(8, "");
        for (int turn = 1; turn <= 700; turn++) {
            writer.append(Traces.turn("s", 1, turn));
        }
        end(writer);
        List<Long> positions = new ArrayList<>();
        journal.read(positions);
        assertEquals(700, positions.size());
        for (int at : new int[] {698, 0, 511, 512, 300}) {
            try (TraceReader fresh = JournalFolder.reader(folder)) {
                assertTrue(fresh.moveTo(positions.get(at)));
                assertEquals(positions.get(at), fresh.position());
                Traces.assertSame(Traces.turn("s", 1, at + 2), fresh.next());
                assertEquals(positions.get(at + 1), fresh.position());
            }
        }
    }

    @Test
    void shouldFollowFromTheEndWhenTheWriterStartsAgain() {
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 700));
        end(writer);
        List<Long> positions = new ArrayList<>();
        journal.read(positions);
        try (TraceReader reader = JournalFolder.reader(folder)) {
            reader.toEnd();
            assertEquals(positions.getLast(), reader.position());
            assertNull(reader.next());
            JournalWriter again = journal.writer(8, "");
            again.append(Traces.turn("s", 1, 701));
            Traces.assertSame(Traces.turn("s", 1, 701), reader.next());
            journal.nowMs += 5 * HOUR_MS;
            again.append(Traces.turn("s", 1, 702));
            Traces.assertSame(Traces.turn("s", 1, 702), reader.next());
            end(again);
            assertFalse(reader.moveTo(positions.getLast() + (1L << 43)));
            assertEquals(700, reader.next().hashCount);
        }
    }

    @Test
    void shouldKeepEqualHashesEqualButUnknownWhenSalted() {
        JournalWriter writer = journal.writer(64, "secret");
        TraceRecord first = Traces.turn("a", 1, 30);
        first.traceHashes = first.hashes;
        writer.append(first);
        writer.append(Traces.turn("b", 1, 40));
        end(writer);
        TraceRecord a = journal.read().get(0);
        TraceRecord b = journal.read().get(1);
        for (int i = 0; i < 30; i++) {
            assertEquals(a.hashes[i], b.hashes[i]);
            assertEquals(a.hashes[i], a.traceHashes[i]);
            assertTrue(a.hashes[i] != first.hashes[i], "hash in the clear: " + i);
        }
    }

    @Test
    void shouldSaltAsTheFunctionsAuthorsDo() {
        // Test vector of eight bytes 00..07, key 00..0f, in the authors' vectors.h.
        HashSalt salt = new HashSalt(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        assertEquals(0x93f5f5799a932462L, salt.apply(0x0706050403020100L));
    }

    @Test
    void shouldDropAndSayWhyWhenTheDiskIsNearlyFull() {
        JournalWriter writer = journal.writer(new JournalConfig("", JournalRoll.HOURLY, 0, 0, Long.MAX_VALUE, "", 64));
        writer.append(Traces.turn("s", 1, 8));
        assertEquals(1, journal.dropped);
        assertEquals("trace journal is not written, the disk is full: folder=" + folder, writer.problem());
        end(writer);
        assertEquals(List.of(), journal.read());
    }

    @Test
    void shouldRefuseASecondWriterAndAFolderThatIsNone() {
        assertFalse(JournalFolder.isJournal(folder));
        assertThrows(IllegalArgumentException.class, () -> JournalFolder.reader(folder));
        JournalWriter writer = journal.writer(64, "");
        assertTrue(JournalFolder.isJournal(folder));
        assertThrows(IllegalArgumentException.class, () -> journal.writer(64, ""));
        end(writer);
        JournalWriter second = journal.writer(64, "");
        end(second);
    }
}
