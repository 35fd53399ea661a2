package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.sinks.DynamoRow;
import io.penstock.dataplane.sinks.DynamoTraceJson;
import io.penstock.dataplane.sinks.SkippedRow;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Dynamo's request trace as its file sink writes it, in the order of the journal; {@code timestamp} counts from the first
 * row. Nothing is held: any length.
 *
 * <p>What Dynamo's own replay (1.6.1) refuses of a good trace is said: rows with and without a session in one trace,
 * several block sizes, requests of one session that overlapped.
 *
 * <p><b>Threading:</b> one thread.
 */
final class DynamoExport implements StreamExport {
    private final Set<Integer> blockSizes = new HashSet<>();
    private final Map<String, Long> ends = new HashMap<>();
    private long rows;
    private long overlapping;
    private long named;
    private long nameless;
    private long originMs = -1;

    @Override
    public void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException {
        try (TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                DynamoRow row = row(record, options, notices);
                if (row != null) {
                    originMs = rows++ == 0 ? row.epochMs() : originMs;
                    row.writeLine(out, Math.max(0, row.epochMs() - originMs));
                    count(record);
                }
            }
        }
        notices.add("written: rows", rows);
        if (named > 0) {
            notices.add(
                    "requests without a session beside others, which Dynamo's replay refuses (--agents-only)",
                    nameless);
        }
        notices.add(
                "requests that overlap another of their session, which Dynamo's replay refuses (agentic-mooncake does not)",
                overlapping);
        if (blockSizes.size() > 1) {
            notices.add("block sizes in one trace, which Dynamo's replay refuses (--block-size)", blockSizes.size());
        }
    }

    /** The row of a record, or null with the reason counted. */
    static DynamoRow row(TraceRecord record, ExportOptions options, Notices notices) {
        if (!RecordFilter.takes(record, options, notices)) {
            return null;
        }
        SkippedRow skipped = DynamoTraceJson.skipped(record);
        if (skipped != null) {
            notices.add("left out: records without a row in Dynamo's trace, " + skipped.label());
            return null;
        }
        return DynamoTraceJson.row(record);
    }

    private void count(TraceRecord record) {
        if (record.kind == TraceRecord.Kind.REQUEST_END) {
            blockSizes.add(record.blockSize);
            if (record.agent.hasSession()) {
                named++;
                countOverlap(record);
            } else {
                nameless++;
            }
        }
    }

    /** In order of their ends, some two of a session overlap if and only if one overlaps the one before. */
    private void countOverlap(TraceRecord record) {
        RequestSpan span = RequestSpan.of(record);
        Long before = ends.put(record.agent.session(), span.endMs());
        if (before != null && span.startMs() < before) {
            overlapping++;
        }
    }
}
