package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What every {@link PageIndex} promises, told page by page: pages 0, 1, .. have keys of their own. */
abstract class PageIndexPromises {
    /** An empty index. */
    abstract PageIndex index(long capacityPages, int objectsPerPage, int timeToLiveSeconds);

    @Test
    void shouldCountAPageWhenAllItsObjectsAreThere() {
        try (PageIndex index = index(100, 3, 0)) {
            assertEquals(PageIndex.ADDED, stored(index, 0, 0, 1));
            assertEquals(PageIndex.ADDED, stored(index, 0, 2, 1));
            assertEquals("", matched(index, 2));
            assertEquals(PageIndex.CONFIRMED, stored(index, 0, 2, 1));
            assertEquals("", matched(index, 2));
            assertEquals(PageIndex.ADDED, stored(index, 0, 1, 1));
            assertEquals("0-1", matched(index, 2));
            assertEquals(1, index.pageCount());
        }
    }

    @Test
    void shouldNotCountAPageOfWhichAnObjectWasRemoved() {
        try (PageIndex index = index(100, 2, 0)) {
            whole(index, 0, 5, 1);
            assertTrue(removed(index, 2, 1));
            assertFalse(removed(index, 2, 1));
            assertEquals("0-2 3-5", matched(index, 6));
            assertTrue(removed(index, 2, 0));
            assertEquals(4, index.pageCount());
            assertFalse(removed(index, 9, 0));
        }
    }

    @Test
    void shouldRefuseAnObjectBeyondTheLayout() {
        try (PageIndex index = index(100, 2, 0)) {
            assertEquals(PageIndex.REFUSED, stored(index, 0, 2, 1));
            assertEquals(PageIndex.REFUSED, stored(index, 0, -1, 1));
            assertFalse(removed(index, 0, 2));
            assertEquals(0, index.pageCount());
        }
    }

    @Test
    void shouldCountPagesOfMoreObjectsThanAWordHasBits() {
        try (PageIndex index = index(100, 200, 0)) {
            whole(index, 0, 3, 1);
            assertEquals("0-3", matched(index, 3));
            assertTrue(removed(index, 1, 190));
            assertEquals("0-1 2-3", matched(index, 3));
            assertEquals(PageIndex.ADDED, stored(index, 1, 190, 2));
            assertEquals("0-3", matched(index, 3));
        }
    }

    @Test
    void shouldGiveUpTheSinglePageConfirmedLongestAgoWhenFull() {
        try (PageIndex index = index(100, 1, 0)) {
            whole(index, 0, 100, 1);
            stored(index, 0, 0, 2);
            whole(index, 100, 101, 3);
            assertEquals("0-1 2-101", matched(index, 101));
            assertEquals(1, index.evicted());
            assertEquals(100, index.pageCount());
        }
    }

    @Test
    void shouldGiveUpPagesThatNothingConfirmedForTheTimeToLive() {
        try (PageIndex index = index(100, 1, 10)) {
            whole(index, 0, 4, 1);
            stored(index, 2, 0, 5);
            sweep(index, 10);
            assertEquals("0-4", matched(index, 4));
            sweep(index, 11);
            assertEquals("2-3", matched(index, 4));
            assertEquals(3, index.expired());
        }
    }

    @Test
    void shouldHoldAfterAListingOnlyWhatWasStoredOrListedSinceItsBegin() {
        try (PageIndex index = index(100, 2, 0)) {
            whole(index, 0, 6, 1);
            index.beginListing();
            stored(index, 0, 0, 1);
            stored(index, 0, 1, 1);
            stored(index, 1, 0, 1);
            whole(index, 6, 7, 1);
            stored(index, 3, 0, 1);
            stored(index, 3, 1, 1);
            removed(index, 3, 1);
            assertEquals("0-3 4-7", matched(index, 8));
            index.endListing();
            assertEquals("0-1 6-7", matched(index, 8));
            sweep(index, 1);
            assertEquals("0-1 6-7", matched(index, 8));
            assertEquals(4, index.pageCount());
            assertEquals(7, index.stale());
            assertEquals(PageIndex.ADDED, stored(index, 1, 1, 1));
            assertEquals("0-2 6-7", matched(index, 8));
        }
    }

    @Test
    void shouldForgetWhatAListingThatWasBegunAnewHadShown() {
        try (PageIndex index = index(100, 1, 0)) {
            whole(index, 0, 2, 1);
            index.beginListing();
            stored(index, 0, 0, 2);
            index.beginListing();
            stored(index, 1, 0, 2);
            index.endListing();
            assertEquals("1-2", matched(index, 2));
            index.endListing();
            assertEquals("1-2", matched(index, 2));
        }
    }

    @Test
    void shouldNotCountAPageMissedTwiceUntilItIsConfirmed() {
        try (PageIndex index = index(100, 1, 0)) {
            whole(index, 0, 4, 1);
            missed(index, 1, 2);
            stored(index, 2, 0, 1);
            missed(index, 1, 2);
            assertEquals("0-1 2-4", matched(index, 4));
            stored(index, 1, 0, 1);
            assertEquals("0-4", matched(index, 4));
        }
    }

    @Test
    void shouldForgetAllPagesWhenCleared() {
        try (PageIndex index = index(100, 1, 0)) {
            whole(index, 0, 50, 1);
            index.clear();
            sweep(index, 1);
            assertEquals("", matched(index, 50));
            assertEquals(0, index.pageCount());
            whole(index, 10, 60, 1);
            assertEquals("10-60", matched(index, 70));
        }
    }

    static void whole(PageIndex index, int from, int to, int now) {
        for (int page = from; page < to; page++) {
            for (int object = 0; object < index.objectsPerPage(); object++) {
                stored(index, page, object, now);
            }
        }
    }

    static int stored(PageIndex index, int page, int object, int now) {
        return index.stored(keys(page, 1), 0, object, now);
    }

    static boolean removed(PageIndex index, int page, int object) {
        return index.removed(keys(page, 1), 0, object);
    }

    static void missed(PageIndex index, int page, int pages) {
        index.missed(keys(0, page + pages), page, pages);
    }

    static void sweep(PageIndex index, int now) {
        while (index.sweep(7, now) > 0) {
            // until nothing is left to do
        }
    }

    static String matched(PageIndex index, int pages) {
        PageRanges ranges = new PageRanges();
        index.match(keys(0, pages), pages, ranges);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ranges.size(); i++) {
            text.append(ranges.start(i)).append('-').append(ranges.end(i)).append(' ');
        }
        return text.toString().strip();
    }

    /** Keys of pages that differ in their last word only. */
    static long[] keys(int from, int pages) {
        long[] keys = new long[pages * PageIndex.KEY_WORDS];
        for (int i = 0; i < pages; i++) {
            keys[i * PageIndex.KEY_WORDS] = 0x9E3779B97F4A7C15L;
            keys[i * PageIndex.KEY_WORDS + 3] = from + i;
        }
        return keys;
    }
}
