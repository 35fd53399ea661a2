package io.penstock.bindings.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.trtllm.TrtllmEventCursor;
import io.penstock.bindings.vllm.VllmEventCursor;
import java.io.IOException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** What no recording holds: versions and configurations that the references describe. */
class EventVariantsTest {
    private final KvEventCursor cursor = new VllmEventCursor();
    private byte[] payload;

    @Test
    void shouldSayWhyWhenAnEventIsLeftOut() throws IOException {
        skipped(SkipReason.NON_MAIN_GROUP, stored("kv_cache_spec_kind", "sliding_window", "group_idx", 1));
        skipped(SkipReason.NON_MAIN_GROUP, stored("kv_cache_spec_kind", "mamba"));
        skipped(SkipReason.REMOTE, stored("locality", "REMOTE"));
        skipped(SkipReason.REMOTE, stored("locality", "NEARBY"));
        skipped(SkipReason.UNKNOWN_OWNER, stored("ownership", "someone"));
        skipped(SkipReason.UNKNOWN_MEDIUM, stored("medium", "TAPE"));
        skipped(SkipReason.UNKNOWN_TYPE, ofType("BlockPainted", "block_hashes", 7));
        skipped(SkipReason.PLACEHOLDER, stored("token_ids", List.of(), "block_size", 0));
        skipped(SkipReason.LENGTH_MISMATCH, stored("token_ids", List.of(1, 2, 3)));
        skipped(SkipReason.LENGTH_MISMATCH, stored("extra_keys", java.util.Arrays.asList(null, null, null)));
        skipped(SkipReason.SELF_REFERENCE, stored("parent_block_hash", 12L));
        skipped(SkipReason.UNNAMED_ADAPTER, stored("lora_id", 3));
        skipped(SkipReason.OPAQUE_CONTENT, stored("lookahead_token_ids", List.of(9)));
        skipped(SkipReason.OPAQUE_CONTENT, stored("extra_keys", List.of(List.of(new byte[] {1}), List.of())));
        skipped(SkipReason.OPAQUE_CONTENT, stored("token_ids", List.of("a", "b", "c", "d")));
    }

    @Test
    void shouldTakeTheEventWhenOptionalFieldsAreKnownOrNew() throws IOException {
        for (Object[] fields : new Object[][] {
            {"kv_cache_spec_kind", "full_attention"},
            {"kv_cache_spec_kind", "mla_attention"},
            {"kv_cache_spec_kind", "sink_full_attention"},
            {"kv_cache_spec_kind", null},
            {"locality", "LOCAL"},
            {"ownership", "kvcr"},
            {"a_field_of_the_future", Map.of("x", List.of(1, 2))},
            {"lookahead_token_ids", List.of()},
        }) {
            next(KvEventCursor.STORED, stored(fields));
            assertEquals(2, cursor.count());
        }
        next(KvEventCursor.STORED, stored("medium", "CPU_TIER2"));
        assertEquals(2, cursor.tier());
        next(KvEventCursor.STORED, stored("medium", "SHARED"));
        assertEquals(3, cursor.tier());
    }

    @Test
    void shouldReadEveryFieldWhenTheTypeComesLast() throws IOException {
        Map<String, Object> event = new LinkedHashMap<>(stored("lora_name", "ad1", "lora_id", 1));
        Object type = event.remove("type");
        event.put("type", type);
        next(KvEventCursor.STORED, event);
        assertEquals("ad1", text(cursor.adapterOffset(), cursor.adapterLength()));
    }

