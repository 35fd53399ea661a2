package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** JSON as MessagePack, as agents pack it. */
final class PackedEvents {
    /** The reference's flat event. */
    static final String FLAT = """
            {"schema":"dynamo.request.trace.v1","event_type":"tool_end","event_time_unix_ms":1777312801500,
             "session_id":"run-42:researcher",
             "tool":{"tool_call_id":"call-abc","tool_class":"web_search","status":"succeeded",
              "started_at_unix_ms":1777312801080,"ended_at_unix_ms":1777312801500,"duration_ms":420.5}}""";

    /** The same as plugins send it. */
    static final String NESTED = FLAT.replace(
            "\"session_id\":\"run-42:researcher\"",
            "\"event_source\":\"harness\",\"agent_context\":{\"session_id\":\"run-42:researcher\","
                    + "\"parent_session_id\":\"run-42:planner\",\"novel\":[1,{\"a\":null}]}");

    private PackedEvents() {}

    static byte[] pack(String json) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            write(
                    packer,
                    new ObjectMapper()
                            .enable(
                                    com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS
                                            .mappedFeature())
                            .readTree(json));
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(MessageBufferPacker packer, JsonNode node) throws IOException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                packer.packMapHeader(node.size());
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    packer.packString(field.getKey());
                    write(packer, field.getValue());
                }
            }
            case ARRAY -> {
                packer.packArrayHeader(node.size());
                for (JsonNode each : node) {
                    write(packer, each);
                }
            }
            case STRING -> packer.packString(node.textValue());
            case BOOLEAN -> packer.packBoolean(node.booleanValue());
            case NULL -> packer.packNil();
            case NUMBER -> {
                if (node.isBigInteger()) {
                    packer.packBigInteger(node.bigIntegerValue());
                } else if (node.isIntegralNumber()) {
                    packer.packLong(node.longValue());
                } else {
                    packer.packDouble(node.doubleValue());
                }
            }
            default -> throw new IllegalArgumentException(node.toString());
        }
    }
}
