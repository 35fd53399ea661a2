package io.penstock.bindings.mooncake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.bindings.events.EventFrames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class StoreEventsTest {
    @Test
    void shouldDecodeWhatWasRecordedWhenFramesAreOfARealMaster() {
        int events = 0;
        for (StoreRecording.Message message : StoreRecording.all()) {
            byte[] payload = message.payload();
            byte[] frame = message.sequenceFrame();
            assertEquals(message.sequence(), EventFrames.sequence(frame, 0, frame.length, payload.length));
            StoreEventCursor cursor = new StoreEventCursor();
            assertTrue(cursor.wrap(payload, 0, payload.length));
            assertEquals(message.decoded().get(0).asLong(), cursor.timestampMs());
            assertEquals(message.decoded().get(2).asLong(), cursor.dpRank());
            assertEquals(message.decoded().get(1).size(), cursor.events());
            for (JsonNode event : message.decoded().get(1)) {
                events++;
                compare(event, cursor, payload);
            }
            assertEquals(StoreEventCursor.END, cursor.next());
        }
        assertTrue(events >= 5, "events: " + events);
    }

    private static void compare(JsonNode event, StoreEventCursor cursor, byte[] payload) {
        int kind = switch (event.get("event_type").asText()) {
            case "stored" -> StoreEventCursor.STORED;
            case "removed" -> StoreEventCursor.REMOVED;
            case "cleared" -> StoreEventCursor.CLEARED;
            default -> throw new AssertionError(event);
        };
        assertEquals(kind, cursor.next());
        assertNull(cursor.skipReason());
        assertEquals(text(event, "object_key"), text(payload, cursor.nameOffset(), cursor.nameLength()));
        assertEquals(text(event, "tenant_id"), text(payload, cursor.tenantOffset(), cursor.tenantLength()));
        assertEquals(text(event, "medium"), text(payload, cursor.mediumOffset(), cursor.mediumLength()));
        assertEquals(text(event, "group_id"), text(payload, cursor.groupOffset(), cursor.groupLength()));
        assertEquals(text(event, "backend_id"), text(payload, cursor.backendOffset(), cursor.backendLength()));
    }

    private static String text(JsonNode event, String field) {
        return event.path(field).isTextual() ? event.get(field).asText() : "";
    }

    private static String text(byte[] payload, int offset, int length) {
        return length == 0 ? "" : new String(payload, offset, length, StandardCharsets.UTF_8);
    }

    @Test
    void shouldDecodeWhenTheCompatibleFieldsAreLeftOutOrStandAlone() throws IOException {
        assertEquals(StoreEventCursor.STORED, first("event_type", "stored", "object_key", "a"));
        assertEquals(StoreEventCursor.REMOVED, first("type", "BlockRemoved", "object_key", "a"));
        assertEquals(StoreEventCursor.CLEARED, first("type", "AllBlocksCleared"));
        // A second vocabulary that disagrees does not overrule the first.
        assertEquals(StoreEventCursor.STORED, first("type", "BlockRemoved", "event_type", "stored", "object_key", "a"));
    }

    @Test
    void shouldSayWhyWhenAnEventCannotBeUsed() throws IOException {
        StoreEventCursor cursor = new StoreEventCursor();
        byte[] batch = batch(packer -> {
            packer.packArrayHeader(4);
            pairs(packer, "event_type", "removed");
            pairs(packer, "event_type", "promoted", "object_key", "a");
            packer.packString("no map");
            pairs(packer, "event_type", "stored", "object_key", "b");
        });
        assertTrue(cursor.wrap(batch, 0, batch.length));
        assertEquals(StoreEventCursor.SKIPPED, cursor.next());
        assertEquals(StoreEventSkip.KEYLESS, cursor.skipReason());
        assertEquals(StoreEventCursor.REMOVED, cursor.eventKind());
        assertEquals(StoreEventCursor.SKIPPED, cursor.next());
        assertEquals(StoreEventSkip.UNKNOWN_TYPE, cursor.skipReason());
        assertEquals(StoreEventCursor.SKIPPED, cursor.next());
        assertEquals(StoreEventSkip.NOT_A_MAP, cursor.skipReason());
        assertEquals(StoreEventCursor.STORED, cursor.next());
        assertEquals("b", text(batch, cursor.nameOffset(), cursor.nameLength()));
        assertEquals(StoreEventCursor.END, cursor.next());
    }

    @Test
    void shouldRefuseWhenABatchIsFollowedByMore() throws IOException {
        byte[] batch = batch(packer -> {
            packer.packArrayHeader(0);
            packer.packNil();
        });
        assertFalse(new StoreEventCursor().wrap(batch, 0, batch.length));
    }

    interface Packing {
        void pack(MessageBufferPacker packer) throws IOException;
    }

    private static int first(String... fields) throws IOException {
        byte[] batch = batch(packer -> {
            packer.packArrayHeader(1);
            pairs(packer, fields);
        });
        StoreEventCursor cursor = new StoreEventCursor();
        assertTrue(cursor.wrap(batch, 0, batch.length));
        return cursor.next();
    }

    private static byte[] batch(Packing events) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(2).packLong(1_795_994_194_838L);
            events.pack(packer);
            return packer.toByteArray();
        }
    }

    private static void pairs(MessageBufferPacker packer, String... fields) throws IOException {
        packer.packMapHeader(fields.length / 2);
        for (String field : fields) {
            packer.packString(field);
        }
    }
}
