package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * How a record becomes one line.
 *
 * <p><b>Threading:</b> one thread.
 */
interface LineFormat {
    /**
     * The record's line, without its end.
     *
     * @param depth how many sessions stand above the record's
     */
    String line(TraceRecord record, int depth);
}
