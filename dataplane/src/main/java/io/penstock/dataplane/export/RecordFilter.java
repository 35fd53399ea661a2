package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * Which records go into a format that holds all kinds.
 *
 * <p><b>Threading:</b> immutable.
 */
final class RecordFilter {
    private RecordFilter() {}

    /** Whether the record is taken; if not, the reason is counted. */
    static boolean takes(TraceRecord record, ExportOptions options, Notices notices) {
        if (options.agentsOnly() && !record.agent.hasSession()) {
            notices.add("left out: records without a session");
            return false;
        }
        boolean request = record.kind == TraceRecord.Kind.REQUEST_END;
        if (request && options.blockSize() > 0 && record.blockSize != options.blockSize()) {
            notices.add("left out: requests with blocks of another size than " + options.blockSize());
            return false;
        }
        return true;
    }
}
