package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.threads.Pauser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The writer is killed by SIGKILL: the journal opens again, holds all that was appended, and nothing by half. */
class JournalCrashTest {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    @Test
    void shouldHoldAllThatWasAppendedAfterTwoKills() throws Exception {
        kill(Long.getLong("penstock.seed", 7L), 2);
    }

    @Test
    @Tag("crash")
    void shouldHoldAllThatWasAppendedAfterManyKills() throws Exception {
        kill(Long.getLong("penstock.seed", System.nanoTime()), Integer.getInteger("crash.kills", 40));
    }

    private void kill(long seed, int kills) throws Exception {
        Random random = new Random(seed);
        Path journal = folder.resolve("journal");
        Path count = folder.resolve("count");
        long next = 0;
        try (Following reader = new Following(journal)) {
            for (int kill = 0; kill < kills; kill++) {
                Process child = start(journal, count, next);
                boolean early = kill % 4 == 3;
                if (!early) {
                    awaitCount(child, count, next);
                }
                // Early ones die while the queue is opened, too.
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(early ? 3_000_000 : 300_000)));
                child.destroyForcibly().waitFor();
                long appended = Math.max(next, count(count));
                long read = reader.readFrom(next);
                // The last one may be whole though its number was not yet written down.
                assertTrue(
                        read == appended || read == appended + 1,
                        "seed=" + seed + " kill=" + kill + " appended=" + appended + " read=" + read);
                next = read;
            }
        }
        long all = next;
        try (Following fresh = new Following(journal)) {
            assertEquals(all, fresh.readFrom(0));
        }
    }

    /** Reads records that must follow each other. */
    private static final class Following implements AutoCloseable {
        private final Path journal;
        private TraceReader reader;

        Following(Path journal) {
            this.journal = journal;
        }

        long readFrom(long first) {
            if (reader == null) {
                reader = JournalFolder.reader(journal);
            }
            long number = first;
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                Traces.assertSame(JournalChild.record(number), record);
                number++;
            }
            return number;
        }

        @Override
        public void close() {
            if (reader != null) {
                reader.close();
            }
        }
    }

    private Process start(Path journal, Path count, long first) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("penstock.root"), "config", "jvm.flags"),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JournalChild.class.getName(),
                        journal.toString(),
                        count.toString(),
                        Long.toString(first))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
    }

    private void awaitCount(Process child, Path count, long before) throws IOException {
        long deadline = System.nanoTime() + DEADLINE_NS;
        while (count(count) <= before) {
            if (!child.isAlive()) {
                throw new AssertionError("child ended: " + Files.readString(folder.resolve("child.log")));
            }
            assertTrue(System.nanoTime() < deadline, "the child appends nothing");
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static long count(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) < Long.BYTES) {
            return 0;
        }
        return ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    @Test
    @Timeout(8)
    void shouldAppendAtOnceWhenAProcessOfTheSameNumberDiedWithTheLock() {
        JournalFixture journal = new JournalFixture(folder);
        JournalFixture.end(journal.writer(64, ""));
        // In a container the next process has its predecessor's number; here it is this one.
        try (TableStore<?> store = SingleTableBuilder.binary(folder.resolve("metadata.cq4t"), Metadata.NoMeta.INSTANCE)
                .build()) {
            new TableStoreWriteLock(store, Pauser::balanced, 1_000L).lock();
        }
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 8));
        JournalFixture.end(writer);
        assertEquals(List.of(), journal.failures);
        assertEquals(1, journal.read().size());
    }

    @Test
    @Timeout(20)
    void shouldAppendAtOnceWhenTheWriterDiedWhileItMadeAFile() throws Exception {
        JournalFixture journal = new JournalFixture(folder);
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 8));
        JournalFixture.end(writer);
        journal.nowMs += JournalFixture.HOUR_MS;
        Files.write(folder.resolve("20270115-09F.cq4"), new byte[1 << 16]);
        Files.write(folder.resolve("metadata.cq4t"), new byte[100]);
        try (TraceReader reader = JournalFolder.reader(folder)) {
            assertEquals(8, reader.next().hashCount);
            assertNull(reader.next());
            JournalWriter last = journal.writer(64, "");
            last.append(Traces.turn("s", 1, 9));
            JournalFixture.end(last);
            assertEquals(9, reader.next().hashCount);
        }
        assertEquals(List.of(), journal.failures);
    }

    @Test
    @Timeout(20)
    void shouldLeaveOutWhatWasBegunWhenItsWriterDied() {
        JournalFixture journal = new JournalFixture(folder);
        JournalWriter writer = journal.writer(64, "");
        writer.append(Traces.turn("s", 1, 8));
        JournalFixture.end(writer);
        // One writer dies with a header not complete, one between two parts of a record.
        QueueDocuments begun = open(journal);
        begun.begin();
        QueueDocuments second = open(journal);
        List<byte[]> parts = new ArrayList<>();
        TraceRecord large = Traces.turn("s", 1, 20_000);
        new TraceEncoder(new SessionBases(), null, 1).write(large, new Documents() {
            @Override
            public long begin() {
                return 0;
            }

            @Override
            public void write(byte[] document, int length) {
                parts.add(Arrays.copyOf(document, length));
            }

            @Override
            public void abandon() {}
        });
        assertEquals(3, parts.size());
        second.begin();
        second.write(parts.get(0), parts.get(0).length);
        second.write(parts.get(1), parts.get(1).length);
        second.close();
        JournalWriter last = journal.writer(64, "");
        last.append(Traces.turn("s", 1, 9));
        JournalFixture.end(last);
        assertEquals(List.of(), journal.failures);
        List<TraceRecord> read = journal.read();
        assertEquals(2, read.size());
        Traces.assertSame(Traces.turn("s", 1, 9), read.getLast());
        begun.close();
    }

    private QueueDocuments open(JournalFixture journal) {
        return QueueDocuments.open(folder, JournalRoll.HOURLY, () -> journal.nowMs, new PagesAhead());
    }
}
