package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.openhft.hashing.LongHashFunction;

/**
 * Writes records of the journal as rows of Dynamo's request trace, schema {@value DynamoRow#SCHEMA} as of Dynamo 1.6.1.
 *
 * <p>I1: what is absent is left out, there is no null. I2: hashes are unsigned 64-bit numbers. I3: doubles are finite.
 * I4: what a router cannot see (when prefill began, the engine's own wait and transfers) is left out. I5: a row is one
 * line.
 *
 * <p>A request without a session is told in the short shape: no agent, no model, no client's name, no finish reasons.
 *
 * <p><b>Threading:</b> immutable, thread-safe. <b>Cost:</b> allocates; not for the core's thread.
 */
public final class DynamoTraceJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final LongHashFunction NAMES = LongHashFunction.xx3();
    private static final int WORKER_ID_SHIFT = 11;

    private DynamoTraceJson() {}

    /** Why {@code record} has no row, or null if it has one. */
    public static SkippedRow skipped(TraceRecord record) {
        DynamoEvent event = DynamoEvent.of(record.kind);
        if (event == null) {
            return SkippedRow.NOT_IN_DYNAMO;
        }
        if (event.isTool()) {
            return !record.agent.hasSession()
                    ? SkippedRow.NO_SESSION
                    : record.toolCallId == null || record.toolClass == null ? SkippedRow.NAMELESS_TOOL : null;
        }
        if (record.choices.size() > 1) {
            return SkippedRow.SEVERAL_CHOICES;
        }
        if (record.blockSize <= 0 || !record.exact || record.inputTokens < 0) {
            return SkippedRow.NO_TOKEN_HASHES;
        }
        return record.traceHashCount() == blocks(record) ? null : SkippedRow.HASHES_DO_NOT_FIT;
    }

    /**
     * The row of a record: {@code request_end} or a tool's.
     *
     * @throws IllegalArgumentException if it has none, see {@link #skipped}
     */
    public static DynamoRow row(TraceRecord record) {
        SkippedRow skipped = skipped(record);
        if (skipped != null) {
            throw new IllegalArgumentException("this record has no row in a Dynamo trace: reason=" + skipped.label());
        }
        DynamoEvent event = DynamoEvent.of(record.kind);
        long epochMs = event.isTool() ? record.epochMs : endMs(record);
        boolean agent = record.agent.hasSession();
        byte[] json = object(out -> {
            head(out, event, epochMs, event.isTool() ? "harness" : agent ? "dynamo" : null);
            if (agent) {
                agent(out, record.agent);
            }
            if (event.isTool()) {
                tool(out, record);
            } else {
                request(out, record, agent);
            }
        });
        return new DynamoRow(
                event,
                epochMs,
                event.isTool() ? null : record.requestId,
                agent && !event.isTool() ? record.model : null,
                null,
                null,
                null,
                json);
    }

    /** The row of a request's content, which the record must have: body as the client sent it, answer as one object. */
    public static DynamoRow payload(TraceRecord record) {
        return PayloadRow.of(record);
    }

    /** The number that stands for a worker's name: XXH3-64 without its lowest 11 bits, so that any JSON reader keeps it. */
    public static long workerId(String worker) {
        return NAMES.hashBytes(worker.getBytes(StandardCharsets.UTF_8)) >>> WORKER_ID_SHIFT;
    }

    /** What is written between the braces of an object. */
    interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    static byte[] object(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            body.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a row cannot be written to memory", impossible);
        }
        return bytes.toByteArray();
    }

    static void head(JsonGenerator out, DynamoEvent event, long epochMs, String source) throws IOException {
        out.writeStringField("schema", DynamoRow.SCHEMA);
        out.writeStringField("event_type", event.wire());
        out.writeNumberField("event_time_unix_ms", epochMs);
        text(out, "event_source", source);
    }

    private static long endMs(TraceRecord record) {
        if (record.receivedMs >= 0 && Double.isFinite(record.totalMs)) {
            return record.receivedMs + Math.round(Math.max(0, record.totalMs));
        }
        return record.agent.hasSession() && record.receivedMs >= 0 ? record.receivedMs : record.epochMs;
    }

    private static void agent(JsonGenerator out, AgentContext agent) throws IOException {
        out.writeObjectFieldStart("agent_context");
        out.writeStringField("session_id", agent.session());
        text(out, "parent_session_id", agent.parent());
        if (agent.sessionFinal() != null) {
            out.writeBooleanField("session_final", agent.sessionFinal());
        }
        if (!agent.agentHeaders().isEmpty()) {
            out.writeObjectFieldStart("agent_headers");
            for (Map.Entry<String, List<String>> header : agent.agentHeaders().entrySet()) {
                out.writeArrayFieldStart(header.getKey());
                for (String value : header.getValue()) {
                    out.writeString(value);
                }
                out.writeEndArray();
            }
            out.writeEndObject();
        }
        text(
                out,
                "input_trigger",
                agent.inputTrigger() == null ? null : agent.inputTrigger().wire());
        out.writeEndObject();
    }

    private static void request(JsonGenerator out, TraceRecord record, boolean agent) throws IOException {
        out.writeObjectFieldStart("request");
        out.writeStringField("request_id", record.requestId);
        if (agent) {
            text(out, "x_request_id", record.clientRequestId);
            text(out, "model", record.model);
        }
        count(out, "input_tokens", record.inputTokens);
        // Readers refuse a row without it: a request that never got so far has produced none.
        out.writeNumberField("output_tokens", Math.max(0, record.outputTokens));
        count(
                out,
                "cached_tokens",
                record.predictedCachedTokens >= 0 ? record.predictedCachedTokens : record.cachedTokens);
        count(out, "request_received_ms", record.receivedMs);
        number(out, "ttft_ms", record.firstTokenMs);
        number(out, "total_time_ms", record.totalMs);
        if (record.outputTokens >= 2) {
            number(out, "avg_itl_ms", (record.totalMs - record.firstTokenMs) / (record.outputTokens - 1));
        }
        if (record.overlapBlocks >= 0 && blocks(record) > 0) {
            number(out, "kv_hit_rate", Math.min(1.0, (double) record.overlapBlocks / blocks(record)));
        }
        worker(out, record);
        replay(out, record);
        if (agent) {
            finish(out, record);
        }
        out.writeEndObject();
    }

    private static void worker(JsonGenerator out, TraceRecord record) throws IOException {
        if (record.worker == null) {
            return;
        }
        long id = workerId(record.worker);
        out.writeObjectFieldStart("worker");
        out.writeNumberField("prefill_worker_id", id);
        count(out, "prefill_dp_rank", record.rank);
        out.writeNumberField("decode_worker_id", id);
        count(out, "decode_dp_rank", record.rank);
        out.writeEndObject();
    }

    private static void replay(JsonGenerator out, TraceRecord record) throws IOException {
        out.writeObjectFieldStart("replay");
        out.writeNumberField("trace_block_size", record.blockSize);
        out.writeNumberField("input_length", record.inputTokens);
        out.writeArrayFieldStart("input_sequence_hashes");
        for (int i = 0; i < record.traceHashCount(); i++) {
            out.writeNumber(Long.toUnsignedString(record.traceHash(i)));
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void finish(JsonGenerator out, TraceRecord record) throws IOException {
        String stopReason =
                record.choices.isEmpty() ? null : record.choices.getLast().stopReason();
        if (record.finishReason == null
                && stopReason == null
                && record.toolCalls.isEmpty()
                && record.choices.isEmpty()) {
            return;
        }
        out.writeObjectFieldStart("finish_reason_metadata");
        reasons(out, record.finishReason, stopReason);
        if (!record.toolCalls.isEmpty()) {
            out.writeArrayFieldStart("tool_calls");
            for (TraceRecord.ToolCall call : record.toolCalls) {
                out.writeStartObject();
                out.writeNumberField("choice_index", call.choice());
                out.writeNumberField("tool_call_index", call.index());
                text(out, "id", call.id());
                text(out, "name", call.name());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        if (!record.choices.isEmpty()) {
            out.writeArrayFieldStart("choices");
            for (TraceRecord.ChoiceEnd choice : record.choices) {
                out.writeStartObject();
                out.writeNumberField("choice_index", choice.index());
                reasons(out, choice.finishReason(), choice.stopReason());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        out.writeEndObject();
    }

    private static void reasons(JsonGenerator out, String finish, String stop) throws IOException {
        text(out, "finish_reason", FinishReasons.openAi(finish));
        text(out, "backend_finish_reason", FinishReasons.own(finish));
        if (stop != null && stop.matches("-?\\d{1,18}")) {
            // A token's number; the record keeps both as text.
            out.writeNumberField("stop_reason", Long.parseLong(stop));
        } else {
            text(out, "stop_reason", stop);
        }
    }

    private static void tool(JsonGenerator out, TraceRecord record) throws IOException {
        out.writeObjectFieldStart("tool");
        out.writeStringField("tool_call_id", record.toolCallId);
        out.writeStringField("tool_class", record.toolClass);
        count(out, "started_at_unix_ms", record.toolStartedMs);
        count(out, "ended_at_unix_ms", record.toolEndedMs);
        text(out, "status", record.toolStatus);
        number(out, "duration_ms", record.toolMs);
        count(out, "output_tokens", record.toolOutputTokens);
        count(out, "output_bytes", record.toolOutputBytes);
        text(out, "tool_name_hash", record.toolNameHash);
        text(out, "error_type", record.toolErrorType);
        out.writeEndObject();
    }

    private static int blocks(TraceRecord record) {
        return Math.ceilDiv(record.inputTokens, record.blockSize);
    }

    static void text(JsonGenerator out, String name, String value) throws IOException {
        if (value != null) {
            out.writeStringField(name, value);
        }
    }

    private static void count(JsonGenerator out, String name, long value) throws IOException {
        if (value >= 0) {
            out.writeNumberField(name, value);
        }
    }

    private static void number(JsonGenerator out, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            out.writeNumberField(name, value);
        }
    }
}
