package io.penstock.index.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

/** Does the same random things to two page indexes, which must answer alike. */
final class PageIndexScript {
    private final Random random;
    private final PageIndex reference;
    private final PageIndex index;
    private final int universe;
    private final long[] keys;
    private int now = 1_000;

    /** Sweeps are far behind only where no page must give way to another. */
    private final boolean lazy;

    PageIndexScript(Random random, PageIndex reference, PageIndex index, int universe) {
        this.random = random;
        this.reference = reference;
        this.index = index;
        this.universe = universe;
        lazy = universe <= reference.capacityPages();
        // Hashes as engines make them, or keys of few bits.
        keys = new long[universe * PageIndex.KEY_WORDS];
        boolean plain = random.nextBoolean();
        for (int page = 0; page < universe; page++) {
            for (int word = 0; word < PageIndex.KEY_WORDS; word++) {
                keys[page * PageIndex.KEY_WORDS + word] = plain ? word == 2 ? page : 0 : random.nextLong();
            }
        }
    }

    void step() {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6 -> storedInARow();
            case 7, 8, 9 -> removed();
            case 10, 11, 12, 13 -> asked();
            case 14 -> missed();
            case 15 -> now += random.nextInt(4);
            case 16, 17 -> swept(random.nextInt(30));
            case 18 -> listing();
            default -> rarely();
        }
    }

    private void storedInARow() {
        int from = random.nextInt(universe);
        int to = Math.min(universe, from + 1 + random.nextInt(12));
        int only = random.nextInt(3) == 0 ? random.nextInt(reference.objectsPerPage() + 1) : -1;
        for (int page = from; page < to; page++) {
            int first = only < 0 ? 0 : only;
            int end = only < 0 ? reference.objectsPerPage() : only + 1;
            for (int object = first; object < end; object++) {
                int at = page * PageIndex.KEY_WORDS;
                assertEquals(reference.stored(keys, at, object, now), index.stored(keys, at, object, now));
            }
        }
        assertEquals(reference.evicted(), index.evicted());
    }

    private void removed() {
        int page = random.nextInt(universe);
        int objects = 1 + random.nextInt(reference.objectsPerPage());
        for (int i = 0; i < objects; i++) {
            int object = objects > 5 ? i : random.nextInt(reference.objectsPerPage() + 1) - 1;
            int at = page * PageIndex.KEY_WORDS;
            assertEquals(reference.removed(keys, at, object), index.removed(keys, at, object));
        }
    }

    private void missed() {
        int page = random.nextInt(universe);
        int pages = 1 + random.nextInt(Math.min(8, universe - page));
        reference.missed(keys, page, pages);
        index.missed(keys, page, pages);
    }

    private void listing() {
        if (random.nextInt(3) == 0) {
            reference.beginListing();
            index.beginListing();
        } else {
            reference.endListing();
            index.endListing();
            matched();
            settled();
        }
    }

    private void rarely() {
        if (random.nextInt(10) == 0) {
            // What a clear finds that was not swept yet is not counted as stale.
            swept(random.nextInt(30));
            reference.clear();
            index.clear();
            settled();
        }
    }

    private void settled() {
        if (!lazy) {
            swept(Integer.MAX_VALUE - 1);
        }
    }

    private void swept(int steps) {
        // A sweep of few steps may leave another page too old than the reference's does.
        reference.sweep(Integer.MAX_VALUE, now);
        for (int done = 0; index.sweep(1 + steps, now) > 0; done++) {
            if (done > 10_000) {
                throw new AssertionError("the sweep does not end");
            }
        }
        assertEquals(reference.expired(), index.expired());
        assertEquals(reference.stale(), index.stale());
        assertEquals(reference.pageCount(), index.pageCount());
    }

    /** Look-ups of prompts, also those that branch, with slices of sweep between them. */
    private void asked() {
        matched();
        if (random.nextInt(3) == 0) {
            branched();
        }
        if (random.nextBoolean()) {
            swept(random.nextInt(30));
        }
    }

    /** Some pages in a row, then others from elsewhere; a page may come twice. */
    private void branched() {
        int pages = 0;
        long[] asked = new long[4 * 40 * PageIndex.KEY_WORDS];
        for (int part = 0; part < 4; part++) {
            int from = random.nextInt(universe);
            int stride = 1 + random.nextInt(5);
            for (int page = from; page < universe && pages < 40 * (part + 1); page += stride) {
                System.arraycopy(
                        keys, page * PageIndex.KEY_WORDS, asked, pages++ * PageIndex.KEY_WORDS, PageIndex.KEY_WORDS);
            }
        }
        compare(asked, pages);
    }

    void matched() {
        int from = random.nextInt(universe);
        compare(from, Math.min(universe, from + 1 + random.nextInt(150)));
    }

    void compareAll() {
        compare(0, universe);
        swept(Integer.MAX_VALUE - 1);
        compare(0, universe);
    }

    private void compare(int from, int to) {
        long[] asked = new long[(to - from) * PageIndex.KEY_WORDS];
        System.arraycopy(keys, from * PageIndex.KEY_WORDS, asked, 0, asked.length);
        compare(asked, to - from);
    }

    private void compare(long[] asked, int pages) {
        PageRanges wanted = new PageRanges();
        PageRanges found = new PageRanges();
        reference.match(asked, pages, wanted);
        index.match(asked, pages, found);
        assertEquals(text(wanted), text(found));
    }

    private static String text(PageRanges ranges) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ranges.size(); i++) {
            text.append(ranges.start(i)).append('-').append(ranges.end(i)).append(' ');
        }
        return text.toString();
    }
}
