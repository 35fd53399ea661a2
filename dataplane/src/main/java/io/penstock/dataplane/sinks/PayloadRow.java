package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes the row of a request's content, {@code request_payload}: the body as the client sent it and the answer as one
 * object. No session is in it: its request's row has the same {@code request_id}.
 *
 * <p>Bodies of other APIs than chat keep their own form; {@code endpoint} says which.
 *
 * <p><b>Threading:</b> immutable, thread-safe.
 */
final class PayloadRow {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private PayloadRow() {}

    static DynamoRow of(TraceRecord record) {
        byte[] request = record.requestPayload == null ? null : oneLine(record.requestPayload);
        byte[] response = record.responsePayload == null ? null : answer(record);
        String reason = reason(record, request, response);
        String endpoint = endpoint(record.api);
        long epochMs = record.receivedMs >= 0 ? record.receivedMs : record.epochMs;
        byte[] json = DynamoTraceJson.object(out -> {
            DynamoTraceJson.head(out, DynamoEvent.REQUEST_PAYLOAD, epochMs, null);
            out.writeObjectFieldStart("payload");
            out.writeStringField("request_id", record.requestId);
            out.writeStringField("endpoint", endpoint);
            out.writeStringField("model", record.model == null ? "" : record.model);
            raw(out, "request", request);
            raw(out, "response", response);
            if (!record.capturedHeaders.isEmpty()) {
                out.writeObjectFieldStart("http_request_headers");
                for (Map.Entry<String, String> header : record.capturedHeaders.entrySet()) {
                    out.writeStringField(header.getKey(), header.getValue());
                }
                out.writeEndObject();
            }
            out.writeBooleanField("payload_complete", reason == null);
            DynamoTraceJson.text(out, "payload_drop_reason", reason);
            out.writeEndObject();
        });
        return new DynamoRow(
                DynamoEvent.REQUEST_PAYLOAD,
                epochMs,
                record.requestId,
                record.model,
                endpoint,
                reason == null,
                reason,
                json);
    }

    /** The same row without content: what is left of one that is too long for its way. */
    static DynamoRow marker(DynamoRow row, String reason) {
        byte[] json = DynamoTraceJson.object(out -> {
            DynamoTraceJson.head(out, DynamoEvent.REQUEST_PAYLOAD, row.epochMs(), null);
            out.writeObjectFieldStart("payload");
            out.writeStringField("request_id", row.requestId());
            out.writeStringField("endpoint", row.endpoint());
            out.writeStringField("model", row.model() == null ? "" : row.model());
            out.writeBooleanField("payload_complete", false);
            out.writeStringField("payload_drop_reason", reason);
            out.writeEndObject();
        });
        return new DynamoRow(
                row.event(), row.epochMs(), row.requestId(), row.model(), row.endpoint(), false, reason, json);
    }

    private static String reason(TraceRecord record, byte[] request, byte[] response) {
        if (record.outcome == Outcome.CANCELLED || record.outcome == Outcome.BROKEN) {
            return "response_stream_dropped";
        }
        if (record.responsePayload == null || record.responsePayload.length == 0) {
            return "empty_response_stream";
        }
        if (response == null) {
            return "aggregation_failed:the answer is not one of the API";
        }
        return request == null ? "unspecified" : null;
    }

    private static byte[] answer(TraceRecord record) {
        byte[] whole = oneLine(record.responsePayload);
        return whole != null ? whole : StreamedAnswer.of(record.responsePayload);
    }

    /** Dynamo's word for an API; the same manner for those that it converts to chat. */
    static String endpoint(String api) {
        String path = api == null ? "" : api;
        return path.endsWith("/chat/completions")
                ? "openai.chat_completion"
                : path.endsWith("/completions")
                        ? "openai.completion"
                        : path.endsWith("/responses")
                                ? "openai.response"
                                : path.endsWith("/messages") ? "anthropic.message" : path;
    }

    /** A document of JSON without the blanks and line ends between its parts; null if it is none. */
    static byte[] oneLine(byte[] document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(document.length);
        try (JsonParser in = JSON.createParser(document);
                JsonGenerator out = JSON.createGenerator(bytes)) {
            if (in.nextToken() == null) {
                return null;
            }
            out.copyCurrentStructureExact(in);
            if (in.nextToken() != null) {
                return null;
            }
        } catch (IOException notJson) {
            return null;
        }
        return bytes.toByteArray();
    }

    private static void raw(JsonGenerator out, String name, byte[] json) throws IOException {
        if (json != null) {
            out.writeFieldName(name);
            out.writeRawValue(new String(json, StandardCharsets.UTF_8));
        }
    }
}
