package io.penstock.index.pool;

import io.penstock.index.layout.PageRecordLayout;
import io.penstock.index.pages.Memory;

/**
 * Records in a row, linked both ways: those in use by their confirmation, or the free ones.
 *
 * <p><b>Threading:</b> owned by the writer.
 */
final class RecordList {
    private final PoolRoots roots;
    private final PageRecords records;
    private final int first;
    private final int last;

    /** The list whose ends are in the roots {@code first} and {@code last}. */
    RecordList(PoolRoots roots, PageRecords records, int first, int last) {
        this.roots = roots;
        this.records = records;
        this.first = first;
        this.last = last;
    }

    /** First record, or -1. */
    int first() {
        return (int) roots.get(first) - 1;
    }

    /** Puts a record to the end. */
    void append(int record) {
        int former = (int) roots.get(last) - 1;
        link(former, record);
        link(record, -1);
        roots.set(last, record + 1L);
    }

    /** Takes a record out. */
    void unlink(int record) {
        long at = records.address(record);
        int older = Memory.getInt(at + PageRecordLayout.OLDER) - 1;
        int newer = Memory.getInt(at + PageRecordLayout.NEWER) - 1;
        link(older, newer);
        if (newer < 0) {
            roots.set(last, older + 1L);
        }
    }

    /** Makes {@code newer} follow {@code older}; -1 for an end. */
    private void link(int older, int newer) {
        if (older < 0) {
            roots.set(first, newer + 1L);
        } else {
            Memory.putInt(records.address(older) + PageRecordLayout.NEWER, newer + 1);
        }
        if (newer >= 0) {
            Memory.putInt(records.address(newer) + PageRecordLayout.OLDER, older + 1);
        }
    }
}
