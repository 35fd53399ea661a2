package io.penstock.dataplane.tail;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * A record as a flat JSON object: what is not known is left out, hashes are counted only, payloads never printed. Names
 * are those of {@link TraceRecord}. Rows for other tools come from {@code penstock export}.
 *
 * <p><b>Threading:</b> immutable.
 */
final class TailJson implements LineFormat {
    private final JsonFactory factory = new JsonFactory();

    @Override
    public String line(TraceRecord record, int depth) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = factory.createGenerator(text)) {
            json.writeStartObject();
            text(json, "kind", record.kind.name().toLowerCase(Locale.ROOT));
            number(json, "epochMs", record.epochMs);
            agent(json, record, depth);
            switch (record.kind) {
                case REQUEST_END -> request(json, record);
                case TOOL_START, TOOL_END, TOOL_ERROR -> tool(json, record);
                case ADMISSION, HINT -> action(json, record);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("no file is written to", e);
        }
        return text.toString();
    }

    private static void agent(JsonGenerator json, TraceRecord record, int depth) throws IOException {
        text(json, "session", record.agent.session());
        text(json, "parent", record.agent.parent());
        text(json, "group", record.agent.group());
        if (record.agent.session() != null) {
            json.writeNumberField("depth", depth);
        }
        if (record.agent.sessionFinal() != null) {
            json.writeBooleanField("sessionFinal", record.agent.sessionFinal());
        }
        if (record.agent.inputTrigger() != null) {
            text(json, "inputTrigger", record.agent.inputTrigger().wire());
        }
    }

    private static void request(JsonGenerator json, TraceRecord record) throws IOException {
        text(json, "requestId", record.requestId);
        text(json, "clientRequestId", record.clientRequestId);
        text(json, "api", record.api);
        text(json, "model", record.model);
        text(
                json,
                "outcome",
                record.outcome == null ? null : record.outcome.name().toLowerCase(Locale.ROOT));
        number(json, "status", record.status);
        number(json, "attempts", record.attempts);
        place(json, record);
        number(json, "inputTokens", record.inputTokens);
        number(json, "outputTokens", record.outputTokens);
        number(json, "predictedCachedTokens", record.predictedCachedTokens);
        number(json, "cachedTokens", record.cachedTokens);
        number(json, "hitRate", HitRate.of(record));
        number(json, "overlapBlocks", record.overlapBlocks);
        if (record.blockSize > 0) {
            json.writeNumberField("blockSize", record.blockSize);
            json.writeNumberField("blocks", record.hashCount);
            json.writeBooleanField("exact", record.exact);
        }
        number(json, "receivedMs", record.receivedMs);
        number(json, "routedMs", record.routedMs);
        number(json, "firstTokenMs", record.firstTokenMs);
        number(json, "totalMs", record.totalMs);
        number(json, "waitNs", record.waitNs);
        text(json, "finishReason", record.finishReason);
        calls(json, record);
    }

    private static void calls(JsonGenerator json, TraceRecord record) throws IOException {
        if (!record.toolCalls.isEmpty()) {
            json.writeArrayFieldStart("toolCalls");
            for (TraceRecord.ToolCall call : record.toolCalls) {
                json.writeStartObject();
                text(json, "id", call.id());
                text(json, "name", call.name());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    private static void place(JsonGenerator json, TraceRecord record) throws IOException {
        text(json, "worker", record.worker);
        number(json, "rank", record.rank);
        number(json, "slot", record.slot);
    }

    private static void tool(JsonGenerator json, TraceRecord record) throws IOException {
        text(json, "toolCallId", record.toolCallId);
        text(json, "toolClass", record.toolClass);
        text(json, "toolStatus", record.toolStatus);
        number(json, "toolStartedMs", record.toolStartedMs);
        number(json, "toolEndedMs", record.toolEndedMs);
        number(json, "toolMs", record.toolMs);
        number(json, "toolOutputTokens", record.toolOutputTokens);
        number(json, "toolOutputBytes", record.toolOutputBytes);
        text(json, "toolNameHash", record.toolNameHash);
        text(json, "toolErrorType", record.toolErrorType);
    }

    private static void action(JsonGenerator json, TraceRecord record) throws IOException {
        place(json, record);
        text(json, "action", record.action);
        number(json, "amount", record.amount);
    }

    private static void text(JsonGenerator json, String name, String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }

    private static void number(JsonGenerator json, String name, long value) throws IOException {
        if (value >= 0) {
            json.writeNumberField(name, value);
        }
    }

    private static void number(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        }
    }
}
