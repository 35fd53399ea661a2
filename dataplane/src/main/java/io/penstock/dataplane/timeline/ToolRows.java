package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Tool rows to spans: a row that ends a tool takes its times from itself, else from the start row of the same call.
 *
 * <p>Preferred: start and end; start and duration; end (or the row's time) minus duration; the start row's time to the
 * row's; else a visible stub. A start row without an end stays a mark.
 *
 * <p><b>Threading:</b> one thread.
 */
final class ToolRows {
    private record Call(Session session, String id) {}

    private record Started(Session session, long ms, String callId, String toolClass, String status) {}

    private final Map<Call, Deque<Started>> open = new HashMap<>();

    void add(Session session, TraceRecord row) {
        Call call = new Call(session, row.toolCallId);
        String toolClass = Objects.requireNonNullElse(row.toolClass, "tool");
        if (row.kind == TraceRecord.Kind.TOOL_START) {
            long began = row.toolStartedMs >= 0 ? row.toolStartedMs : row.epochMs;
            open.computeIfAbsent(call, any -> new ArrayDeque<>())
                    .push(new Started(session, began, row.toolCallId, toolClass, row.toolStatus));
            return;
        }
        Deque<Started> starts = open.get(call);
        Started start = starts == null ? null : starts.poll();
        double[] span = span(row, start);
        boolean synthetic = span == null;
        session.tools.add(new ToolSpan(
                session,
                synthetic ? row.epochMs : span[0],
                synthetic ? ToolSpan.UNKNOWN_MS : span[1] - span[0],
                row.toolCallId,
                toolClass,
                row.kind == TraceRecord.Kind.TOOL_ERROR ? ToolSpan.State.FAILED : ToolSpan.State.DONE,
                synthetic ? ToolSpan.Source.TOLD_WITHOUT_DURATION : ToolSpan.Source.TOLD,
                row.toolStatus,
                row.toolErrorType,
                row.toolOutputTokens,
                row.toolOutputBytes,
                null,
                null));
    }

    private static double[] span(TraceRecord row, Started start) {
        boolean began = row.toolStartedMs >= 0;
        boolean ended = row.toolEndedMs >= 0;
        double end = ended ? row.toolEndedMs : row.epochMs;
        if (began && ended && row.toolEndedMs > row.toolStartedMs) {
            return new double[] {row.toolStartedMs, row.toolEndedMs};
        }
        if (row.toolMs > 0) {
            return began
                    ? new double[] {row.toolStartedMs, row.toolStartedMs + row.toolMs}
                    : new double[] {end - row.toolMs, end};
        }
        return start != null && row.epochMs > start.ms ? new double[] {start.ms, row.epochMs} : null;
    }

    /** Leaves a mark for each tool whose end was not seen. */
    void finish() {
        open.values()
                .forEach(starts -> starts.forEach(start -> start.session.tools.add(new ToolSpan(
                        start.session,
                        start.ms,
                        0,
                        start.callId,
                        start.toolClass,
                        ToolSpan.State.RUNNING,
                        ToolSpan.Source.TOLD,
                        start.status,
                        null,
                        TraceRecord.UNKNOWN,
                        TraceRecord.UNKNOWN,
                        null,
                        null))));
        open.clear();
    }
}
