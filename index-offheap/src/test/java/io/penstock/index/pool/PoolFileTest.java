package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.index.IndexConfig;
import io.penstock.index.IndexFileException;
import io.penstock.index.IndexResize;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.read.MappedIndex;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the shared pool's pages and of the blocks beside them when the file is closed, killed, changed, damaged. */
class PoolFileTest {
    private static final long[] BLOCKS = {11, 22, 33};
    private static final int PAGES = 3_000;

    @TempDir
    Path folder;

    private IndexConfig plain;
    private IndexConfig config;

    @BeforeEach
    void configure() {
        plain = new IndexConfig(folder.resolve("index"), 16, 1 << 10, 1 << 16, 4);
        config = plain.withPool(PAGES, 2);
    }

    @Test
    void shouldHavePagesAndBlocksAgainAfterACleanStop() {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            fill(index);
        }
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals("0-" + PAGES, PageIndexPromises.matched(index.pageIndex(0), PAGES));
            assertBlocks(index);
        }
        try (OffHeapIndex index = OffHeapIndex.open(plain)) {
            assertEquals(PAGES, index.pageIndex(0).pageCount());
        }
    }

    @Test
    void shouldKeepBlocksAndBeginWithoutPagesAfterAKill() {
        OffHeapIndex killed = OffHeapIndex.open(config);
        fill(killed);
        killed.abandon();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.REPAIRED, index.recovery().outcome());
            assertBlocks(index);
        }
        // Nobody asked for the pages after the kill: they must not come back with the next start.
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(0, index.pageIndex(0).pageCount());
            assertEquals("", PageIndexPromises.matched(index.pageIndex(0), PAGES));
        }
    }

    @Test
    void shouldGiveAFileOfBlocksThePoolThatIsAskedFor() {
        try (OffHeapIndex index = OffHeapIndex.open(plain)) {
            assertNull(index.pageIndex(0));
            blocks(index);
        }
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertBlocks(index);
            assertEquals(PAGES, index.pageIndex(0).capacityPages());
            PageIndexPromises.whole(index.pageIndex(0), 0, 10, 1);
        }
        try (OffHeapIndex index = OffHeapIndex.open(config.withPool(PAGES, 100))) {
            assertBlocks(index);
            assertEquals(100, index.pageIndex(0).objectsPerPage());
            assertEquals(0, index.pageIndex(0).pageCount());
        }
    }

    @Test
    void shouldGiveAKilledWritersFileThePoolThatIsAskedFor() {
        OffHeapIndex killed = OffHeapIndex.open(plain);
        blocks(killed);
        killed.abandon();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertBlocks(index);
            assertEquals(2, index.pageIndex(0).objectsPerPage());
        }
    }

    @Test
    void shouldKeepThePoolWhenTheCapacityChanges() {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            fill(index);
        }
        IndexResize.resize(config.file(), 1 << 12);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(1 << 12, index.capacityBlocks());
            assertBlocks(index);
            assertEquals(PAGES, index.pageIndex(0).capacityPages());
        }
    }

    @Test
    void shouldKeepTheBlocksWhenThePoolIsDamaged() throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            fill(index);
        }
        flip(pool().records + 8);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.CLEAN, index.recovery().outcome());
            assertEquals(
                    "shared pool's page sums do not hold, it was emptied",
                    index.recovery().detail());
            assertBlocks(index);
            assertEquals(0, index.pageIndex(0).pageCount());
        }
    }

    @Test
    void shouldRefuseAFileWhosePoolHeaderIsDamaged() throws IOException {
        OffHeapIndex.open(config).close();
        flip(pool().header + 8);
        IndexFileException refused = assertThrows(IndexFileException.class, () -> OffHeapIndex.open(config));
        assertTrue(refused.getMessage().startsWith("shared pool's header is damaged: page="), refused.getMessage());
    }

    @Test
    void shouldAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            PageIndex pages = index.pageIndex(100);
            long[] keys = PageIndexPromises.keys(0, 2 * PAGES);
            PageRanges out = new PageRanges();
            int now = 0;
            // What the code allocates shows in every round; a round in which the compiler works is no proof.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 12 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                now += 20;
                round(pages, keys, now, out);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertTrue(pages.evicted() > 0);
            assertEquals(0, least, "bytes allocated in a round");
        }
    }

    private static void round(PageIndex pages, long[] keys, int now, PageRanges out) {
        pages.beginListing();
        for (int page = 0; page < 2 * PAGES; page++) {
            pages.stored(keys, page * PageIndex.KEY_WORDS, page & 1, now);
            pages.stored(keys, page * PageIndex.KEY_WORDS, ~page & 1, now);
            if (page % 5 == 0) {
                pages.removed(keys, page * PageIndex.KEY_WORDS, 0);
            }
        }
        pages.match(keys, 2 * PAGES, out);
        pages.missed(keys, PAGES, 50);
        pages.endListing();
        pages.sweep(Integer.MAX_VALUE, now);
    }

    private void fill(OffHeapIndex index) {
        blocks(index);
        PageIndexPromises.whole(index.pageIndex(0), 0, PAGES, 1);
    }

    private static void blocks(OffHeapIndex index) {
        int slot = index.openSlot("worker", 0);
        assertEquals(3, index.storedChained(slot, Tier.DEVICE, true, 0, BLOCKS, BLOCKS, 0, 3));
    }

    private static void assertBlocks(OffHeapIndex index) {
        assertEquals(1, index.match(BLOCKS, 3, new Overlaps(4)));
        assertEquals(3, index.heldBlocks(0, Tier.DEVICE));
        assertNull(index.verify());
    }

    private PoolGeometry pool() {
        return new Geometry(config).pool;
    }

    /** Turns a byte of the linear space over. */
    private void flip(long offset) throws IOException {
        long at;
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            at = mapped.firstPage() + offset / config.pageBytes() * mapped.stride() + offset % config.pageBytes();
        }
        try (RandomAccessFile file = new RandomAccessFile(config.file().toFile(), "rw")) {
            file.seek(at);
            int was = file.read();
            file.seek(at);
            file.write(~was);
        }
    }
}
