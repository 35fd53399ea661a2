package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.bindings.msgpack.MsgPackCursor;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * A small document of MessagePack as a tree of JSON. Bytes, extensions, keys that are no text and deep nesting are refused.
 *
 * <p><b>Threading:</b> owned by the caller.
 */
final class MsgPackTree {
    private static final int MAX_DEPTH = 16;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final MsgPackCursor cursor = new MsgPackCursor();
    private byte[] bytes;

    /** The map in the range, or null if it is none, or something follows it. */
    ObjectNode map(byte[] source, int offset, int length) {
        bytes = source;
        cursor.wrap(source, offset, length);
        JsonNode value = value(0);
        return value instanceof ObjectNode map && cursor.atEnd() ? map : null;
    }

    private JsonNode value(int depth) {
        if (depth > MAX_DEPTH) {
            return null;
        }
        return switch (cursor.type()) {
            case MsgPackCursor.NIL -> cursor.readNil() ? NODES.nullNode() : null;
            case MsgPackCursor.BOOL -> NODES.booleanNode(cursor.readBool());
            case MsgPackCursor.INT -> number();
            case MsgPackCursor.FLOAT -> NODES.numberNode(Double.longBitsToDouble(cursor.readDoubleBits()));
            case MsgPackCursor.STR -> text();
            case MsgPackCursor.ARRAY -> array(depth);
            case MsgPackCursor.MAP -> object(depth);
            default -> null;
        };
    }

    private JsonNode number() {
        boolean unsigned = cursor.isUnsigned64();
        long value = cursor.readInt();
        if (cursor.failed()) {
            return null;
        }
        return unsigned && value < 0
                ? NODES.numberNode(new BigInteger(Long.toUnsignedString(value)))
                : NODES.numberNode(value);
    }

    private JsonNode text() {
        int length = cursor.readString();
        return length < 0
                ? null
                : NODES.textNode(new String(bytes, cursor.valueOffset(), length, StandardCharsets.UTF_8));
    }

    private JsonNode array(int depth) {
        int count = cursor.readArray();
        if (count < 0) {
            return null;
        }
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < count; i++) {
            JsonNode value = value(depth + 1);
            if (value == null) {
                return null;
            }
            array.add(value);
        }
        return array;
    }

    private JsonNode object(int depth) {
        int count = cursor.readMap();
        if (count < 0) {
            return null;
        }
        ObjectNode object = NODES.objectNode();
        for (int i = 0; i < count; i++) {
            JsonNode name = cursor.type() == MsgPackCursor.STR ? text() : null;
            JsonNode value = name == null ? null : value(depth + 1);
            if (value == null) {
                return null;
            }
            object.set(name.textValue(), value);
        }
        return object;
    }
}
