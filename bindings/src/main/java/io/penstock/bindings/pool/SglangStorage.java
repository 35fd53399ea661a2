package io.penstock.bindings.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.pool.ObjectTable.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What SGLang's {@code /server_info} says of its storage in Mooncake. As read in SGLang 0.5.23, which tells the names of
 * its objects itself ({@code hicache_object_layout}) where all tensor ranks hold the same; else the parts are known from
 * its arguments, and the prefix from either.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param problem why nothing can be told of it, in one line, or null
 * @param pageSize tokens of a page, 0 if not said
 * @param eagle whether pages are hashed over pairs of tokens
 * @param tpSize tensor ranks of an attention group
 * @param ppSize stages
 * @param mla whether all tensor ranks hold the same; null if not said
 * @param splitTo ranks that heads are split for, 0 where they are not
 * @param prefix text before the hash, or null if not said
 * @param tag the backend's tag, or null
 * @param model name under which the model is served, or null
 * @param suffixes of a page's objects, as the engine lists them; empty where it does not
 * @param atEndOnly pools of which an engine needs the last pages of a prefix only, as {@code name}
 */
public record SglangStorage(
        String problem,
        int pageSize,
        boolean eagle,
        int tpSize,
        int ppSize,
        Boolean mla,
        int splitTo,
        String prefix,
        String tag,
        String model,
        List<String> suffixes,
        List<String> atEndOnly) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> EAGLES = Set.of("EAGLE", "EAGLE3", "NEXTN", "FROZEN_KV_MTP");
    private static final String MOONCAKE = "mooncake";

    /** Copies the lists. */
    public SglangStorage {
        suffixes = List.copyOf(suffixes);
        atEndOnly = List.copyOf(atEndOnly);
    }

    /** Nothing can be told, and why. */
    public static SglangStorage none(String problem) {
        return new SglangStorage(problem, 0, false, 1, 1, null, 0, null, null, null, List.of(), List.of());
    }

    /** Reads an answer. */
    public static SglangStorage of(JsonNode info) {
        JsonNode told = info.path("hicache_object_layout");
        JsonNode layout = told.path("hicache_object_layout");
        String problem = problem(info, told);
        JsonNode extra = extra(info.path("hicache_storage_backend_extra_config"));
        if (problem == null && extra == null && !layout.has("key_prefix")) {
            problem = "the storage's extra config cannot be read: hicache_storage_backend_extra_config="
                    + info.path("hicache_storage_backend_extra_config").asText();
        }
        // Before 0.5.23 attention is data parallel over all of dp_size, or not at all.
        int groups = info.path("enable_dp_attention").asBoolean() ? positive(info.path("dp_size"), 1) : 1;
        int dp = positive(info.path("attn_dp_size"), groups);
        int cp = positive(info.path("attn_cp_size"), 1);
        int tp = Math.max(1, positive(info.path("tp_size"), 1) / (dp * cp));
        Boolean mla =
                layout.has("is_mla_backend") ? layout.get("is_mla_backend").asBoolean() : null;
        boolean listed = told.path("enabled").asBoolean();
        if (problem == null && !listed && positive(info.path("dcp_size"), 1) > 1) {
            problem = "decode context parallelism, and no list of object names: dcp_size="
                    + info.path("dcp_size").asInt();
        }
        return new SglangStorage(
                problem,
                positive(told.path("page_size"), positive(info.path("page_size"), 0)),
                EAGLES.contains(info.path("speculative_algorithm").asText("")),
                tp,
                positive(info.path("pp_size"), 1),
                mla,
                splitTo(info, extra, tp, mla),
                layout.has("key_prefix") ? layout.get("key_prefix").asText("") : null,
                extra == null ? null : extra.path("extra_backend_tag").textValue(),
                info.path("served_model_name").textValue(),
                listed ? suffixes(layout) : List.of(),
                listed ? atEndOnly(layout) : List.of());
    }

    private static String problem(JsonNode info, JsonNode told) {
        String backend = info.path("hicache_storage_backend").asText("none");
        boolean attached = info.path("enable_hierarchical_cache").asBoolean() && backend.equals(MOONCAKE);
        if (!attached && !MOONCAKE.equals(told.path("backend").textValue())) {
            return "the engine keeps nothing in Mooncake: hicache_storage_backend=" + backend;
        }
        // Objects of single tensor ranks are not listed, but follow from the arguments; for anything else there is a
        // reason.
        boolean ranks =
                !told.path("hicache_object_layout").path("is_mla_backend").asBoolean(true);
        boolean follows = told.isMissingNode() || told.path("enabled").asBoolean() || ranks;
        return follows
                ? null
                : "the engine does not list its objects: " + told.path("reason").asText();
    }

    /** The extra config, an object where it is absent, null where it is a file on the engine's machine or no JSON. */
    private static JsonNode extra(JsonNode given) {
        if (given.isObject()) {
            return given;
        }
        if (given.isMissingNode() || given.isNull() || given.asText().isBlank()) {
            return JSON.createObjectNode();
        }
        try {
            JsonNode read = JSON.readTree(given.asText());
            return read.isObject() ? read : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static int splitTo(JsonNode info, JsonNode extra, int tp, Boolean mla) {
        int lcm = extra == null ? 0 : positive(extra.path("tp_lcm_size"), 0);
        boolean byHead = "page_head".equals(info.path("hicache_mem_layout").asText());
        return lcm > tp && byHead && !Boolean.TRUE.equals(mla) ? lcm : 0;
    }

    private static List<String> suffixes(JsonNode layout) {
        List<String> all = new ArrayList<>();
        for (JsonNode pool : layout.path("pools")) {
            pool.path("suffixes").forEach(suffix -> all.add(suffix.asText()));
        }
        return all;
    }

    private static List<String> atEndOnly(JsonNode layout) {
        List<String> all = new ArrayList<>();
        for (JsonNode pool : layout.path("pools")) {
            if (!pool.path("hit_policy").asText("all_pages").equals("all_pages")) {
                all.add(pool.path("pool").asText());
            }
        }
        return all;
    }

    private static int positive(JsonNode node, int otherwise) {
        int value = node.asInt(0);
        return value > 0 ? value : otherwise;
    }

    /** The layout as the engine lists it, where {@link #suffixes} are there. */
    public ObjectLayout listed() {
        String head = prefix == null || prefix.isEmpty() ? "" : prefix + "_";
        List<Part> parts = suffixes.stream().map(s -> new Part(head, s)).toList();
        return new ObjectTable("sglang as listed prefix=" + prefix, pageSize, SglangPool.KEY_BYTES, head, parts);
    }

    /** What follows from the engine's arguments. */
    public SglangPool derived() {
        return new SglangPool(
                prefix == null ? SglangPool.prefix(tag, model) : prefix,
                pageSize,
                tpSize,
                ppSize,
                Boolean.TRUE.equals(mla),
                splitTo,
                1,
                1,
                List.of());
    }
}
