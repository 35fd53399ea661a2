package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.pool.PageIndex;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InspectPoolTest {
    private static final int PAGES = 5_000;

    @TempDir
    Path folder;

    private final InspectRun run = new InspectRun();
    private Path file;

    /** Of 5,000 pages of two objects each the last 100 lack one, and 50 were removed. */
    @BeforeEach
    void write() {
        file = folder.resolve("index.pst");
        IndexConfig config = new IndexConfig(file, 16, 1 << 10, 1 << 16, 8).withPool(6_000, 2);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            PageIndex pages = index.pageIndex(0);
            pages.beginListing();
            long[] key = new long[PageIndex.KEY_WORDS];
            for (int page = 0; page < PAGES; page++) {
                key[0] = page;
                pages.stored(key, 0, 0, 1);
                if (page < PAGES - 100) {
                    pages.stored(key, 0, 1, 1);
                }
                if (page < 50) {
                    pages.removed(key, 0, 0);
                    pages.removed(key, 0, 1);
                }
            }
            pages.endListing();
        }
    }

    @Test
    void shouldSayWhatASharedPoolHolds() throws IOException {
        assertEquals(0, run.inspect(file), run.err());
        assertTrue(
                run.out().contains("shared pool: 4,950 pages of 2 objects each, 4,850 of them whole, room for 6,000"),
                run.out());
        JsonNode pool = run.json("summary", file).get("pool");
        assertEquals(4_850, pool.get("complete").asInt());
        assertEquals(pool.get("listing"), pool.get("proven"));
        assertEquals(0, run.inspect(file, "--verify"), run.out());
    }

    @Test
    void shouldReadASharedPoolByTheDocumentAlone() throws IOException, InterruptedException {
        InspectRun.assertAgrees(
                InspectRun.python(file).get("summary"), run.json("summary", file), "file with a shared pool");
    }
}
