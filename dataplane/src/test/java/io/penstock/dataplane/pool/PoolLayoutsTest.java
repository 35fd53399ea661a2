package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangStorage;
import io.penstock.dataplane.hashing.PoolPages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolLayoutsTest {
    private final List<String> told = new ArrayList<>();

    private PoolLayouts layouts(PoolLayout... given) {
        PoolConfig d = PoolConfig.defaults();
        PoolLayouts layouts = new PoolLayouts(new PoolConfig(
                "",
                "http://127.0.0.1:1",
                "",
                null,
                List.of(given),
                d.listingIntervalS(),
                d.probesPerSecond(),
                d.timeoutMs(),
                d.ttlS(),
                d.capacityPages()));
        layouts.follow((pool, layout) -> told.add(pool + "=" + text(layout)));
        return layouts;
    }

    private static String text(ObjectLayout layout) {
        return layout == null ? "unknown" : layout.name(new long[4], 0, layout.objectsPerPage() - 1);
    }

    private static String problem(PoolLayouts layouts) {
        return layouts.status().getFirst().problem();
    }

    private static SglangStorage engine(int tp, String more) {
        String json = "{'enable_hierarchical_cache':true,'hicache_storage_backend':'mooncake','page_size':64,"
                + "'served_model_name':'acme/m','tp_size':" + tp + more + "}";
        try {
            return SglangStorage.of(new ObjectMapper().readTree(json.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Everything left open but what is named. */
    private static PoolLayout sglang(int pageSize, int tp, Boolean mla, String prefix) {
        return new PoolLayout(
                "m", null, pageSize, tp, 0, 0, 0, null, mla, null, 0, null, null, null, prefix, null, null, null, null);
    }

    private static PoolLayout vllm(ChunkHash hash, String seed) {
        return new PoolLayout(
                "acme/m",
                PoolFamily.VLLM,
                16,
                2,
                0,
                0,
                0,
                null,
                null,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                hash,
                seed);
    }

    private static final String PAGE = "0".repeat(64);

    @Test
    void shouldTakeTheLayoutFromTheWorkersWhenNothingIsConfigured() {
        PoolLayouts layouts = layouts(PoolLayout.of("m"));
        assertTrue(layouts.asks("m"));
        assertFalse(layouts.asks("other"));
        assertEquals("no engine has said its layout yet", problem(layouts));
        assertNull(layouts.of("m"));
        assertEquals(List.of(), told);
        layouts.said("a", "m", engine(2, ",'speculative_algorithm':'EAGLE'"));
        assertEquals(List.of("0=acme-m_" + PAGE + "_1_v"), told);
        assertEquals("", problem(layouts));
        assertEquals(64, layouts.of("m").hasher().pageSize());
        assertEquals(1, layouts.of("m").hasher().pages(65));
        assertEquals(0, layouts.of("m").hasher().pages(64));
        assertNull(layouts.of("other"));
    }

    @Test
    void shouldCountNothingWhenWorkersDisagreeUntilTheyAgree() {
        PoolLayouts layouts = layouts(PoolLayout.of("m"));
        layouts.said("a", "m", engine(2, ""));
        PoolPages first = layouts.of("m");
        layouts.said("b", "m", engine(2, ""));
        assertSame(first, layouts.of("m"));
        layouts.said("b", "m", engine(4, ""));
        assertTrue(problem(layouts).startsWith("workers a and b disagree: sglang mha"), problem(layouts));
        assertNull(layouts.of("m"));
        layouts.said("c", "elsewhere", engine(8, ""));
        layouts.left("b");
        assertNotNull(layouts.of("m"));
        assertEquals(List.of("0=acme-m_" + PAGE + "_1_v", "0=unknown", "0=acme-m_" + PAGE + "_1_v"), told);
        layouts.said("b", "m", engine(2, ",'speculative_algorithm':'EAGLE3'"));
        assertNull(layouts.of("m"), "pages hashed over pairs are other pages");
    }

    @Test
    void shouldCountNothingWhenAWorkerKeepsNothingThere() {
        PoolLayouts layouts = layouts(PoolLayout.of("m"));
        layouts.said("a", "m", engine(1, ""));
        layouts.said("b", "m", SglangStorage.none("the engine is no SGLang: engine=vllm"));
        assertEquals("worker b: the engine is no SGLang: engine=vllm", problem(layouts));
        assertNull(layouts.of("m"));
        layouts.left("b");
        assertNotNull(layouts.of("m"));
    }

    @Test
    void shouldKeepTheLayoutWhenTheLastWorkerLeaves() {
        PoolLayouts layouts = layouts(PoolLayout.of("m"));
        layouts.said("a", "m", engine(1, ""));
        layouts.left("a");
        assertNotNull(layouts.of("m"));
        assertEquals(1, told.size());
        layouts.said("a", "m", engine(2, ""));
        assertEquals(List.of("0=acme-m_" + PAGE + "_0_v", "0=unknown", "0=acme-m_" + PAGE + "_1_v"), told);
    }

    @Test
    void shouldNotOverruleWhatIsConfigured() {
        PoolLayouts layouts = layouts(sglang(32, 4, false, "blue"));
        assertEquals(List.of("0=blue_" + PAGE + "_3_v"), told);
        layouts.said("a", "m", engine(2, ",'pp_size':2"));
        assertEquals(List.of("0=blue_" + PAGE + "_3_v", "0=unknown", "0=blue_" + PAGE + "_3_1_v"), told);
        assertEquals(32, layouts.of("m").hasher().pageSize());
        layouts.said("a", "m", SglangStorage.none("silent"));
        assertNotNull(layouts.of("m"));
    }

    @Test
    void shouldMakeThePrefixOfTheModelsNameWhenEverythingIsConfigured() {
        layouts(new PoolLayout(
                "m",
                null,
                64,
                1,
                1,
                0,
                0,
                null,
                true,
                false,
                0,
                false,
                List.of("indexer:replicated"),
                "blue",
                null,
                "acme/m",
                null,
                null,
                null));
        assertEquals(List.of("0=blue_acme-m_" + PAGE + "__indexer"), told);
    }

    @Test
    void shouldComputeChunkHashesOfVllmWhereTheyCanBe() {
        assertNotNull(layouts(vllm(ChunkHash.SHA256, null)).of("acme/m"));
        assertNotNull(layouts(vllm(ChunkHash.SHA256_CBOR, "0")).of("acme/m"));
        assertNotNull(layouts(vllm(ChunkHash.XXHASH_CBOR, "0")).of("acme/m"));
        assertEquals("0=m@tp_rank:1@pcp0@dcp0@pp_rank:0@group:0@" + PAGE, told.getFirst());
        assertEquals("0=m@tp_rank:1@pcp0@dcp0@pp_rank:0@group:0@" + PAGE.substring(32), told.getLast());
    }

    @Test
    void shouldSayWhyWhenChunkHashesCannotBeComputed() {
        PoolLayouts layouts = layouts(vllm(ChunkHash.NONE, null));
        assertNull(layouts.of("acme/m"));
        assertEquals("chunk hashes cannot be computed: chunkHash=none", problem(layouts));
        layouts = layouts(vllm(ChunkHash.XXHASH, null));
        assertNull(layouts.of("acme/m"));
        assertEquals("each engine hashes with a seed of its own: hashSeed=null", problem(layouts));
        assertFalse(layouts.asks("acme/m"));
        assertEquals(2, told.size(), "the objects are followed all the same");
    }

    @Test
    void shouldRefuseToStartWhenALayoutCannotBe() {
        assertThrows(
                IllegalArgumentException.class,
                () -> layouts(new PoolLayout(
                        "m",
                        PoolFamily.VLLM,
                        0,
                        1,
                        0,
                        0,
                        0,
                        null,
                        null,
                        null,
                        0,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)));
        assertThrows(
                IllegalArgumentException.class,
                () -> layouts(new PoolLayout(
                        "m",
                        null,
                        0,
                        0,
                        0,
                        0,
                        0,
                        null,
                        null,
                        null,
                        0,
                        null,
                        List.of("swa"),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)));
    }
}