    @Test
    void shouldReadOlderArraysWhenTrailingDefaultsAreTrimmed() throws IOException {
        List<Object> hashes = List.of(11L, 12L);
        List<Object> tokens = List.of(1, 2, 3, 4);
        for (Object event : new Object[] {
            list("BlockStored", hashes, null, tokens, 2, null),
            list("BlockStored", hashes, null, tokens, 2, null, "GPU"),
            list("BlockStored", hashes, null, tokens, 2, null, "GPU", null, null, 0, "full_attention", null),
        }) {
            next(KvEventCursor.STORED, event);
            assertEquals(0, cursor.tier());
            assertTrue(cursor.root());
        }
        skipped(
                SkipReason.NON_MAIN_GROUP,
                list("BlockStored", hashes, 10L, tokens, 2, null, "GPU", null, null, 2, "mamba", null));
        assertEquals(2, cursor.group());
        next(
                KvEventCursor.STORED,
                list("BlockStored", hashes, 10L, tokens, 2, 1, "CPU", "ad1", list(list("ad1", "s"))));
        assertEquals(1, cursor.tier());
        assertEquals("ad1", text(cursor.adapterOffset(), cursor.adapterLength()));
        next(KvEventCursor.REMOVED, list("BlockRemoved", hashes, "DISK", 1));
        assertEquals(2, cursor.tier());
        assertEquals(1, cursor.group());
    }

    @Test
    void shouldReadHashesAsRawBitsWhenTheyAreNumbersOrBytes() throws IOException {
        byte[] digest = new byte[32];
        digest[24] = (byte) 0x80;
        digest[31] = 5;
        next(KvEventCursor.REMOVED, removed("block_hashes", List.of(digest, new BigInteger("9223372036854775813"))));
        assertEquals(0x8000_0000_0000_0005L, cursor.hash(0));
        assertEquals(cursor.hash(0), cursor.hash(1));
        next(KvEventCursor.MALFORMED, removed("block_hashes", List.of(new byte[7])));
    }

    @Test
    void shouldTellCopiesLeftWhenTheEngineCountsThem() throws IOException {
        next(KvEventCursor.REMOVED, removed("block_hashes", List.of(1, 2), "remaining_copy_counts", List.of(0, 3)));
        assertEquals(0, cursor.remainingCopies(0));
        assertEquals(3, cursor.remainingCopies(1));
        next(KvEventCursor.REMOVED, removed("block_hashes", List.of(1, 2)));
        assertEquals(-1, cursor.remainingCopies(0));
    }

    @Test
    void shouldTellSaltFromImagesWhenKeysAreMixed() throws IOException {
        String image = "00000000000000ff" + "0".repeat(48);
        next(
                KvEventCursor.STORED,
                stored(
                        "lora_name",
                        "ad1",
                        "extra_keys",
                        list(list("ad1", list(image, 0), "tenant"), list("ad1", list("b", 3)))));
        assertEquals("tenant", text(cursor.saltOffset(), cursor.saltLength()));
        assertEquals(1, cursor.mmCount(0));
        assertEquals(0xff, cursor.mmHash(0, 0));
        assertEquals(LongHashFunction.xx3(0).hashBytes(new byte[] {'b'}), cursor.mmHash(1, 0));

        next(KvEventCursor.STORED, stored("extra_keys", list(null, list(list("b", 3), list(image, 9)))));
        assertEquals(0, cursor.saltLength());
        assertEquals(0, cursor.mmCount(0));
        assertEquals(2, cursor.mmCount(1));
        assertTrue(Long.compareUnsigned(cursor.mmHash(1, 0), cursor.mmHash(1, 1)) < 0);

        next(KvEventCursor.STORED, stored("extra_keys", list(list(list("cache_salt", "t"), list("mm", "b", 1)), null)));
        assertEquals("t", text(cursor.saltOffset(), cursor.saltLength()));
        assertEquals(1, cursor.mmCount(0));
    }

    @Test
    void shouldTakeNoTextForASaltWhenTheBlockIsNotTheFirst() throws IOException {
        next(KvEventCursor.STORED, stored("parent_block_hash", 5, "extra_keys", list(list("b"), null)));
        assertEquals(0, cursor.saltLength());
        assertEquals(1, cursor.mmCount(0));
    }

