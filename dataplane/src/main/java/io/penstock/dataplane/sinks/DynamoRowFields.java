package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fills records from the fields of a row of Dynamo's trace. A field of another type than Dynamo's counts as absent.
 *
 * <p><b>Threading:</b> immutable, thread-safe.
 */
final class DynamoRowFields {
    private DynamoRowFields() {}

    /** The record of a row, or null if the row does not say what its event must. */
    static TraceRecord record(DynamoEvent event, JsonNode row) {
        TraceRecord record = new TraceRecord();
        record.kind = event.kind();
        record.epochMs = count(row, "event_time_unix_ms");
        record.agent = agent(row.path("agent_context"));
        return event.isTool()
                ? tool(record, row.path("tool")) && record.agent.hasSession() ? record : null
                : request(record, row.path("request")) ? record : null;
    }

    /** The agent of a context object, {@link AgentContext#NONE} without a session. */
    static AgentContext agent(JsonNode context) {
        String session = text(context, "session_id");
        if (session == null) {
            return AgentContext.NONE;
        }
        JsonNode last = context.path("session_final");
        return new AgentContext(
                session,
                text(context, "parent_session_id"),
                last.isBoolean() ? last.booleanValue() : null,
                trigger(text(context, "input_trigger")),
                headers(context.path("agent_headers")),
                IdentitySource.DYNAMO,
                null);
    }

    private static InputTrigger trigger(String wire) {
        for (InputTrigger trigger : InputTrigger.values()) {
            if (trigger.wire().equals(wire)) {
                return trigger;
            }
        }
        return null;
    }

    private static Map<String, List<String>> headers(JsonNode object) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            List<String> values = new ArrayList<>();
            for (JsonNode value : field.getValue()) {
                if (value.isTextual()) {
                    values.add(value.textValue());
                }
            }
            headers.put(field.getKey(), List.copyOf(values));
        }
        return Collections.unmodifiableMap(headers);
    }

    /** Fills the tool's fields; false without call or class. */
    static boolean tool(TraceRecord record, JsonNode tool) {
        record.toolCallId = text(tool, "tool_call_id");
        record.toolClass = text(tool, "tool_class");
        record.toolStatus = status(text(tool, "status"));
        record.toolStartedMs = count(tool, "started_at_unix_ms");
        record.toolEndedMs = count(tool, "ended_at_unix_ms");
        record.toolMs = number(tool, "duration_ms");
        record.toolOutputTokens = count(tool, "output_tokens");
        record.toolOutputBytes = count(tool, "output_bytes");
        record.toolNameHash = text(tool, "tool_name_hash");
        record.toolErrorType = text(tool, "error_type");
        return record.toolCallId != null && record.toolClass != null;
    }

    /** Older words for a tool's status in today's; null for what is none. */
    static String status(String word) {
        return word == null
                ? null
                : switch (word) {
                    case "running", "succeeded", "error", "cancelled" -> word;
                    case "ok", "success" -> "succeeded";
                    case "failed" -> "error";
                    case "canceled", "timeout" -> "cancelled";
                    default -> null;
                };
    }

    private static boolean request(TraceRecord record, JsonNode request) {
        record.requestId = text(request, "request_id");
        record.clientRequestId = text(request, "x_request_id");
        record.model = text(request, "model");
        record.inputTokens = small(request, "input_tokens");
        record.outputTokens = small(request, "output_tokens");
        record.predictedCachedTokens = small(request, "cached_tokens");
        record.receivedMs = count(request, "request_received_ms");
        record.firstTokenMs = number(request, "ttft_ms");
        record.totalMs = number(request, "total_time_ms");
        JsonNode worker = request.path("worker");
        record.worker = scalar(worker.path(worker.has("decode_worker_id") ? "decode_worker_id" : "prefill_worker_id"));
        record.rank = small(worker, worker.has("decode_dp_rank") ? "decode_dp_rank" : "prefill_dp_rank");
        replay(record, request.path("replay"));
        double hitRate = number(request, "kv_hit_rate");
        if (Double.isFinite(hitRate)) {
            record.overlapBlocks = (int) Math.round(hitRate * record.traceHashCount());
        }
        finish(record, request.path("finish_reason_metadata"));
        return record.requestId != null && !record.requestId.isEmpty();
    }

    private static void replay(TraceRecord record, JsonNode replay) {
        record.blockSize = Math.max(0, small(replay, "trace_block_size"));
        int length = small(replay, "input_length");
        record.inputTokens = length >= 0 ? length : record.inputTokens;
        JsonNode hashes = replay.path("input_sequence_hashes");
        int full = hashes.size();
        if (record.blockSize > 0 && length % record.blockSize > 0 && full == Math.ceilDiv(length, record.blockSize)) {
            record.partial = true;
            record.partialHash = hash(hashes.get(--full));
        }
        record.exact = record.blockSize > 0;
        record.hashCount = full;
        record.hashes = new long[full];
        for (int i = 0; i < full; i++) {
            record.hashes[i] = hash(hashes.get(i));
        }
    }

    /** An unsigned 64-bit number as its bits. */
    private static long hash(JsonNode value) {
        return value.bigIntegerValue().longValue();
    }

    private static void finish(TraceRecord record, JsonNode finish) {
        record.finishReason = reason(finish);
        for (JsonNode choice : finish.path("choices")) {
            record.choices.add(new TraceRecord.ChoiceEnd(
                    small(choice, "choice_index"), reason(choice), scalar(choice.path("stop_reason"))));
        }
        for (JsonNode call : finish.path("tool_calls")) {
            record.toolCalls.add(new TraceRecord.ToolCall(
                    small(call, "choice_index"), small(call, "tool_call_index"), text(call, "id"), text(call, "name")));
        }
    }

    private static String reason(JsonNode node) {
        String reason = text(node, "finish_reason");
        return reason != null ? reason : text(node, "backend_finish_reason");
    }

    private static String scalar(JsonNode node) {
        return node.isTextual() || node.isIntegralNumber() ? node.asText() : null;
    }

    static String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isTextual() ? value.textValue() : null;
    }

    static long count(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.canConvertToLong() && value.isIntegralNumber() && value.longValue() >= 0
                ? value.longValue()
                : TraceRecord.UNKNOWN;
    }

    private static int small(JsonNode node, String name) {
        long value = count(node, name);
        return value > Integer.MAX_VALUE ? TraceRecord.UNKNOWN : (int) value;
    }

    static double number(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isNumber() && Double.isFinite(value.doubleValue()) ? value.doubleValue() : Double.NaN;
    }
}
