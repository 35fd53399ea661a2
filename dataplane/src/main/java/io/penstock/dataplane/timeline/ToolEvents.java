package io.penstock.dataplane.timeline;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A tool as a slice, or as a mark when its end is not known.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ToolEvents {
    private static final String CATEGORY = "dynamo.agent.tool";

    private ToolEvents() {}

    static TraceEvent of(ToolSpan tool, int tid) {
        Map<String, Object> args = args(tool);
        return switch (tool.state()) {
            case RUNNING ->
                TraceEvent.instant("Tool start: " + tool.toolClass(), CATEGORY + ".marker", tool.startMs(), tid, args);
            case DONE ->
                TraceEvent.slice("Tool: " + tool.toolClass(), CATEGORY, tool.startMs(), tool.durationMs(), tid, args);
            case FAILED ->
                TraceEvent.slice(
                        "Tool error: " + tool.toolClass(), CATEGORY, tool.startMs(), tool.durationMs(), tid, args);
        };
    }

    private static Map<String, Object> args(ToolSpan tool) {
        Map<String, Object> args = new LinkedHashMap<>();
        args.put("session_id", tool.session().name());
        args.put("parent_session_id", tool.session().parentName);
        args.put("tool_call_id", tool.callId());
        args.put("tool_class", tool.toolClass());
        if (tool.source().isInferred()) {
            args.put("inferred", true);
            args.put("host_execution", false);
            args.put("event_type", "inferred_tool_call");
            args.put("event_source", "dynamo");
            args.put("source_request_id", tool.caller().requestId());
            if (tool.next() != null) {
                boolean overlaps = tool.source().isSynthetic();
                args.put(
                        overlaps ? "overlapping_request_id" : "next_request_id",
                        tool.next().requestId());
            }
            args.put("duration_unknown", tool.source().isSynthetic() ? true : null);
        } else {
            args.put("event_source", "harness");
            args.put("status", tool.statusText());
            args.put("error_type", tool.errorType());
            args.put("output_tokens", tool.outputTokens() < 0 ? null : tool.outputTokens());
            args.put("output_bytes", tool.outputBytes() < 0 ? null : tool.outputBytes());
        }
        if (tool.source().isSynthetic()) {
            args.put("synthetic_duration", true);
            args.put("visual_duration_ms", ToolSpan.UNKNOWN_MS);
        } else if (tool.state() != ToolSpan.State.RUNNING) {
            args.put("duration_ms", tool.durationMs());
        }
        return args;
    }
}
