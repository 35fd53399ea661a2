package io.penstock.dataplane.timeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Typed arrays in one block of bytes, little-endian, each at a multiple of 8, with a JSON head that says where they are.
 *
 * <pre>
 *  u32 length of the head | head, UTF-8, filled with spaces to a multiple of 8 (less 4) | columns
 *  head.columns: [{name, type, at, count}], at counts from the first column; type as below
 * </pre>
 *
 * <p><b>Threading:</b> one thread.
 */
final class Columns {
    /** Types, by the names that the page knows. */
    enum Type {
        /** Double. */
        F64(8),
        /** Float: enough for durations in ms. */
        F32(4),
        /** Signed integer. */
        I32(4),
        /** Unsigned short. */
        U16(2),
        /** Unsigned byte. */
        U8(1);

        private final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        private void put(ByteBuffer to, double value) {
            switch (this) {
                case F64 -> to.putDouble(value);
                case F32 -> to.putFloat((float) value);
                case I32 -> to.putInt((int) value);
                case U16 -> to.putShort((short) Math.min(0xffff, (int) value));
                case U8 -> to.put((byte) Math.min(0xff, (int) value));
            }
        }
    }

    private static final int ALIGNED = 8;

    private final ObjectNode head = new ObjectMapper().createObjectNode();
    private final ArrayNode directory = head.putArray("columns");
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    /** What stands beside the columns; filled by the caller. */
    ObjectNode head() {
        return head;
    }

    <T> void add(String name, Type type, List<T> rows, ToDoubleFunction<T> value) {
        ByteBuffer buffer = ByteBuffer.allocate(rows.size() * type.bytes).order(ByteOrder.LITTLE_ENDIAN);
        rows.forEach(row -> type.put(buffer, value.applyAsDouble(row)));
        add(name, type.name().toLowerCase(Locale.ROOT), buffer.array(), rows.size());
    }

    /** Texts, each ended by a line feed. */
    void addTexts(String name, Iterable<String> texts) {
        StringBuilder joined = new StringBuilder();
        texts.forEach(text -> joined.append(text.replace('\n', ' ')).append('\n'));
        byte[] bytes = joined.toString().getBytes(StandardCharsets.UTF_8);
        add(name, "text", bytes, bytes.length);
    }

    private void add(String name, String type, byte[] bytes, int count) {
        directory
                .addObject()
                .put("name", name)
                .put("type", type)
                .put("at", body.size())
                .put("count", count);
        body.writeBytes(bytes);
        body.writeBytes(new byte[-bytes.length & ALIGNED - 1]);
    }

    byte[] toBytes() {
        try {
            byte[] json = new ObjectMapper().writeValueAsBytes(head);
            int padded = (json.length + Integer.BYTES + ALIGNED - 1 & -ALIGNED) - Integer.BYTES;
            ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + padded + body.size())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(padded)
                    .put(json);
            while (all.position() < Integer.BYTES + padded) {
                all.put((byte) ' ');
            }
            return all.put(body.toByteArray()).array();
        } catch (IOException e) {
            throw new IllegalStateException("no file is written to", e);
        }
    }
}
