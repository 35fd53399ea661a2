package io.penstock.bindings.pool;

import static io.penstock.bindings.pool.ObjectLayout.NOT_OURS;
import static io.penstock.bindings.pool.ObjectLayout.UNKNOWN_PART;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectTableTest {
    private static final String PAGE = "cf97adeedb59e05bfd73a2b4c2a8885708c4f4f70c84c64b27120e72ab733b72";

    private static int resolve(ObjectLayout layout, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return layout.resolve(bytes, 0, bytes.length, new long[4], 0);
    }

    @Test
    void shouldLeaveOthersNamesAloneWhenSglang() {
        ObjectLayout layout = SglangPool.keysValues("wise", 64, 2).layout();
        assertEquals(3, resolve(layout, "wise_" + PAGE + "_1_v"));
        assertEquals(NOT_OURS, resolve(layout, ""));
        assertEquals(NOT_OURS, resolve(layout, "sglang_mooncake_store_warmup_keyd0a1"));
        assertEquals(NOT_OURS, resolve(layout, "other_" + PAGE + "_1_v"));
        assertEquals(NOT_OURS, resolve(layout, PAGE + "_1_v"));
        assertEquals(NOT_OURS, resolve(layout, "wise_" + PAGE));
        assertEquals(NOT_OURS, resolve(layout, "wise_" + PAGE.toUpperCase(java.util.Locale.ROOT) + "_1_v"));
        assertEquals(NOT_OURS, resolve(layout, "wise_" + PAGE.replace('c', 'g') + "_1_v"));
        assertEquals(NOT_OURS, resolve(layout, "wise_" + PAGE.substring(1) + "_1_v"));
    }

    @Test
    void shouldSayThatTheLayoutIsAnotherWhenAPageHasUnknownParts() {
        ObjectLayout sglang = SglangPool.keysValues("wise", 64, 2).layout();
        assertEquals(UNKNOWN_PART, resolve(sglang, "wise_" + PAGE + "_2_k"));
        assertEquals(UNKNOWN_PART, resolve(sglang, "wise_" + PAGE + "__k"));
        assertEquals(UNKNOWN_PART, resolve(sglang, "wise_" + PAGE + "_1_swa_k"));
        ObjectLayout bare = SglangPool.replicated("", 64).layout();
        assertEquals(0, resolve(bare, PAGE + "__k"));
        assertEquals(UNKNOWN_PART, resolve(bare, PAGE + "_0_k"));
        ObjectLayout vllm = VllmPool.of("wise", 64, 2).layout();
        assertEquals(1, resolve(vllm, "wise@tp_rank:1@pcp0@dcp0@pp_rank:0@group:0@" + PAGE));
        assertEquals(UNKNOWN_PART, resolve(vllm, "wise@tp_rank:2@pcp0@dcp0@pp_rank:0@group:0@" + PAGE));
        assertEquals(UNKNOWN_PART, resolve(vllm, "wise@tp_rank:0@pcp0@dcp0@pp_rank:0@group:1@" + PAGE));
        assertEquals(NOT_OURS, resolve(vllm, "wiser@tp_rank:0@pcp0@dcp0@pp_rank:0@group:0@" + PAGE));
        assertEquals(NOT_OURS, resolve(vllm, "wise@tp_rank:0@pcp0@dcp0@pp_rank:0@group:0@" + PAGE.substring(2)));
    }

    @Test
    void shouldNotReadBeyondTheNameWhenBytesAreRandom() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<ObjectLayout> layouts = List.of(
                SglangPool.keysValues("a", 1, 12).layout(),
                VllmPool.of("b", 1, 12).layout());
        byte[] alphabet = "ab_@0123456789f".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 20_000; i++) {
            byte[] name = new byte[random.nextInt(140)];
            for (int c = 0; c < name.length; c++) {
                name[c] = alphabet[random.nextInt(alphabet.length)];
            }
            for (ObjectLayout layout : layouts) {
                long[] key = new long[4];
                int object = layout.resolve(name, 0, name.length, key, 0);
                if (object >= 0) {
                    assertEquals(
                            new String(name, StandardCharsets.US_ASCII), layout.name(key, 0, object), "seed=" + seed);
                }
                assertTrue(object >= UNKNOWN_PART && object < layout.objectsPerPage(), "seed=" + seed);
            }
        }
    }

    @Test
    void shouldTellObjectsApartWhenRanksHaveOneDigitOrTwo() {
        ObjectLayout layout = new SglangPool("m", 64, 12, 11, false, 0, 1, 1, List.of()).layout();
        assertEquals(12 * 11 * 2, layout.objectsPerPage());
        for (int object = 0; object < layout.objectsPerPage(); object++) {
            assertEquals(object, resolve(layout, layout.name(new long[4], 0, object)));
        }
    }

    @Test
    void shouldRefuseWhenALayoutCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> SglangPool.keysValues("m", 0, 1));
        assertThrows(IllegalArgumentException.class, () -> SglangPool.keysValues("m", 64, 0));
        assertThrows(IllegalArgumentException.class, () -> new SglangPool("m", 64, 4, 1, false, 6, 1, 1, List.of()));
        assertThrows(IllegalArgumentException.class, () -> new SglangPool("m", 64, 4, 1, true, 8, 1, 1, List.of()));
        assertThrows(IllegalArgumentException.class, () -> VllmPool.of("", 64, 1));
        assertThrows(IllegalArgumentException.class, () -> SidePool.parse("swa"));
        assertThrows(IllegalArgumentException.class, () -> SidePool.parse("swa:sideways"));
    }

    @Test
    void shouldMakeThePrefixAsSglangDoes() {
        assertEquals("acme-wise", SglangPool.prefix(null, "acme/wise"));
        assertEquals("blue_acme-wise", SglangPool.prefix("blue", "acme/wise"));
        assertEquals("blue", SglangPool.prefix("blue", null));
        assertEquals("", SglangPool.prefix(null, null));
    }

    @Test
    void shouldCountRanksAsVllmDoes() {
        assertEquals(4, VllmPool.tpRanks(4, 8, false, 1));
        assertEquals(2, VllmPool.tpRanks(8, 2, false, 1));
        assertEquals(1, VllmPool.tpRanks(8, 1, false, 1));
        assertEquals(1, VllmPool.tpRanks(8, 8, true, 1));
        assertEquals(8, VllmPool.tpRanks(8, 2, false, 2));
        assertEquals("wise-7b", VllmPool.modelName("/models/acme/wise-7b/"));
    }

    @Test
    void shouldBeEqualWhenTheSameObjectsAreNamed() {
        ObjectLayout layout = SglangPool.keysValues("wise", 64, 2).layout();
        assertEquals(layout, SglangPool.keysValues("wise", 64, 2).layout());
        assertEquals(
                layout.hashCode(), SglangPool.keysValues("wise", 64, 2).layout().hashCode());
        assertNotEquals(layout, SglangPool.keysValues("wise", 32, 2).layout());
        assertNotEquals(layout, SglangPool.keysValues("wise", 64, 4).layout());
        assertNotEquals(layout, SglangPool.keysValues("other", 64, 2).layout());
    }
}
