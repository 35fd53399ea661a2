package io.penstock.bindings.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordedFramesTest {
    private static final Map<String, Integer> TIERS = Map.of("GPU", 0, "CPU_PINNED", 1);

    @Test
    void shouldDecodeWhatWasRecordedWhenFramesAreOfRealEngines() {
        List<Recordings.Frame> frames = Recordings.all();
        assertTrue(frames.size() > 150, "frames: " + frames.size());
        for (Recordings.Frame frame : frames) {
            compare(frame);
        }
    }

    private static void compare(Recordings.Frame frame) {
        KvEventCursor cursor = frame.cursor();
        assertTrue(cursor.wrap(frame.payload(), 0, frame.payload().length), frame.name());
        JsonNode batch = frame.decoded();
        assertEquals(batch.get(0).asDouble(), Double.longBitsToDouble(cursor.timestampBits()), frame.name());
        assertEquals(batch.has(2) ? batch.get(2).asInt() : -1, cursor.dpRank(), frame.name());
        for (JsonNode event : batch.get(1)) {
            String type = field(event, 0, "type").asText();
            switch (type) {
                case "BlockStored" -> compareStored(frame, event, cursor);
                case "BlockRemoved" -> {
                    assertEquals(KvEventCursor.REMOVED, cursor.next(), frame.name());
                    compareHashes(frame, field(event, 1, "block_hashes"), cursor);
                    assertEquals(TIERS.get(field(event, 2, "medium").asText()), cursor.tier(), frame.name());
                }
                case "AllBlocksCleared" -> assertEquals(KvEventCursor.CLEARED, cursor.next(), frame.name());
                default -> throw new AssertionError(frame.name() + ": " + type);
            }
        }
        assertEquals(KvEventCursor.END, cursor.next(), frame.name());
        assertEquals(KvEventCursor.END, cursor.next(), frame.name());
    }

    private static void compareStored(Recordings.Frame frame, JsonNode event, KvEventCursor cursor) {
        assertEquals(KvEventCursor.STORED, cursor.next(), frame.name());
        compareHashes(frame, field(event, 1, "block_hashes"), cursor);
        JsonNode parent = field(event, 2, "parent_block_hash");
        assertEquals(parent.isNull(), cursor.root(), frame.name());
        if (!parent.isNull()) {
            assertEquals(hash(frame, parent), cursor.parent(), frame.name());
        }
        assertEquals(field(event, 4, "block_size").asInt(), cursor.blockSize(), frame.name());
        assertEquals(TIERS.get(field(event, 6, "medium").asText()), cursor.tier(), frame.name());
        JsonNode tokens = field(event, 3, "token_ids");
        assertEquals(tokens.get(0).isArray(), cursor.bigram(), frame.name());
        for (int i = 0; i < tokens.size(); i++) {
            if (cursor.bigram()) {
                assertEquals(tokens.get(i).get(0).asInt(), cursor.tokens()[2 * i]);
                assertEquals(tokens.get(i).get(1).asInt(), cursor.tokens()[2 * i + 1]);
            } else {
                assertEquals(tokens.get(i).asInt(), cursor.tokens()[i], frame.name());
            }
        }
        compareIsolation(frame, event, cursor);
    }

    private static void compareIsolation(Recordings.Frame frame, JsonNode event, KvEventCursor cursor) {
        String adapter = event.isObject() ? event.path("lora_name").asText("") : "";
        assertEquals(adapter, text(frame, cursor.adapterOffset(), cursor.adapterLength()), frame.name());
        String salt = event.isObject()
                ? event.path("cache_salt").asText("")
                : event.path(7).path("cache_salt").asText("");
        JsonNode keys = event.path("extra_keys").path(0);
        if (keys.isArray()) {
            salt = keys.get(keys.size() - 1).asText();
        }
        assertEquals(
                salt.equals("null") ? "" : salt, text(frame, cursor.saltOffset(), cursor.saltLength()), frame.name());
    }

    private static String text(Recordings.Frame frame, int offset, int length) {
        return length == 0 ? "" : new String(frame.payload(), offset, length, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static void compareHashes(Recordings.Frame frame, JsonNode hashes, KvEventCursor cursor) {
        assertEquals(hashes.size(), cursor.count(), frame.name());
        for (int i = 0; i < hashes.size(); i++) {
            assertEquals(hash(frame, hashes.get(i)), cursor.hash(i), frame.name());
        }
    }

    private static long hash(Recordings.Frame frame, JsonNode value) {
        if (value.isTextual()) {
            String digits = value.asText().substring("hex:".length());
            int at = frame.sglang() ? 0 : digits.length() - 16;
            return Long.parseUnsignedLong(digits.substring(at, at + 16), 16);
        }
        return value.bigIntegerValue().longValue();
    }

    private static JsonNode field(JsonNode event, int position, String name) {
        return event.isArray() ? event.get(position) : event.get(name);
    }
}
