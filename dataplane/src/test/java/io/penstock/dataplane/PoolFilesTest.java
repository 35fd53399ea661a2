package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.pool.PoolLayout;
import io.penstock.index.RecoveryReport;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.pool.PageRanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolFilesTest {
    @TempDir
    Path folder;

    private final Map<String, RecoveryReport> opened = new ConcurrentHashMap<>();

    private PoolFiles files() {
        PoolConfig config = new PoolConfig(
                "", "http://127.0.0.1:1", "", null, List.of(PoolLayout.of("m")), 60, 0, 100, 3_600, 1_000);
        return new PoolFiles(
                config,
                1 << 16,
                model -> folder.resolve("pools").resolve(model + "-pool.pst").toString(),
                opened::put);
    }

    private static void store(PageIndex pages, int from, int to) {
        for (int page = from; page < to; page++) {
            for (int object = 0; object < pages.objectsPerPage(); object++) {
                pages.stored(key(page), 0, object, 1);
            }
        }
    }

    private static long[] key(int page) {
        return new long[] {page + 1, 2, 3, 4};
    }

    private static int there(PageIndex pages, int page) {
        PageRanges ranges = new PageRanges();
        pages.match(key(page), 1, ranges);
        return ranges.pages();
    }

    @Test
    void shouldFindThePagesAgainAfterACleanStop() {
        PoolFiles files = files();
        PageIndex pages = files.open(0, 4);
        store(pages, 0, 10);
        files.close(pages);
        PoolFiles again = files();
        pages = again.open(0, 4);
        assertEquals(1, there(pages, 7));
        assertEquals(10, pages.pageCount());
        assertEquals(RecoveryReport.Outcome.CLEAN, opened.get("m-pool.pst").outcome());
        again.close(pages);
    }

    @Test
    void shouldBeginWithNoPagesWhenLetGoInDoubt() {
        PoolFiles files = files();
        PageIndex pages = files.open(0, 4);
        store(pages, 0, 10);
        files.abandon(pages);
        pages = files.open(0, 4);
        assertEquals(0, there(pages, 7));
        assertEquals(0, pages.pageCount());
        files.close(pages);
    }

    @Test
    void shouldBeginWithNoPagesWhenPagesHaveOtherObjects() {
        PoolFiles files = files();
        PageIndex pages = files.open(0, 4);
        store(pages, 0, 10);
        files.close(pages);
        pages = files.open(0, 2);
        assertEquals(2, pages.objectsPerPage());
        assertEquals(0, there(pages, 7));
        files.close(pages);
    }

    @Test
    void shouldSayWhyWhenAFileCannotBeOpened() throws IOException {
        PoolFiles files = files();
        // A file where the folder should be.
        Files.writeString(folder.resolve("pools"), "");
        assertThrows(RuntimeException.class, () -> files.open(0, 4));
        assertEquals(1, files.problems().size());
        assertTrue(
                files.problems().getFirst().startsWith("shared pool's pages cannot be opened: model=m ("),
                files.problems().getFirst());
        Files.delete(folder.resolve("pools"));
        files.close(files.open(0, 4));
        assertEquals(List.of(), files.problems());
    }
}
