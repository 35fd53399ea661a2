package io.penstock.bindings.pool;

import io.penstock.bindings.pool.ObjectTable.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * How vLLM's {@code MooncakeStoreConnector} names its objects. As read in vLLM 0.32.0.
 *
 * <p>A name is {@code [prefix@]MODELnamespace@tp_rank:T@pcpP@dcpD@pp_rank:S@group:G@HASH}. The hash is the engine's chunk
 * hash: of a chunk of several blocks that of the last, 64 digits, or 32 under {@code xxhash}.
 *
 * @param cachePrefix {@code cache_prefix} of the connector, empty for none
 * @param model last part of the model's path, as the connector takes it
 * @param namespace what follows the model where engines of several sizes share ({@code @store_tp:...}), else empty
 * @param pageSize tokens of a chunk
 * @param tpRanks distinct tensor ranks in the names: {@link #tpRanks}
 * @param pcpSize ranks of prefill context parallelism
 * @param dcpSize shards of decode context parallelism, each a part of the tensor ranks
 * @param ppSize stages
 * @param groups cache groups whose chunks are all needed
 * @param keyBytes bytes of a chunk's hash: 32, or 16 under {@code xxhash}
 */
public record VllmPool(
        String cachePrefix,
        String model,
        String namespace,
        int pageSize,
        int tpRanks,
        int pcpSize,
        int dcpSize,
        int ppSize,
        List<Integer> groups,
        int keyBytes) {
    /** Checks the ranges. */
    public VllmPool {
        cachePrefix = cachePrefix == null ? "" : cachePrefix;
        namespace = namespace == null ? "" : namespace;
        groups = groups == null || groups.isEmpty() ? List.of(0) : List.copyOf(groups);
        if (model == null || model.isEmpty()) {
            throw new IllegalArgumentException("a vLLM pool needs the model's name: model=" + model);
        }
        if (pageSize < 1 || tpRanks < 1 || pcpSize < 1 || dcpSize < 1 || ppSize < 1) {
            throw new IllegalArgumentException("must be positive: pageSize=" + pageSize + " tpRanks=" + tpRanks
                    + " pcpSize=" + pcpSize + " dcpSize=" + dcpSize + " ppSize=" + ppSize);
        }
        if (tpRanks % dcpSize != 0) {
            throw new IllegalArgumentException("not a divisor of tpRanks=" + tpRanks + ": dcpSize=" + dcpSize);
        }
    }

    /** One cache group, no context parallelism, no stages. */
    public static VllmPool of(String model, int pageSize, int tpRanks) {
        return new VllmPool("", model, "", pageSize, tpRanks, 1, 1, 1, List.of(0), 32);
    }

    /** The model's name in objects: its path's last part. */
    public static String modelName(String path) {
        String trimmed = path;
        while (trimmed.endsWith("/")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1);
        }
        return trimmed.substring(trimmed.lastIndexOf('/') + 1);
    }

    /**
     * Distinct tensor ranks in the names: ranks that hold the same keys and values write under one number.
     *
     * @param tpSize tensor ranks
     * @param kvHeads heads of keys and values in the whole model
     * @param replicated whether all ranks hold the same (MLA)
     * @param dcpSize shards of decode context parallelism: with more than one, every rank writes its own
     */
    public static int tpRanks(int tpSize, int kvHeads, boolean replicated, int dcpSize) {
        if (dcpSize > 1) {
            return tpSize;
        }
        return replicated ? 1 : tpSize / Math.max(1, tpSize / kvHeads);
    }

    /**
     * The namespace of engines that share by split heads.
     *
     * @param storeTpSize ranks that the heads are split for; they are then {@link #tpRanks}
     * @param format {@code tp_shared_lbhnc} or {@code tp_shared_lbnhc}, by the engines' cache layout
     */
    public static String sharedNamespace(int storeTpSize, int ppSize, String format) {
        return "@store_tp:" + storeTpSize + "@store_pp:" + ppSize + "@store_format:" + format;
    }

    /** The layout: by group, context rank, tensor rank and stage. */
    public ObjectLayout layout() {
        String stem = (cachePrefix.isEmpty() ? "" : cachePrefix + "@") + model;
        List<Part> parts = new ArrayList<>();
        for (int group : groups) {
            for (int pcp = 0; pcp < pcpSize; pcp++) {
                for (int tp = 0; tp < tpRanks; tp++) {
                    for (int pp = 0; pp < ppSize; pp++) {
                        parts.add(new Part(
                                stem + namespace + "@tp_rank:" + tp + "@pcp" + pcp + "@dcp" + tp % dcpSize + "@pp_rank:"
                                        + pp + "@group:" + group + "@",
                                ""));
                    }
                }
            }
        }
        return new ObjectTable(toText(), pageSize, keyBytes, stem + "@", parts);
    }

    private String toText() {
        return "vllm model=" + model + " prefix=" + cachePrefix + " tp=" + tpRanks + " pcp=" + pcpSize + " dcp="
                + dcpSize + " pp=" + ppSize + " groups=" + groups + namespace;
    }
}
