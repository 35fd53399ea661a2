package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Tools that nobody told of, seen from the router: a model asked for them, and the session's next request brought what they
 * said. From the end of the one to the start of the other they may have run; how long of it is not known.
 *
 * <p><b>Threading:</b> stateless.
 */
final class InferredTools {
    private InferredTools() {}

    /** Adds to a session, whose requests are in order, what its tool rows leave out. */
    static void add(Session session) {
        Set<String> told = new HashSet<>();
        for (ToolSpan tool : session.tools) {
            if (tool.callId() != null && tool.state() != ToolSpan.State.RUNNING) {
                told.add(tool.callId());
            }
        }
        for (int i = 0; i < session.requests.size(); i++) {
            RequestSpan request = session.requests.get(i);
            RequestSpan next = i + 1 < session.requests.size() ? session.requests.get(i + 1) : null;
            for (TraceRecord.ToolCall call : request.toolCalls()) {
                if (call.id() == null || !told.contains(call.id())) {
                    session.tools.add(inferred(request, next, call));
                }
            }
        }
    }

    private static ToolSpan inferred(RequestSpan request, RequestSpan next, TraceRecord.ToolCall call) {
        boolean known = next != null && next.startMs() > request.endMs();
        return new ToolSpan(
                request.session(),
                request.endMs(),
                known ? next.startMs() - request.endMs() : ToolSpan.UNKNOWN_MS,
                call.id(),
                Objects.requireNonNullElse(call.name(), "tool"),
                ToolSpan.State.DONE,
                known ? ToolSpan.Source.INFERRED : ToolSpan.Source.INFERRED_WITHOUT_DURATION,
                null,
                null,
                TraceRecord.UNKNOWN,
                TraceRecord.UNKNOWN,
                request,
                next);
    }
}
