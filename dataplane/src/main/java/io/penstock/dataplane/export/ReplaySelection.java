package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.HashSet;
import java.util.Set;

/**
 * Which records can be played again: requests with hashes of tokens, a length, and an answer.
 *
 * <p><b>Threading:</b> one thread.
 */
final class ReplaySelection {
    private final ExportOptions options;
    private final Notices notices;
    private final Set<String> ids = new HashSet<>();

    ReplaySelection(ExportOptions options, Notices notices) {
        this.options = options;
        this.notices = notices;
    }

    /** Whether the record is taken; if not, the reason is counted. */
    boolean takes(TraceRecord record) {
        String reason = reasonAgainst(record);
        if (reason != null) {
            notices.add("left out: " + reason);
        }
        return reason == null;
    }

    private String reasonAgainst(TraceRecord record) {
        if (record.kind != TraceRecord.Kind.REQUEST_END) {
            return "records that are no requests (tools, admission, hints)";
        }
        if (record.requestId == null || record.requestId.isEmpty() || !ids.add(record.requestId)) {
            return "requests without an id of their own";
        }
        if (options.agentsOnly() && !record.agent.hasSession()) {
            return "requests without a session";
        }
        if (record.choices.size() > 1) {
            return "requests with several choices";
        }
        if (record.outputTokens == 0) {
            return "requests that got no output";
        }
        if (record.outputTokens < 0) {
            return "requests whose output was not counted";
        }
        return reasonAgainstPrompt(record);
    }

    private String reasonAgainstPrompt(TraceRecord record) {
        if (record.inputTokens <= 0) {
            return "requests whose prompt was not counted";
        }
        if (record.blockSize <= 0 || record.traceHashCount() == 0) {
            return "requests without hashes";
        }
        if (record.partial && record.hashCount != record.inputTokens / record.blockSize) {
            return "requests whose full blocks went with an older part of the journal";
        }
        if (!record.exact && !options.estimated()) {
            return "requests whose hashes are of text (--estimated takes them)";
        }
        return null;
    }
}
