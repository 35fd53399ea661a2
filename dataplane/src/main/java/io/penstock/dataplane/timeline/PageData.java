package io.penstock.dataplane.timeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.timeline.Columns.Type;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What the page draws, in columns. Times are ms since the first, numbers that nobody knows -1, durations NaN, texts number
 * 0; {@code data.js} reads it.
 *
 * <p><b>Threading:</b> one thread.
 */
final class PageData {
    private final Timeline timeline;
    private final double zero;
    private final Columns columns = new Columns();
    private final Names names = new Names();

    private PageData(Timeline timeline) {
        this.timeline = timeline;
        zero = Math.floor(timeline.startMs());
    }

    static byte[] of(Timeline timeline, String source) {
        PageData data = new PageData(timeline);
        ObjectNode head = data.columns.head();
        head.put("source", source);
        head.put("startMs", data.zero);
        head.put("spanMs", timeline.endMs() - data.zero);
        data.sessions(head);
        data.requests();
        data.tools();
        data.gaps();
        data.hints();
        ArrayNode texts = head.putArray("names");
        data.names.all().forEach(texts::add);
        return data.columns.toBytes();
    }

    private void sessions(ObjectNode head) {
        ArrayNode list = head.putArray("sessions");
        timeline.sessions().forEach(session -> list.add(session.name()));
        columns.add(
                "sessionParent",
                Type.I32,
                timeline.sessions(),
                session -> session.depth == 0 ? -1 : session.parent.order);
    }

    private void requests() {
        List<RequestSpan> all = timeline.requests();
        spans("request", all);
        columns.add("requestRouted", Type.F32, all, RequestSpan::routedMs);
        columns.add("requestFirst", Type.F32, all, RequestSpan::firstTokenMs);
        columns.add("requestInput", Type.I32, all, RequestSpan::inputTokens);
        columns.add("requestOutput", Type.I32, all, RequestSpan::outputTokens);
        columns.add("requestCached", Type.I32, all, RequestSpan::cachedTokens);
        columns.add("requestPredicted", Type.I32, all, RequestSpan::predictedCachedTokens);
        columns.add("requestWorker", Type.U16, all, request -> names.number(request.worker()));
        columns.add("requestModel", Type.U16, all, request -> names.number(request.model()));
        columns.add("requestApi", Type.U16, all, request -> names.number(request.api()));
        columns.add("requestFinish", Type.U16, all, request -> names.number(request.finishReason()));
        columns.add("requestTrigger", Type.U16, all, request -> names.number(request.inputTrigger()));
        columns.add("requestCalls", Type.U16, all, request -> names.number(calls(request)));
        columns.add("requestStatus", Type.U16, all, request -> Math.max(0, request.status()));
        columns.add("requestAttempts", Type.U8, all, RequestSpan::attempts);
        columns.add(
                "requestOutcome",
                Type.U16,
                all,
                request -> names.number(
                        request.outcome() == null ? null : request.outcome().name()));
        columns.addTexts("requestId", all.stream().map(RequestSpan::requestId)::iterator);
        columns.addTexts(
                "requestClientId",
                all.stream().map(request -> Objects.requireNonNullElse(request.clientRequestId(), ""))::iterator);
    }

    private static String calls(RequestSpan request) {
        return request.toolCalls().isEmpty()
                ? null
                : request.toolCalls().stream()
                        .map(TraceRecord.ToolCall::name)
                        .map(name -> Objects.requireNonNullElse(name, "?"))
                        .collect(Collectors.joining(", "));
    }

    private void tools() {
        List<ToolSpan> all = timeline.tools();
        spans("tool", all);
        columns.add("toolName", Type.U16, all, tool -> names.number(tool.toolClass()));
        columns.add("toolState", Type.U8, all, tool -> tool.state().ordinal());
        columns.add("toolSource", Type.U8, all, tool -> tool.source().ordinal());
        columns.add("toolStatus", Type.U16, all, tool -> names.number(status(tool)));
        columns.add("toolOutput", Type.I32, all, ToolSpan::outputTokens);
        columns.addTexts("toolCall", all.stream().map(tool -> Objects.requireNonNullElse(tool.callId(), ""))::iterator);
        Map<RequestSpan, Integer> order = new IdentityHashMap<>();
        List<RequestSpan> requests = timeline.requests();
        for (int i = 0; i < requests.size(); i++) {
            order.put(requests.get(i), i);
        }
        columns.add("toolCaller", Type.I32, all, tool -> tool.caller() == null ? -1 : order.get(tool.caller()));
    }

    private static String status(ToolSpan tool) {
        return tool.errorType() == null
                ? tool.statusText()
                : Objects.requireNonNullElse(tool.statusText(), "error") + ": " + tool.errorType();
    }

    private void gaps() {
        spans("gap", timeline.gaps());
        columns.add("gapKind", Type.U8, timeline.gaps(), gap -> gap.kind().ordinal());
    }

    private void hints() {
        List<Hint> all = timeline.hints();
        columns.add("hintStart", Type.F64, all, hint -> hint.epochMs() - zero);
        columns.add("hintAction", Type.U16, all, hint -> names.number(hint.action()));
        columns.add("hintAmount", Type.I32, all, hint -> Math.min(Integer.MAX_VALUE, hint.amount()));
        columns.add("hintWorker", Type.U16, all, hint -> names.number(hint.worker()));
    }

    private <T extends Span> void spans(String kind, List<T> all) {
        columns.add(kind + "Session", Type.I32, all, span -> span.session().order);
        columns.add(kind + "Start", Type.F64, all, span -> span.startMs() - zero);
        columns.add(kind + "Took", Type.F32, all, Span::durationMs);
    }
}
