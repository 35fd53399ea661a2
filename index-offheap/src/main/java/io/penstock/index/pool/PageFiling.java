package io.penstock.index.pool;

import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.pages.Memory;

/**
 * Files pages along the page chain that look-ups showed: a page that lies alone gets the record behind its predecessor's, by
 * exchange with the page that lies there. Look-ups note, the sweep moves.
 *
 * <p>I1: a page is filed once: behind its predecessor, as the first of a branch or of a chain, or where a look-up found it
 * in a row. From then on it neither moves nor gives way, until it is removed. So there are never more moves than pages
 * that came, and prompts that branch take no place from each other.
 *
 * <p>The first of a branch gets a record of a stretch that is not filed yet, so that those behind it find room.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated; notes beyond what there is room for are made
 * by a later look-up.
 */
final class PageFiling {
    private static final int NOTES = 8_192;
    private static final int ROWS = 16;

    /** Heads looked at for a place not filed yet. */
    private static final int SEARCHED = 1_024;

    /** Steps of a sweep that a page filed counts for: two records, two heads, two cells and four links are written. */
    private static final int STEPS_A_PAGE = 4;

    /** Heads of a row marked in a step. */
    private static final int MARKED = 64;

    private static final int NOWHERE = -1;

    private final PageTable table;
    private final PageRecords records;
    private final RecordList byAge;

    private final long[] formers = new long[NOTES];
    private final long[] alone = new long[NOTES];
    private int notes;
    private int done;

    private final int[] rowStarts = new int[ROWS];
    private final int[] rowEnds = new int[ROWS];
    private int rows;

    /** Where the search for a place goes on. */
    private int cursor;

    /** Record filed last, mostly that of the next page's predecessor. */
    private int last;

    PageFiling(PageTable table, PageRecords records, RecordList byAge) {
        this.table = table;
        this.records = records;
        this.byAge = byAge;
    }

    /** Whether a note would be kept. */
    boolean hasRoom() {
        return notes < NOTES;
    }

    /** A page that lies alone, and the one before it in its prompt; 0 for none. */
    void note(long former, long page) {
        if (notes < NOTES) {
            formers[notes] = former;
            alone[notes++] = page;
        }
    }

    /** Records whose pages follow each other in a prompt. */
    void noteRow(int start, int end) {
        if (rows < ROWS && !(records.filed(start) && records.filed(end - 1))) {
            rowStarts[rows] = start;
            rowEnds[rows++] = end;
        }
    }

    /** Files what was noted, some steps at a time; answers the steps used. */
    int file(int maxSteps) {
        int steps = 0;
        while (rows > 0 && steps < maxSteps) {
            markRow();
            steps++;
        }
        while (done < notes && steps < maxSteps) {
            file(formers[done], alone[done]);
            done++;
            steps = Math.min(maxSteps, steps + STEPS_A_PAGE);
        }
        if (done == notes) {
            done = 0;
            notes = 0;
        }
        return steps;
    }

    private void markRow() {
        int row = rows - 1;
        int end = Math.min(Math.min(rowEnds[row], records.high()), rowStarts[row] + MARKED);
        for (int record = rowStarts[row]; record < end; record++) {
            if (records.used(record)) {
                records.setFiled(record);
            }
        }
        rowStarts[row] = end;
        if (end >= Math.min(rowEnds[row], records.high())) {
            rows--;
        }
    }

    private void file(long former, long page) {
        long cell = table.find(page);
        if (cell == PageTable.NONE) {
            return;
        }
        int record = table.record(cell);
        if (records.filed(record)) {
            return;
        }
        int place = behind(former);
        if (place == NOWHERE) {
            place = search();
        }
        if (place != NOWHERE && place != record) {
            move(record, cell, place);
            record = place;
        }
        records.setFiled(record);
        last = record;
        if (record == cursor) {
            cursor++;
        }
    }

    /** The record behind a page's, if it may be had. */
    private int behind(long former) {
        int before = last;
        if (former == 0 || before >= records.high() || fingerprint(before) != former) {
            long cell = former == 0 ? PageTable.NONE : table.find(former);
            if (cell == PageTable.NONE) {
                return NOWHERE;
            }
            before = table.record(cell);
        }
        records.setFiled(before);
        int place = before + 1;
        return place < records.high() && open(place) ? place : NOWHERE;
    }

    /** A place not filed yet, the first behind what was filed by the last searches. */
    private int search() {
        int high = records.high();
        for (int i = 0; i < SEARCHED; i++) {
            int place = cursor < high ? cursor : 0;
            if (open(place)) {
                cursor = place;
                return place;
            }
            cursor = place + 1;
        }
        return NOWHERE;
    }

    private boolean open(int place) {
        return !records.used(place) || !records.filed(place);
    }

    private void move(int record, long cell, int place) {
        if (records.used(place)) {
            table.setRecord(table.find(fingerprint(place)), record);
            byAge.exchange(record, place);
            records.exchange(record, place);
        } else {
            records.move(record, place, byAge);
        }
        table.setRecord(cell, place);
    }

    private long fingerprint(int record) {
        return Memory.getLong(records.head(record) + PageHeadLayout.FINGERPRINT);
    }
}