    @Test
    void shouldReadTensorRtKeysWhenImagesAreNamedPerBlock() throws IOException {
        KvEventCursor trtllm = new TrtllmEventCursor();
        Map<String, Object> key = Map.of("type", "mm_key", "hash", "ab".repeat(32), "start_offset", 0, "uuid", "u");
        payload = batch(stored("mm_keys", list(null, list(key))));
        assertTrue(trtllm.wrap(payload, 0, payload.length));
        assertEquals(KvEventCursor.STORED, trtllm.next());
        assertEquals(0xabababababababL << 8 | 0xab, trtllm.mmHash(1, 0));
        payload = batch(stored("mm_keys", list(key, key)));
        assertTrue(trtllm.wrap(payload, 0, payload.length));
        assertEquals(KvEventCursor.SKIPPED, trtllm.next());
    }

    @Test
    void shouldStopAtTheBadEventWhenAFieldHasAnotherType() throws IOException {
        payload = batch(stored(), stored("block_size", "two"), stored());
        assertTrue(cursor.wrap(payload, 0, payload.length));
        assertEquals(KvEventCursor.STORED, cursor.next());
        assertEquals(KvEventCursor.MALFORMED, cursor.next());
        assertEquals(KvEventCursor.MALFORMED, cursor.next());
    }

    @Test
    void shouldRefuseTheBatchWhenItIsNoneOrHasATail() throws IOException {
        payload = batch(stored());
        byte[] longer = java.util.Arrays.copyOf(payload, payload.length + 1);
        assertFalse(cursor.wrap(longer, 0, longer.length));
        byte[] nil = {(byte) 0xc0};
        assertFalse(cursor.wrap(nil, 0, 1));
    }

    private void skipped(SkipReason reason, Object event) throws IOException {
        next(KvEventCursor.SKIPPED, event);
        assertEquals(reason, cursor.skipReason());
        assertEquals(KvEventCursor.END, cursor.next());
    }

    private void next(int kind, Object event) throws IOException {
        payload = batch(event);
        assertTrue(cursor.wrap(payload, 0, payload.length), String.valueOf(event));
        assertEquals(kind, cursor.next(), String.valueOf(event));
    }

    private String text(int offset, int length) {
        return new String(payload, offset, length, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static Map<String, Object> stored(Object... fields) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "BlockStored");
        event.put("block_hashes", List.of(11L, 12L));
        event.put("parent_block_hash", null);
        event.put("token_ids", List.of(1, 2, 3, 4));
        event.put("block_size", 2);
        event.put("lora_id", null);
        event.put("medium", "GPU");
        put(event, fields);
        return event;
    }

    private static Map<String, Object> removed(Object... fields) {
        return ofType("BlockRemoved", fields);
    }

    private static Map<String, Object> ofType(String type, Object... fields) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        put(event, fields);
        return event;
    }

    private static void put(Map<String, Object> event, Object... fields) {
        for (int i = 0; i < fields.length; i += 2) {
            event.put((String) fields[i], fields[i + 1]);
        }
    }

    private static List<Object> list(Object... elements) {
        return java.util.Arrays.asList(elements);
    }

    private static byte[] batch(Object... events) throws IOException {
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        pack(packer, list(1.5, list(events), 0));
        return packer.toByteArray();
    }

    private static void pack(MessageBufferPacker packer, Object value) throws IOException {
        switch (value) {
            case null -> packer.packNil();
            case String text -> packer.packString(text);
            case Integer number -> packer.packInt(number);
            case Long number -> packer.packLong(number);
            case BigInteger number -> packer.packBigInteger(number);
            case Double number -> packer.packDouble(number);
            case byte[] bytes -> packer.packBinaryHeader(bytes.length).writePayload(bytes);
            case List<?> list -> {
                packer.packArrayHeader(list.size());
                for (Object element : list) {
                    pack(packer, element);
                }
            }
            case Map<?, ?> map -> {
                packer.packMapHeader(map.size());
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    pack(packer, entry.getKey());
                    pack(packer, entry.getValue());
                }
            }
            default -> throw new IllegalArgumentException("no such value: " + value);
        }
    }
}
