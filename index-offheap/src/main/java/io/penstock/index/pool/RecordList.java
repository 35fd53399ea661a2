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
        int older = older(record);
        int newer = newer(record);
        link(older, newer);
        if (newer < 0) {
            roots.set(last, older + 1L);
        }
    }

    /** Two records of the list take each other's place. */
    void exchange(int one, int other) {
        int newer = newer(one);
        if (newer == other) {
            exchangeNeighbours(one, other);
        } else if (newer(other) == one) {
            exchangeNeighbours(other, one);
        } else {
            int older = older(one);
            between(older(other), one, newer(other));
            between(older, other, newer);
        }
    }

    private void exchangeNeighbours(int older, int newer) {
        int before = older(older);
        int behind = newer(newer);
        link(newer, older);
        between(before, newer, older);
        between(newer, older, behind);
    }

    /** Another record takes the place of one in the list. */
    void replace(int record, int by) {
        between(older(record), by, newer(record));
    }

    private void between(int older, int record, int newer) {
        link(older, record);
        link(record, newer);
        if (newer < 0) {
            roots.set(last, record + 1L);
        }
    }

    private int older(int record) {
        return Memory.getInt(records.address(record) + PageRecordLayout.OLDER) - 1;
    }

    private int newer(int record) {
        return Memory.getInt(records.address(record) + PageRecordLayout.NEWER) - 1;
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
