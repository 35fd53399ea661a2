package io.penstock.index.pool;

import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.pages.Memory;

/**
 * Look-ups of a prompt's pages. Pages that were learnt along their chain lie in consecutive records: once two in a row are
 * found so, the heads are compared one after the other, as a stream. Where the stream ends, and for pages learnt in
 * another order, a batch of table lines is loaded at once.
 *
 * <p>NOTE(perf): places first, then a loop of nothing but loads, then decisions, as in the prefix index's map.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
final class PageMatcher {
    private static final int BATCH = 32;
    private static final int PEEK = 4;
    private static final int NOWHERE = -1;

    private final PageTable table;
    private final PageRecords records;
    private final long[] fingerprints = new long[BATCH];
    private final long[] lines = new long[BATCH];
    private long touched;

    private PageRanges out;
    private int rangeFrom;
    private int expected;

    PageMatcher(PageTable table, PageRecords records) {
        this.table = table;
        this.records = records;
    }

    /** {@link PageIndex#match}; pages complete since listing {@code proven} count. */
    void match(long[] keys, int pages, int proven, PageRanges answer) {
        out = answer;
        out.clear();
        rangeFrom = NOWHERE;
        expected = NOWHERE;
        int batch = PEEK;
        for (int page = 0; page < pages; ) {
            if (expected == NOWHERE) {
                int end = Math.min(pages, page + batch);
                batch(keys, page, end, proven);
                page = end;
                batch = BATCH;
            } else {
                page = stream(keys, page, pages, proven);
                batch = PEEK;
            }
        }
        endRange(pages);
    }

    /** Compares with the records from {@link #expected} on; answers the first page that is not there. */
    private int stream(long[] keys, int from, int pages, int proven) {
        int page = from;
        int record = expected;
        int high = records.high();
        while (page < pages && record < high) {
            long head = records.head(record);
            // Heads of one page of the file lie in a row.
            int run = Math.min(Math.min(pages - page, high - record), records.headsInARow(record));
            int end = page + run;
            while (page < end
                    && Memory.getLong(head + PageHeadLayout.FINGERPRINT)
                            == PageTable.fingerprint(keys, page * PageIndex.KEY_WORDS)) {
                decide(page, Memory.getInt(head + PageHeadLayout.COMPLETE) >= proven);
                page++;
                head += PageHeadLayout.BYTES;
            }
            record += run;
            if (page < end) {
                break;
            }
        }
        expected = NOWHERE;
        return page;
    }

    /** Looks pages up in the table. */
    private void batch(long[] keys, int from, int end, int proven) {
        int count = end - from;
        for (int i = 0; i < count; i++) {
            long fingerprint = PageTable.fingerprint(keys, (from + i) * PageIndex.KEY_WORDS);
            fingerprints[i] = fingerprint;
            lines[i] = table.homeLine(fingerprint);
        }
        touch(count);
        int former = NOWHERE;
        boolean inARow = false;
        for (int i = 0; i < count; i++) {
            long line = lines[i];
            int match = PageTable.matches(line, fingerprints[i]);
            int record = NOWHERE;
            boolean complete = false;
            if (match != 0) {
                int place = Integer.numberOfTrailingZeros(match);
                record = PageTable.record(line, place);
                complete = PageTable.complete(line, place) >= proven;
            } else if (PageTable.further(line) != 0) {
                long cell = table.find(fingerprints[i]);
                if (cell != PageTable.NONE) {
                    record = table.record(cell);
                    complete = table.complete(cell) >= proven;
                }
            }
            inARow = record > 0 && record == former + 1;
            former = record;
            decide(from + i, complete);
        }
        expected = inARow ? former + 1 : NOWHERE;
    }

    private void decide(int page, boolean there) {
        if (there) {
            if (rangeFrom == NOWHERE) {
                rangeFrom = page;
            }
        } else {
            endRange(page);
        }
    }

    private void endRange(int page) {
        if (rangeFrom != NOWHERE) {
            out.add(rangeFrom, page);
            rangeFrom = NOWHERE;
        }
    }

    /** Loads the lines; nothing but loads, so that as many as the processor can are under way at once. */
    private void touch(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Memory.getLong(lines[i]);
        }
        touched = sum;
    }

    /** Keeps {@link #touch}'s loads alive for the compiler. */
    long touched() {
        return touched;
    }
}
