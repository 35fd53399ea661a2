package io.penstock.dataplane.pool;

import java.util.List;

/**
 * One model's pages in the shared pool, as its engines were started. A number of 0 and a null are not given: they are asked
 * of the engines where those tell them, else the default in the text holds.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param model base model as the router names it
 * @param family whose names they are
 * @param pageSize tokens of a page (SGLang's page, vLLM's chunk)
 * @param tpSize tensor ranks; default 1. vLLM: those that its names tell apart, no more than heads of keys and values, or
 *     the {@code store_tp_size} under a namespace of shared heads
 * @param ppSize pipeline stages; default 1
 * @param pcpSize vLLM: ranks of prefill context parallelism; default 1
 * @param dcpSize vLLM: ranks of decode context parallelism; default 1
 * @param groups vLLM: numbers of the KV cache groups; default 0 alone
 * @param mla whether the cache is latent: one object a page and stage; null: asked for, else no
 * @param eagle whether pages are hashed over pairs of tokens; null: asked for, else no
 * @param tpLcmSize SGLang: least common multiple of the tensor ranks that share the pool, with {@code splitHeads}
 * @param splitHeads SGLang: whether heads are split for engines of other tensor ranks; null: asked for, else no
 * @param sidePools SGLang: pools that a page has parts in beside its keys and values, {@code NAME:FORM[:PARTS]} each ({@link
 *     io.penstock.bindings.pool.SidePool#parse})
 * @param backendTag SGLang: {@code extra_backend_tag}; empty: none
 * @param keyPrefix text before the page's hash, the model's name included; null: made of tag and model's name. vLLM: the
 *     connector's cache prefix
 * @param servedModel the engine's own name of the model; null: {@code model}
 * @param namespace vLLM: what the connector puts behind the model's name; empty: nothing
 * @param chunkHash vLLM: how chunks are hashed
 * @param hashSeed vLLM: value of {@code PYTHONHASHSEED}; null: not set, and then only SHA-256 chunks can be computed (vLLM
 *     0.32 and later)
 */
public record PoolLayout(
        String model,
        PoolFamily family,
        int pageSize,
        int tpSize,
        int ppSize,
        int pcpSize,
        int dcpSize,
        List<Integer> groups,
        Boolean mla,
        Boolean eagle,
        int tpLcmSize,
        Boolean splitHeads,
        List<String> sidePools,
        String backendTag,
        String keyPrefix,
        String servedModel,
        String namespace,
        ChunkHash chunkHash,
        String hashSeed) {
    private static final int MOST_PAGE = 1 << 16;
    private static final int MOST_RANKS = 1 << 10;

    /** Fills what was left out, refuses what cannot be. */
    public PoolLayout {
        if (model == null || model.isBlank()) {
            throw new IllegalArgumentException("a layout needs its model: pool.layouts.model=" + model);
        }
        family = family == null ? PoolFamily.SGLANG : family;
        range("pageSize", pageSize, MOST_PAGE);
        range("tpSize", tpSize, MOST_RANKS);
        range("ppSize", ppSize, MOST_RANKS);
        range("pcpSize", pcpSize, MOST_RANKS);
        range("dcpSize", dcpSize, MOST_RANKS);
        range("tpLcmSize", tpLcmSize, MOST_RANKS);
        groups = groups == null ? List.of() : List.copyOf(groups);
        sidePools = sidePools == null ? List.of() : List.copyOf(sidePools);
        backendTag = backendTag == null ? "" : backendTag;
        servedModel = servedModel == null ? model : servedModel;
        namespace = namespace == null ? "" : namespace;
        chunkHash = chunkHash == null ? ChunkHash.NONE : chunkHash;
    }

    /** SGLang's, everything asked of the engines. */
    public static PoolLayout of(String model) {
        return new PoolLayout(
                model, null, 0, 0, 0, 0, 0, null, null, null, 0, null, null, null, null, null, null, null, null);
    }

    private static void range(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException("out of 0.." + most + ": pool.layouts." + name + "=" + value);
        }
    }
}
