package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.read.LiveReader;
import io.penstock.index.read.MappedIndex;
import io.penstock.index.read.SlotState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveReaderTest {
    private static final long SEED = Long.getLong("penstock.seed", 20261130L);

    @TempDir
    Path folder;

    private final Overlaps wanted = new Overlaps(4096);
    private final Overlaps found = new Overlaps(4096);

    private IndexConfig config(int maxSlots) {
        return new IndexConfig(folder.resolve("index"), 16, 1 << 14, 1 << 16, maxSlots);
    }

    @Test
    void shouldAnswerAsTheWriterAfterEveryScript() {
        Random random = new Random(SEED);
        try (OffHeapIndex index = OffHeapIndex.open(config(300));
                MappedIndex mapped = MappedIndex.open(config(300).file())) {
            LiveReader inside = index.reader();
            LiveReader outside = LiveReader.of(mapped);
            for (int script = 0; script < 120; script++) {
                long seed = random.nextLong();
                int workers = script % 40 == 0 ? 300 : script % 10 == 1 ? 70 : 1 + random.nextInt(8);
                boolean long_ = script % 5 == 2;
                Traffic traffic = new Traffic(
                        seed, 1 + random.nextInt(long_ ? 1200 : 120), workers, 1 + random.nextInt(long_ ? 700 : 60));
                play(traffic, index, inside, outside, "seed=" + SEED + ", script=" + script);
                for (int slot = 0; slot < index.slotLimit(); slot++) {
                    index.removeSlot(slot);
                }
                while (index.sweep(1000) > 0) {
                    // until nothing dead is left
                }
            }
            assertEquals(0, inside.undercounts() + outside.undercounts());
        }
    }

    private void play(Traffic traffic, OffHeapIndex index, LiveReader inside, LiveReader outside, String where) {
        traffic.opening().forEach(operation -> operation.apply(index));
        for (int i = 0; i < 200; i++) {
            traffic.next().apply(index);
            if (i % 2 == 0) {
                long[] query = i % 4 == 0 ? traffic.strayQuery() : traffic.query(traffic.anyNode());
                assertAlike(index, inside, query, where);
                assertAlike(index, outside, query, where);
            }
        }
        for (int slot = -1; slot <= index.slotLimit(); slot++) {
            assertSlot(index, slot, outside.slot(slot));
        }
    }

    private void assertAlike(OffHeapIndex index, LiveReader reader, long[] query, String where) {
        index.match(query, query.length, wanted);
        assertEquals(wanted.size(), reader.match(query, query.length, found), where);
        assertTrue(reader.complete(), where);
        assertNull(Truths.difference(wanted, found), where);
    }

    private static void assertSlot(OffHeapIndex index, int slot, SlotState state) {
        if (!index.isOpen(slot)) {
            assertNull(state);
            return;
        }
        assertEquals(
                new SlotState(
                        slot,
                        index.workerOf(slot),
                        index.dpRankOf(slot),
                        index.generationOf(slot),
                        index.positionSequence(slot),
                        index.positionTimestampBits(slot),
                        index.positionHash(slot),
                        false),
                state);
    }

    @Test
    void shouldFindNothingInAnEmptyIndexAndNothingForAnEmptyQuery() {
        try (OffHeapIndex index = OffHeapIndex.open(config(4))) {
            LiveReader reader = index.reader();
            assertEquals(0, reader.match(new long[] {1, 2}, 2, found));
            assertTrue(reader.complete());
            store(index, index.openSlot("w", 0), 3);
            assertEquals(0, reader.match(new long[0], 0, found));
            assertTrue(reader.complete());
            assertThrows(IndexOutOfBoundsException.class, () -> reader.match(new long[1], 2, found));
        }
    }

    @Test
    void shouldAnswerOnACopyOfAFileWhoseWriterWasKilled() throws IOException {
        long[] query;
        try (OffHeapIndex index = OffHeapIndex.open(config(4))) {
            query = store(index, index.openSlot("w", 0), 40);
            Path copy = Files.copy(config(4).file(), folder.resolve("copy"));
            try (MappedIndex mapped = MappedIndex.open(copy)) {
                LiveReader reader = LiveReader.of(mapped);
                assertEquals(1, reader.match(query, 40, found));
                assertEquals(40, found.blocks(0, Tier.DEVICE));
                assertEquals("w", reader.slot(0).worker());
            }
        }
    }

    @Test
    void shouldNotCountPastARunThatAKilledWriterLeftHalfChanged() throws IOException {
        long[] query;
        try (OffHeapIndex index = OffHeapIndex.open(config(4))) {
            int slot = index.openSlot("w", 0);
            query = store(index, slot, 600);
        }
        bump(1, RunLayout.VERSION);
        try (MappedIndex mapped = MappedIndex.open(config(4).file())) {
            LiveReader reader = LiveReader.of(mapped);
            assertEquals(1, reader.match(query, 600, found));
            assertFalse(reader.complete());
            assertEquals(512, found.blocks(0, Tier.DEVICE));
            assertEquals(1, reader.undercounts());
            assertEquals(1, reader.match(query, 512, found));
            assertTrue(reader.complete());
        }
    }

    @Test
    void shouldNotBelieveAMissWhileHeadsMove() throws IOException {
        long[] query;
        try (OffHeapIndex index = OffHeapIndex.open(config(4))) {
            query = store(index, index.openSlot("w", 0), 10);
        }
        long[] longer = Arrays.copyOf(query, 11);
        bump(-1, HeaderLayout.HEADS_VERSION);
        try (MappedIndex mapped = MappedIndex.open(config(4).file())) {
            LiveReader reader = LiveReader.of(mapped);
            assertEquals(1, reader.match(query, 10, found));
            assertTrue(reader.complete());
            assertEquals(1, reader.match(longer, 11, found));
            assertFalse(reader.complete());
            assertEquals(10, found.blocks(0, Tier.DEVICE));
        }
    }

    @Test
    void shouldAnswerNothingWhileHoldersAreHalfChanged() throws IOException {
        long[] query;
        try (OffHeapIndex index = OffHeapIndex.open(config(4))) {
            query = store(index, index.openSlot("w", 0), 10);
        }
        bump(-1, HeaderLayout.HOLDERS_VERSION);
        try (MappedIndex mapped = MappedIndex.open(config(4).file())) {
            LiveReader reader = LiveReader.of(mapped);
            assertEquals(0, reader.match(query, 10, found));
            assertFalse(reader.complete());
            assertNull(reader.slot(0));
        }
    }

    @Test
    void shouldSayThatTheIndexIsClosed() {
        OffHeapIndex index = OffHeapIndex.open(config(4));
        long[] query = store(index, index.openSlot("w", 0), 10);
        LiveReader reader = index.reader();
        assertEquals(1, reader.match(query, 10, found));
        index.close();
        assertEquals(LiveReader.UNREADABLE, reader.match(query, 10, found));
        assertFalse(reader.complete());
        assertEquals(0, found.size());
    }

    @Test
    void shouldSurviveAnyWordOfTheFileBeingWild() throws IOException {
        Random random = new Random(SEED);
        Traffic traffic = new Traffic(SEED, 300, 70, 200);
        IndexConfig config = config(80);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            traffic.opening().forEach(operation -> operation.apply(index));
            for (int i = 0; i < 2000; i++) {
                traffic.next().apply(index);
            }
        }
        byte[] whole = Files.readAllBytes(config.file());
        Path damaged = folder.resolve("damaged");
        long first;
        long stride;
        long[] regions;
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            first = mapped.firstPage();
            stride = mapped.stride();
            regions = mapped.geometry().regionOffsets();
        }
        int answers = 0;
        for (int round = 0; round < 100; round++) {
            ByteBuffer bytes = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 500; i++) {
                int region = 2 + random.nextInt(regions.length - 3);
                long offset = regions[region] + random.nextLong(regions[region + 1] - regions[region]) / 8 * 8;
                long at = first + offset + (offset >>> 16) * (stride - (1 << 16));
                bytes.putLong((int) at, random.nextBoolean() ? random.nextLong() : 1L << random.nextInt(64));
            }
            Files.write(damaged, bytes.array());
            try (MappedIndex mapped = MappedIndex.open(damaged)) {
                LiveReader reader = LiveReader.of(mapped);
                for (int i = 0; i < 40; i++) {
                    long[] query = traffic.query(traffic.anyNode());
                    answers += Math.max(0, reader.match(query, query.length, found));
                    reader.slot(i);
                }
            }
        }
        assertTrue(answers > 0);
    }

    @Test
    void shouldAllocateNothingOnALookUpAfterWarmUp() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Traffic traffic = new Traffic(11, 400, 100, 100);
        try (OffHeapIndex index = OffHeapIndex.open(config(128))) {
            traffic.opening().forEach(operation -> operation.apply(index));
            for (int i = 0; i < 3000; i++) {
                traffic.next().apply(index);
            }
            long[][] queries = new long[traffic.nodes()][];
            for (int node = 0; node < queries.length; node++) {
                queries[node] = traffic.query(node);
            }
            LiveReader reader = index.reader();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 30 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 4000; i++) {
                    long[] query = queries[i % queries.length];
                    reader.match(query, query.length, found);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated in 4000 look-ups");
        }
    }

    /** Adds 1 to a word of the run with the id, or of the header for -1. */
    private void bump(int run, int field) throws IOException {
        long at;
        try (MappedIndex mapped = MappedIndex.open(config(4).file())) {
            long offset = run < 0 ? field : mapped.geometry().runs + (long) run * RunLayout.BYTES + field;
            at = mapped.firstPage() + offset + offset / (1 << 16) * (mapped.stride() - (1 << 16));
        }
        try (FileChannel file = FileChannel.open(config(4).file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            file.read(word, at);
            word.putLong(0, word.getLong(0) + 1);
            file.write(word.clear(), at);
        }
    }

    private static long[] store(OffHeapIndex index, int slot, int blocks) {
        long[] local = new long[blocks];
        long[] query = new long[blocks];
        for (int i = 0; i < blocks; i++) {
            local[i] = i + 1;
            query[i] = i == 0 ? 1 : ChainHash.next(query[i - 1], i + 1);
        }
        assertEquals(blocks, index.stored(slot, Tier.DEVICE, true, 0, local, local, 0, blocks));
        return query;
    }
}
