package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages learnt in no order are filed along the chain by look-ups and the sweeps behind them, once. */
class PageFilingTest {
    private static final int PAGES = 4_000;
    private static final int PROMPT = 500;

    @TempDir
    Path folder;

    @Test
    void shouldMoveEachPageOnceWhenPromptsAreAskedForAgain() {
        try (OffHeapIndex file = open(1)) {
            PageIndex index = shuffled(file.pageIndex(0));
            int first = allAsked(index);
            assertTrue(first > PAGES, "first=" + first);
            for (int round = 0; round < 3; round++) {
                int again = allAsked(index);
                assertTrue(again < first / 10, "first=" + first + ", again=" + again);
            }
        }
    }

    private static int allAsked(PageIndex index) {
        int steps = 0;
        for (int prompt = 0; prompt < PAGES / PROMPT; prompt++) {
            steps += asked(index, prompt * PROMPT, PROMPT);
        }
        return steps;
    }

    @Test
    void shouldNotTakePlacesFromEachOtherWhenPromptsBranch() {
        try (OffHeapIndex file = open(1)) {
            PageIndex index = shuffled(file.pageIndex(0));
            branches(index);
            int first = branches(index);
            int second = branches(index);
            int third = branches(index);
            assertTrue(first + second + third < 60, first + ", " + second + ", " + third);
            assertEquals(0, third);
        }
    }

    /** Two prompts of which the first half is the same; answers the sweep's steps. */
    private static int branches(PageIndex index) {
        long[] one = PageIndexPromises.keys(0, PROMPT);
        long[] other = one.clone();
        int half = PROMPT / 2 * PageIndex.KEY_WORDS;
        System.arraycopy(PageIndexPromises.keys(PROMPT, PROMPT / 2), 0, other, half, half);
        return asked(index, one) + asked(index, other);
    }

    @Test
    void shouldKeepTheOrderInWhichPagesAreGivenUpWhenTheyWereMoved() {
        try (OffHeapIndex file = open(1)) {
            PageIndex index = shuffled(file.pageIndex(0));
            asked(index, 0, PAGES);
            for (int i = 0; i < 10; i++) {
                int oldest = (int) (i * 1_237L % PAGES);
                PageIndexPromises.stored(index, PAGES + i, 0, 1);
                assertTrue(!PageIndexPromises.removed(index, oldest, 0), "page=" + oldest);
            }
            assertEquals(10, index.evicted());
        }
    }

    @Test
    void shouldHaveFiledPagesAgainAfterACleanStop() {
        try (OffHeapIndex file = open(100)) {
            PageIndex index = shuffled(file.pageIndex(0));
            asked(index, 0, PAGES);
        }
        try (OffHeapIndex file = open(100)) {
            PageIndex index = file.pageIndex(0);
            assertNull(file.verify());
            assertEquals("0-" + PAGES, PageIndexPromises.matched(index, PAGES));
            assertTrue(asked(index, 0, PAGES) < PAGES / 10);
            for (int page = 0; page < PAGES; page++) {
                assertTrue(PageIndexPromises.removed(index, page, 0));
            }
        }
    }

    private OffHeapIndex open(int objects) {
        return OffHeapIndex.open(new IndexConfig(folder.resolve("index"), 16, 1, 1 << 16, 4, PAGES, objects));
    }

    /** All pages, stored in an order of which no two are in a row. */
    private static PageIndex shuffled(PageIndex index) {
        for (int i = 0; i < PAGES; i++) {
            // 1,237 has no factor in common with 4,000: every page once
            int page = (int) (i * 1_237L % PAGES);
            PageIndexPromises.whole(index, page, page + 1, 1);
        }
        return index;
    }

    private static int asked(PageIndex index, int from, int pages) {
        return asked(index, PageIndexPromises.keys(from, pages));
    }

    /** A look-up of pages that are all there, and the sweep behind it; answers its steps. */
    private static int asked(PageIndex index, long[] keys) {
        PageRanges out = new PageRanges();
        int pages = keys.length / PageIndex.KEY_WORDS;
        index.match(keys, pages, out);
        assertEquals(pages, out.contiguous(0));
        int steps = 0;
        for (int used = index.sweep(64, 1); used > 0; used = index.sweep(64, 1)) {
            steps += used;
        }
        return steps;
    }
}
