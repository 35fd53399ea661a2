package io.penstock.dataplane.sinks;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A record and its rows, written by the first sink that asks and shared by the others.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class RowsOfRecord {
    private final TraceRecord record;
    private final TraceSettings settings;
    private final SinkCounts counts;
    private List<DynamoRow> rows;

    RowsOfRecord(TraceRecord record, TraceSettings settings, SinkCounts counts) {
        this.record = record;
        this.settings = settings;
        this.counts = counts;
    }

    /** About the bytes that it holds while it waits, content most of all. */
    long bytes() {
        return 1_024L + 8L * record.traceHashCount() + length(record.requestPayload) + length(record.responsePayload);
    }

    private static int length(byte[] payload) {
        return payload == null ? 0 : payload.length;
    }

    /** The rows that were asked for; none for a record that Dynamo's trace skips. */
    synchronized List<DynamoRow> rows() {
        if (rows == null) {
            rows = write();
        }
        return rows;
    }

    private boolean hasPayload() {
        return record.requestPayload != null || record.responsePayload != null;
    }

    private List<DynamoRow> write() {
        List<DynamoRow> written = new ArrayList<>(2);
        DynamoEvent event = DynamoEvent.of(record.kind);
        if (event == DynamoEvent.REQUEST_END && settings.wantsPayload() && hasPayload()) {
            written.add(PayloadRow.of(record));
        }
        if (event != null && settings.tells(event)) {
            SkippedRow reason = DynamoTraceJson.skipped(record);
            if (reason == null) {
                written.add(DynamoTraceJson.row(record));
            } else {
                counts.skipped(reason).increment();
            }
        } else if (event == null) {
            counts.skipped(SkippedRow.NOT_IN_DYNAMO).increment();
        }
        return written;
    }
}
