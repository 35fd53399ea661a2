package io.penstock.dataplane.ingest;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Event batches in MessagePack, from maps and lists. */
final class Packed {
    private Packed() {}

    static byte[] batch(int rank, Object... events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(out)) {
            write(data, Arrays.asList(1.5, Arrays.asList(events), rank));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static Map<String, Object> event(String type, Object... fields) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        for (int i = 0; i < fields.length; i += 2) {
            event.put((String) fields[i], fields[i + 1]);
        }
        return event;
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        switch (value) {
            case null -> out.writeByte(0xc0);
            case Double number -> {
                out.writeByte(0xcb);
                out.writeDouble(number);
            }
            case Number number -> {
                out.writeByte(0xd3);
                out.writeLong(number.longValue());
            }
            case String text -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.writeByte(0xdb);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
            case List<?> list -> {
                out.writeByte(0xdd);
                out.writeInt(list.size());
                for (Object element : list) {
                    write(out, element);
                }
            }
            case Map<?, ?> map -> {
                out.writeByte(0xdf);
                out.writeInt(map.size());
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    write(out, entry.getKey());
                    write(out, entry.getValue());
                }
            }
            default -> throw new IllegalArgumentException("no such value: " + value);
        }
    }
}
