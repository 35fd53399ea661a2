package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The capacity of a file that exists. */
class ResizeTest {
    @TempDir
    Path folder;

    private IndexConfig config(long capacity) {
        return new IndexConfig(folder.resolve("index"), 16, capacity, 1 << 16, 40);
    }

    @Test
    void shouldKeepAFilesOwnCapacityAndSaySo() {
        OffHeapIndex.open(config(1 << 12)).close();
        try (OffHeapIndex index = OffHeapIndex.open(config(1 << 13))) {
            assertEquals(1 << 12, index.capacityBlocks());
            assertEquals(
                    "capacity is the file's own: capacityBlocks=4096, asked for 8192",
                    index.recovery().detail());
        }
        try (OffHeapIndex index = OffHeapIndex.open(config(IndexConfig.AUTOMATIC))) {
            assertEquals(1 << 12, index.capacityBlocks());
            assertEquals("", index.recovery().detail());
        }
    }

    @Test
    void shouldMakeRoomForAMillionWhenTheCapacityIsLeftOpen() {
        try (OffHeapIndex index = OffHeapIndex.open(config(IndexConfig.AUTOMATIC))) {
            assertEquals(1 << 20, index.capacityBlocks());
        }
    }

    @Test
    void shouldKeepAllContentThroughManySizes() throws IOException {
        Traffic traffic = new Traffic(21, 300, 30, 100);
        ReferenceIndex reference = new ReferenceIndex(16, 1 << 12, 40);
        OffHeapIndex index = OffHeapIndex.open(config(1 << 12));
        for (Traffic.Operation operation : traffic.opening()) {
            operation.apply(reference);
            operation.apply(index);
        }
        for (long capacity : new long[] {1 << 13, 1 << 12, 3000, 1 << 16}) {
            for (int i = 0; i < 300; i++) {
                Traffic.Operation operation = traffic.next();
                operation.apply(reference);
                operation.apply(index);
            }
            index.close();
            assertEquals(
                    capacity,
                    IndexResize.resize(folder.resolve("index"), capacity).capacityBlocks());
            index = OffHeapIndex.open(config(IndexConfig.AUTOMATIC));
            assertEquals(RecoveryReport.Outcome.CLEAN, index.recovery().outcome());
            assertEquals(capacity, index.capacityBlocks());
            assertNull(new Comparison().ofAll(reference, index, traffic));
            assertNull(index.verify());
        }
        index.close();
        assertEquals(List.of("index", "index.header", "index.lock"), left());
    }

    @Test
    void shouldLeaveTheFileAsItWasWhenItsContentDoesNotFit() throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(config(1 << 14))) {
            int slot = index.openSlot("w", 0);
            long[] hashes = new long[12_000];
            java.util.Arrays.setAll(hashes, i -> i + 1);
            assertEquals(12_000, index.stored(slot, 0, true, 0, hashes, hashes, 0, hashes.length));
        }
        String why = assertThrows(IndexFileException.class, () -> IndexResize.resize(folder.resolve("index"), 100))
                .getMessage();
        assertTrue(why.contains("image does not fit: no room"), why);
        assertEquals(1, why.lines().count());
        assertEquals(
                List.of("index", "index.header", "index.lock"),
                left().stream().filter(name -> !name.endsWith(".image")).toList());
        try (OffHeapIndex index = OffHeapIndex.open(config(1 << 14))) {
            assertEquals(RecoveryReport.Outcome.CLEAN, index.recovery().outcome());
            assertEquals(12_000, index.blockCount());
        }
    }

    @Test
    void shouldOpenOldOrNewWhereverTheExchangeOfNamesWasCut() throws IOException {
        List<List<String>> moves = List.of(
                List.of("index.header", "index.former.header"),
                List.of("index", "index.former"),
                List.of("index.resized.header", "index.header"),
                List.of("index.resized", "index"));
        for (int cut = 0; cut <= moves.size() + 1; cut++) {
            withOneBlock(config(1 << 12));
            withOneBlock(new IndexConfig(folder.resolve("index.resized"), 16, 1 << 13, 1 << 16, 40));
            for (List<String> move : moves.subList(0, Math.min(cut, moves.size()))) {
                Files.move(folder.resolve(move.getFirst()), folder.resolve(move.getLast()));
            }
            if (cut > moves.size()) {
                Files.delete(folder.resolve("index.former.header"));
            }
            try (OffHeapIndex index = OffHeapIndex.open(config(IndexConfig.AUTOMATIC))) {
                assertEquals(RecoveryReport.Outcome.CLEAN, index.recovery().outcome(), "cut " + cut);
                assertEquals(cut < moves.size() ? 1 << 12 : 1 << 13, index.capacityBlocks(), "cut " + cut);
                assertEquals(1, index.blockCount(), "cut " + cut);
            }
            assertEquals(
                    List.of(),
                    left().stream().filter(name -> name.contains("former")).toList(),
                    "cut " + cut);
            for (String name : left()) {
                Files.delete(folder.resolve(name));
            }
        }
    }

    private static void withOneBlock(IndexConfig config) {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(1, index.stored(index.openSlot("w", 0), 0, true, 0, new long[] {1}, new long[] {1}, 0, 1));
        }
    }

    @Test
    void shouldRefuseAFileThatIsOpen() {
        try (OffHeapIndex index = OffHeapIndex.open(config(1 << 12))) {
            String why = assertThrows(
                            IndexFileException.class, () -> IndexResize.resize(folder.resolve("index"), 1 << 13))
                    .getMessage();
            assertTrue(why.contains("open for writing elsewhere"), why);
            assertEquals(0, index.openSlot("w", 0));
        }
    }

    @Test
    void shouldGoOnExactlyThroughManyRoundsOfFullAndEmpty() {
        try (OffHeapIndex index = OffHeapIndex.open(config(2000))) {
            int slot = index.openSlot("w", 0);
            Overlaps overlaps = new Overlaps(4);
            for (int round = 0; round < 60; round++) {
                int prefixes = 0;
                while (index.stored(slot, 0, true, 0, prefix(round, prefixes), prefix(round, prefixes), 0, 100) > 0) {
                    prefixes++;
                }
                assertTrue(prefixes * 100 >= 2000, "room for " + prefixes + " prefixes in round " + round);
                for (int i = 0; i < prefixes; i++) {
                    long[] query = chained(prefix(round, i));
                    index.match(query, 100, overlaps);
                    assertEquals(100, overlaps.blocks(0, Tier.DEVICE), "round " + round + ", prefix " + i);
                }
                assertNull(index.verify());
                for (int i = 0; i <= prefixes; i++) {
                    index.removed(slot, 0, prefix(round, i), 0, 100);
                }
                assertEquals(0, index.blockCount());
                assertNull(index.verify());
            }
        }
    }

    private static long[] prefix(int round, int number) {
        long[] hashes = new long[100];
        java.util.Arrays.setAll(hashes, i -> 1 + i + 1000L * number + 1_000_000L * round);
        return hashes;
    }

    private static long[] chained(long[] local) {
        long[] chained = local.clone();
        for (int i = 1; i < chained.length; i++) {
            chained[i] = ChainHash.next(chained[i - 1], local[i]);
        }
        return chained;
    }

    private List<String> left() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
