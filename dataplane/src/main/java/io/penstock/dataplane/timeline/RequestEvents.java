package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A request as slices: the whole, and below it its stages.
 *
 * <p><b>Threading:</b> stateless.
 */
final class RequestEvents {
    private static final String WHOLE = "dynamo.llm";
    private static final String STAGE = "dynamo.llm.stage";

    private RequestEvents() {}

    static List<TraceEvent> of(RequestSpan request, int tid) {
        List<TraceEvent> events = new ArrayList<>(4);
        String name = "LLM request: " + Objects.requireNonNullElse(request.model(), "unknown-model");
        events.add(TraceEvent.slice(name, WHOLE, request.startMs(), request.durationMs(), tid, args(request)));
        double boundary = request.boundaryMs();
        double waiting = request.waitingMs();
        stage(events, request, "waiting", 0, waiting, tid, "routed_ms", request.routedMs());
        // Without a first token nobody knows where prefill ended.
        if (!Double.isNaN(request.firstTokenMs())) {
            stage(events, request, "prefill", waiting, boundary, tid, "ttft_ms", request.firstTokenMs());
            stage(
                    events,
                    request,
                    "decode",
                    boundary,
                    request.durationMs(),
                    tid,
                    "avg_itl_ms",
                    request.averageTokenMs());
        }
        return events;
    }

    private static void stage(
            List<TraceEvent> events,
            RequestSpan request,
            String name,
            double fromMs,
            double toMs,
            int tid,
            String metric,
            double value) {
        if (TraceEvent.us(toMs - fromMs) > 0) {
            Map<String, Object> args = new LinkedHashMap<>();
            args.put("request_id", request.requestId());
            args.put("x_request_id", request.clientRequestId());
            args.put("model", request.model());
            args.put(metric, value);
            if (name.equals("decode")) {
                args.put("output_tokens", known(request.outputTokens()));
            }
            events.add(TraceEvent.slice(name, STAGE, request.startMs() + fromMs, toMs - fromMs, tid, args));
        }
    }

    private static Map<String, Object> args(RequestSpan request) {
        Map<String, Object> args = new LinkedHashMap<>();
        args.put("session_id", request.session().name());
        args.put("parent_session_id", request.session().parentName);
        args.put("event_time_unix_ms", request.epochMs());
        args.put("request_id", request.requestId());
        args.put("x_request_id", request.clientRequestId());
        args.put("model", request.model());
        args.put("api", request.api());
        args.put("input_tokens", known(request.inputTokens()));
        args.put("output_tokens", known(request.outputTokens()));
        args.put("cached_tokens", known(request.cachedTokens()));
        args.put("predicted_cached_tokens", known(request.predictedCachedTokens()));
        args.put("kv_hit_rate", request.hitRate());
        args.put("ttft_ms", request.firstTokenMs());
        args.put("total_time_ms", request.durationMs());
        args.put("avg_itl_ms", request.averageTokenMs());
        args.put("input_trigger", request.inputTrigger());
        args.put("worker.name", request.worker());
        args.put("http_status", known(request.status()));
        args.put("attempts", (long) request.attempts());
        args.put(
                "outcome",
                request.outcome() == null ? null : request.outcome().name().toLowerCase(Locale.ROOT));
        finish(request, args);
        return args;
    }

    private static void finish(RequestSpan request, Map<String, Object> args) {
        args.put("finish.finish_reason", request.finishReason());
        List<TraceRecord.ToolCall> calls = request.toolCalls();
        if (!calls.isEmpty()) {
            args.put("finish.tool_call_count", (long) calls.size());
            args.put(
                    "finish.tool_call_names",
                    calls.stream()
                            .map(call -> Objects.requireNonNullElse(call.name(), "?"))
                            .collect(Collectors.joining(", ")));
        }
        if (!request.choices().isEmpty()) {
            args.put("finish.choice_count", (long) request.choices().size());
            args.put(
                    "finish.choice_finish_reasons",
                    request.choices().stream()
                            .map(choice -> choice.index() + ":" + choice.finishReason())
                            .collect(Collectors.joining(", ")));
        }
    }

    private static Object known(int number) {
        return number < 0 ? null : (Object) (long) number;
    }
}
