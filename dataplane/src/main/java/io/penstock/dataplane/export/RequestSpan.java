package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * From when to when a request ran, by the rule of Dynamo's replay: received, else the event less its duration; received
 * and its duration, else the event.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param startMs ms since 1970
 * @param endMs ms since 1970, never before the start
 */
record RequestSpan(long startMs, long endMs) {
    static RequestSpan of(TraceRecord record) {
        boolean timed = Double.isFinite(record.totalMs);
        long total = timed ? Math.round(Math.max(0, record.totalMs)) : 0;
        if (record.receivedMs < 0) {
            return new RequestSpan(record.epochMs - total, record.epochMs);
        }
        long end = timed ? record.receivedMs + total : record.epochMs;
        return new RequestSpan(record.receivedMs, Math.max(record.receivedMs, end));
    }
}
