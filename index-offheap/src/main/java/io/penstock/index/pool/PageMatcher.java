package io.penstock.index.pool;

import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.pages.Memory;

/**
 * Look-ups of a prompt's pages. Pages that were learnt along their chain lie in consecutive records: once two in a row are
 * found so, the heads are compared one after the other, as a stream. Where the stream ends, and for pages learnt in
 * another order, a batch of table lines is loaded at once. What does not lie in a row is noted for {@link PageFiling}.
 *
 * <p>NOTE(perf): places first, then a loop of nothing but loads, then decisions, as in the prefix index's map; 32 a batch are a
 * twentieth slower.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
final class PageMatcher {
    /** Not above the bits of a long. */
    private static final int BATCH = 64;

    private static final int PEEK = 4;
    /** Far enough from record 0 not to be the one before it. */
    private static final int NOWHERE = -2;

    private final PageTable table;
    private final PageRecords records;
    private final PageFiling filing;
    private final long[] fingerprints = new long[BATCH];
    private final long[] lines = new long[BATCH];
    private final int[] found = new int[BATCH + 1];
    private long touched;

    /** Record that the next page has if it follows in a row. */
    private int expected;

    /** First record of the row that leads to {@link #expected}. */
    private int rowStart;

    /** Record of the page before a batch. */
    private int before;

    PageMatcher(PageTable table, PageRecords records, PageFiling filing) {
        this.table = table;
        this.records = records;
        this.filing = filing;
    }

    /** {@link PageIndex#match}; pages complete since listing {@code proven} count. */
    void match(long[] keys, int pages, int proven, PageRanges out) {
        out.clear();
        expected = NOWHERE;
        before = NOWHERE;
        int batch = PEEK;
        for (int page = 0; page < pages; ) {
            if (expected == NOWHERE) {
                int count = Math.min(pages - page, batch);
                add(page, batch(keys, page, count, proven), out);
                page += count;
                batch = BATCH;
            } else {
                page = stream(keys, page, pages, proven, out);
                batch = PEEK;
            }
        }
    }

    /** Compares with the records from {@link #expected} on; answers the first page that does not lie there. */
    private int stream(long[] keys, int from, int pages, int proven, PageRanges out) {
        int page = from;
        int record = expected;
        int high = records.high();
        expected = NOWHERE;
        while (page < pages && record < high) {
            // Heads of one page of the file lie in a row.
            int run = Math.min(Math.min(pages - page, high - record), records.headsInARow(record));
            int same = same(keys, page, records.head(record), run, proven, out);
            page += same;
            record += run;
            if (same < run) {
                record -= run - same;
                break;
            }
        }
        before = record - 1;
        filing.noteRow(rowStart, record);
        return page;
    }

    /** How many of {@code count} heads from an address on are those of the pages; the complete ones are added. */
    private static int same(long[] keys, int from, long heads, int count, int proven, PageRanges out) {
        int begin = 0;
        int i = 0;
        for (; i < count; i++) {
            long head = heads + (long) i * PageHeadLayout.BYTES;
            long found = Memory.getLong(head + PageHeadLayout.FINGERPRINT);
            if (found != PageTable.fingerprint(keys, (from + i) * PageIndex.KEY_WORDS)) {
                break;
            }
            if (Memory.getInt(head + PageHeadLayout.COMPLETE) < proven) {
                add(from + begin, from + i, out);
                begin = i + 1;
            }
        }
        add(from + begin, from + i, out);
        return i;
    }

    private static void add(int from, int to, PageRanges out) {
        if (from < to) {
            out.add(from, to);
        }
    }

    /** Adds the pages whose bits are set. */
    private static void add(int from, long there, PageRanges out) {
        for (long rest = there; rest != 0; ) {
            int begin = Long.numberOfTrailingZeros(rest);
            int end = Long.numberOfTrailingZeros(~(rest | (1L << begin) - 1));
            out.add(from + begin, from + end);
            rest = end < Long.SIZE ? rest >>> end << end : 0;
        }
    }

    /** Looks up to {@value #BATCH} pages up in the table; a bit for each that is there. */
    private long batch(long[] keys, int from, int count, int proven) {
        for (int i = 0; i < count; i++) {
            long fingerprint = PageTable.fingerprint(keys, (from + i) * PageIndex.KEY_WORDS);
            fingerprints[i] = fingerprint;
            lines[i] = table.homeLine(fingerprint);
        }
        touch(count);
        long there = 0;
        int former = NOWHERE;
        int inARow = 0;
        for (int i = 0; i < count; i++) {
            long line = lines[i];
            int match = PageTable.matches(line, fingerprints[i]);
            int record = NOWHERE;
            if (match != 0) {
                int place = Integer.numberOfTrailingZeros(match);
                record = PageTable.record(line, place);
                there |= complete(PageTable.complete(line, place), proven) << i;
            } else if (PageTable.further(line) != 0) {
                long cell = table.find(fingerprints[i]);
                if (cell != PageTable.NONE) {
                    record = table.record(cell);
                    there |= complete(table.complete(cell), proven) << i;
                }
            }
            found[i] = record;
            inARow = record - former;
            former = record;
        }
        if (there != 0 && filing.hasRoom()) {
            note(keys, from, count);
        }
        before = former;
        if (former > 0 && inARow == 1) {
            expected = former + 1;
            rowStart = rowStart(count);
        }
        return there;
    }

    /** First record of the row that a batch ends with. */
    private int rowStart(int count) {
        int i = count - 1;
        while (i > 0 && found[i - 1] == found[i] - 1) {
            i--;
        }
        return found[i];
    }

    /** Notes the pages of a batch that lie neither behind the one before nor before the one behind. */
    private void note(long[] keys, int from, int count) {
        found[count] = NOWHERE;
        int former = before;
        for (int i = 0; i < count; i++) {
            int record = found[i];
            if (record != former + 1 && found[i + 1] != record + 1 && record != NOWHERE) {
                filing.note(i > 0 ? fingerprints[i - 1] : formerOf(keys, from), fingerprints[i]);
            }
            former = record;
        }
    }

    private static long formerOf(long[] keys, int page) {
        return page == 0 ? 0 : PageTable.fingerprint(keys, (page - 1) * PageIndex.KEY_WORDS);
    }

    /** 1 if {@code since} is at least {@code proven}; both have 24 bits. */
    private static long complete(int since, int proven) {
        return (proven - 1 - since) >>> 31;
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
