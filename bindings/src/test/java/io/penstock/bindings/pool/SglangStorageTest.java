package io.penstock.bindings.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SglangStorageTest {
    private static SglangStorage of(String json) throws IOException {
        return SglangStorage.of(new ObjectMapper().readTree(json.replace('\'', '"')));
    }

    @Test
    void shouldSayThatNothingIsKeptWhenAnEngineHasNoStorage() throws IOException {
        assertEquals(
                "the engine keeps nothing in Mooncake: hicache_storage_backend=none",
                of("{'page_size':64,'hicache_storage_backend':null}").problem());
        assertEquals(
                "the engine keeps nothing in Mooncake: hicache_storage_backend=file",
                of("{'enable_hierarchical_cache':true,'hicache_storage_backend':'file'}")
                        .problem());
        assertTrue(of("{}").problem().contains("none"));
    }

    @Test
    void shouldSayWhyWhenAnEngineDoesNotListItsObjects() throws IOException {
        SglangStorage said = of("{'enable_hierarchical_cache':true,'hicache_storage_backend':'mooncake','page_size':64,"
                + "'hicache_object_layout':{'enabled':false,'backend':null,'page_size':null,"
                + "'hicache_object_layout':{'pools':[]},'reason':'Inconsistent'}}");
        assertEquals("the engine does not list its objects: Inconsistent", said.problem());
        said = of("{'hicache_object_layout':{'enabled':false,'backend':'mooncake','page_size':64,"
                + "'hicache_object_layout':{'pools':[],'is_mla_backend':true,'key_prefix':'m'},'reason':'Auxiliary'}}");
        assertEquals("the engine does not list its objects: Auxiliary", said.problem());
    }

    @Test
    void shouldTakeTheRanksOfAnAttentionGroupWhenAttentionIsDataParallel() throws IOException {
        String head = "{'enable_hierarchical_cache':true,'hicache_storage_backend':'mooncake','page_size':64,"
                + "'served_model_name':'m','tp_size':8,'dp_size':4,";
        assertEquals(2, of(head + "'enable_dp_attention':true}").tpSize());
        assertEquals(8, of(head + "'enable_dp_attention':false}").tpSize());
        assertEquals(
                4, of(head + "'enable_dp_attention':true,'attn_dp_size':2}").tpSize());
        assertEquals(2, of(head + "'attn_dp_size':2,'attn_cp_size':2}").tpSize());
    }

    @Test
    void shouldNotGuessThePrefixWhenTheExtraConfigIsAFileElsewhere() throws IOException {
        String head = "{'enable_hierarchical_cache':true,'hicache_storage_backend':'mooncake','page_size':64,"
                + "'served_model_name':'m','hicache_storage_backend_extra_config':'@/etc/store.json'";
        assertEquals(
                "the storage's extra config cannot be read: hicache_storage_backend_extra_config=@/etc/store.json",
                of(head + "}").problem());
        SglangStorage told = of(head + ",'hicache_object_layout':{'enabled':false,'backend':'mooncake',"
                + "'hicache_object_layout':{'pools':[],'key_prefix':'blue_m','is_mla_backend':false}}}");
        assertNull(told.problem());
        assertEquals("blue_m", told.derived().prefix());
    }
}
