package io.penstock.dataplane.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.sinks.DynamoTraceJson;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A request of the journal as the companions of trajectories tell it, and the sums of several. What is not known is left
 * out; messages and content are there only where the journal has payloads.
 *
 * <p><b>Threading:</b> stateless.
 */
final class JoinedJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JoinedJson() {}

    /** One request. */
    static ObjectNode record(TraceRecord record) {
        ObjectNode node = NODES.objectNode();
        node.put("request_id", record.requestId);
        text(node, "x_request_id", record.clientRequestId);
        text(node, "model", record.model);
        count(node, "request_received_ms", record.receivedMs);
        ObjectNode input = node.putObject("input");
        JsonNode messages = body(record.requestPayload).path("messages");
        if (messages.isArray()) {
            input.set("messages", messages);
        }
        count(input, "input_tokens", record.inputTokens);
        count(input, "cached_tokens", cached(record));
        ObjectNode output = node.putObject("output");
        JsonNode content = body(record.responsePayload).at("/choices/0/message/content");
        if (content.isTextual()) {
            output.set("content", content);
        }
        count(output, "output_tokens", record.outputTokens);
        number(output, "ttft_ms", record.firstTokenMs);
        number(output, "total_time_ms", record.totalMs);
        number(output, "kv_hit_rate", hitRate(record));
        text(output, "finish_reason", record.finishReason);
        if (record.worker != null) {
            ObjectNode worker = node.putObject("worker");
            long id = DynamoTraceJson.workerId(record.worker);
            worker.put("prefill_worker_id", id);
            worker.put("decode_worker_id", id);
            count(worker, "decode_dp_rank", record.rank);
            worker.put("name", record.worker);
        }
        return node;
    }

    /** Sums and means of some requests, of those that know the number. */
    static ObjectNode summary(Collection<TraceRecord> records) {
        ObjectNode node = NODES.objectNode();
        node.put("n_records", records.size());
        sum(node, "total_input_tokens", records, record -> record.inputTokens);
        sum(node, "total_cached_tokens", records, JoinedJson::cached);
        sum(node, "total_output_tokens", records, record -> record.outputTokens);
        mean(records, JoinedJson::hitRate).ifPresent(mean -> node.put("mean_kv_hit_rate", mean));
        mean(records, record -> record.firstTokenMs).ifPresent(mean -> node.put("mean_ttft_ms", mean));
        return node;
    }

    /** The numbers of one step, which most often is one request. */
    static ObjectNode step(List<TraceRecord> records) {
        ObjectNode node = NODES.objectNode();
        records.forEach(record -> node.withArray("request_ids").add(record.requestId));
        sum(node, "input_tokens", records, record -> record.inputTokens);
        sum(node, "cached_tokens", records, JoinedJson::cached);
        sum(node, "output_tokens", records, record -> record.outputTokens);
        number(node, "ttft_ms", records.getFirst().firstTokenMs);
        double total = records.stream().mapToDouble(record -> record.totalMs).sum();
        number(node, "total_time_ms", total);
        mean(records, JoinedJson::hitRate).ifPresent(mean -> node.put("kv_hit_rate", mean));
        return node;
    }

    /** One tool call, by its last event. */
    static ObjectNode tool(TraceRecord record) {
        ObjectNode node = NODES.objectNode();
        node.put("tool_call_id", record.toolCallId);
        text(node, "tool_class", record.toolClass);
        text(node, "status", record.toolStatus);
        count(node, "started_at_unix_ms", record.toolStartedMs);
        count(node, "ended_at_unix_ms", record.toolEndedMs);
        number(node, "duration_ms", record.toolMs);
        text(node, "error_type", record.toolErrorType);
        return node;
    }

    /** The engine's count before the router's expectation: this is about what was, not about what was decided. */
    private static int cached(TraceRecord record) {
        return record.cachedTokens >= 0 ? record.cachedTokens : record.predictedCachedTokens;
    }

    private static double hitRate(TraceRecord record) {
        if (record.overlapBlocks < 0 || record.blockSize <= 0 || record.inputTokens <= 0) {
            return Double.NaN;
        }
        return Math.min(1.0, (double) record.overlapBlocks / Math.ceilDiv(record.inputTokens, record.blockSize));
    }

    private static JsonNode body(byte[] payload) {
        try {
            return payload == null ? NODES.missingNode() : MAPPER.readTree(payload);
        } catch (IOException notJson) {
            // A stream of events, or a body cut short: the numbers are good all the same.
            return NODES.missingNode();
        }
    }

    private static void sum(
            ObjectNode node, String name, Collection<TraceRecord> records, ToDoubleFunction<TraceRecord> value) {
        if (records.stream().anyMatch(record -> value.applyAsDouble(record) >= 0)) {
            node.put(name, (long) records.stream()
                    .mapToDouble(value)
                    .filter(each -> each >= 0)
                    .sum());
        }
    }

    private static OptionalDouble mean(Collection<TraceRecord> records, ToDoubleFunction<TraceRecord> value) {
        return records.stream().mapToDouble(value).filter(Double::isFinite).average();
    }

    private static void text(ObjectNode node, String name, String value) {
        if (value != null) {
            node.put(name, value);
        }
    }

    private static void count(ObjectNode node, String name, long value) {
        if (value >= 0) {
            node.put(name, value);
        }
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        }
    }
}
