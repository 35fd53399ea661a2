package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffHeapPageIndexTest extends PageIndexPromises {
    @TempDir
    Path folder;

    private final List<OffHeapIndex> opened = new ArrayList<>();

    @Override
    PageIndex index(long capacityPages, int objectsPerPage, int timeToLiveSeconds) {
        OffHeapIndex file = OffHeapIndex.open(new IndexConfig(
                folder.resolve("index-" + opened.size()), 16, 1, 1 << 16, 4, capacityPages, objectsPerPage));
        opened.add(file);
        return file.pageIndex(timeToLiveSeconds);
    }

    @AfterEach
    void close() {
        opened.forEach(OffHeapIndex::close);
    }

    @Test
    void shouldFindPagesAcrossPagesOfTheFileInAnyOrderOfArrival() {
        PageIndex index = index(20_000, 1, 0);
        for (int i = 0; i < 20_000; i++) {
            // 7,919 has no factor in common with 20,000: every page once
            stored(index, (int) (i * 7_919L % 20_000), 0, 1);
        }
        assertEquals("0-20000", matched(index, 20_100));
        for (int page = 3; page < 20_000; page += 1_000) {
            removed(index, page, 0);
        }
        assertEquals(21, matched(index, 20_100).split(" ").length);
    }

    @Test
    void shouldNotTakeOnePageForAnotherOfTheSameFingerprint() {
        PageIndex index = index(10, 1, 0);
        long[] one = {5, 7, 0, 0};
        long[] other = {4, 7, 1, 0};
        index.stored(one, 0, 0, 1);
        assertFalse(index.removed(other, 0, 0));
        assertEquals(PageIndex.ADDED, index.stored(other, 0, 0, 1));
        assertFalse(index.removed(one, 0, 0));
        assertEquals(1, index.pageCount());
        assertEquals(1, index.evicted());
    }
}
