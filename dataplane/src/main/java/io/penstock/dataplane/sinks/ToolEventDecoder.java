package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.sinks.SinkCounts.ToolEvent;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads a tool's event as agents send it: frames topic, sequence number, map of MessagePack.
 *
 * <p>Two shapes are taken: the flat one of Dynamo 1.6.1 ({@code session_id} beside {@code tool}) and the nested one that
 * is a whole row ({@code agent_context}), which plugins send. The sequence number is not looked at.
 *
 * <p><b>Threading:</b> owned by the ingress' thread.
 */
final class ToolEventDecoder {
    private static final int FRAMES = 3;
    private static final String[] COUNTS = {"started_at_unix_ms", "ended_at_unix_ms", "output_tokens", "output_bytes"};

    private final byte[] topic;
    private final MsgPackTree tree = new MsgPackTree();
    private TraceRecord record;

    ToolEventDecoder(byte[] topic) {
        this.topic = topic.clone();
    }

    /** The record of the last message that was taken. */
    TraceRecord record() {
        return record;
    }

    /** Reads a message; anything but {@link ToolEvent#TAKEN} says why it is dropped. */
    ToolEvent read(ZmqMessage message) {
        if (!message.intact() || message.parts() != FRAMES) {
            return ToolEvent.FRAMES;
        }
        int start = message.start(0);
        if (!Arrays.equals(message.bytes(), start, start + message.length(0), topic, 0, topic.length)) {
            return ToolEvent.TOPIC;
        }
        ObjectNode row = tree.map(message.bytes(), message.start(2), message.length(2));
        return row == null ? ToolEvent.UNREADABLE : read(row);
    }

    private ToolEvent read(ObjectNode row) {
        DynamoEvent event = DynamoEvent.of(row.path("event_type").asText());
        long epochMs = DynamoRowFields.count(row, "event_time_unix_ms");
        if (!DynamoRow.SCHEMA.equals(row.path("schema").asText()) || event == null || !event.isTool() || epochMs < 0) {
            return ToolEvent.SCHEMA;
        }
        if (row.hasNonNull("request") || row.hasNonNull("payload")) {
            return ToolEvent.FOREIGN;
        }
        AgentContext agent =
                row.hasNonNull("agent_context") ? DynamoRowFields.agent(row.get("agent_context")) : flat(row);
        if (!agent.hasSession() || agent.session().isBlank()) {
            return ToolEvent.NO_SESSION;
        }
        TraceRecord read = new TraceRecord();
        read.kind = event.kind();
        read.epochMs = epochMs;
        read.agent = agent;
        JsonNode tool = row.path("tool");
        if (!DynamoRowFields.tool(read, tool) || !isSound(tool, read)) {
            return ToolEvent.TOOL;
        }
        record = read;
        return ToolEvent.TAKEN;
    }

    private static AgentContext flat(ObjectNode row) {
        String session = DynamoRowFields.text(row, "session_id");
        return session == null
                ? AgentContext.NONE
                : new AgentContext(
                        session,
                        DynamoRowFields.text(row, "parent_session_id"),
                        null,
                        null,
                        Map.of(),
                        IdentitySource.DYNAMO,
                        null);
    }

    /** Whether every field that is there was understood. */
    private static boolean isSound(JsonNode tool, TraceRecord read) {
        for (String name : COUNTS) {
            if (tool.hasNonNull(name) && DynamoRowFields.count(tool, name) < 0) {
                return false;
            }
        }
        return (!tool.hasNonNull("duration_ms") || Double.isFinite(read.toolMs))
                && (!tool.hasNonNull("status") || read.toolStatus != null);
    }
}
