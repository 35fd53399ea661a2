package io.penstock.bindings.pool;

import io.penstock.bindings.pool.ObjectTable.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * How SGLang's hierarchical cache names its objects in Mooncake. As read in SGLang 0.5.23.
 *
 * <p>A name is {@code [prefix_]HASH_suffix}; the hash is 64 digits ({@code dataplane/hashing} {@code ShaPages}).
 * Suffixes of a page:
 * <ul>
 *   <li>keys and values apart (MHA, GQA), each tensor rank {@code r}: {@code r_k}, {@code r_v}; with stages {@code r_pp_k},
 *       {@code r_pp_v}; heads split for engines of several sizes: as if the ranks were {@link #splitTo}
 *   <li>replicated (MLA), one object: {@code _k}, so that two underscores follow the hash; with stages {@code pp_k}
 *   <li>replicated under decode context parallelism: {@code dcpD_cpC_k} of each shard, with stages {@code dcpD_cpC_pp_k}
 *   <li>side pools: see {@link SidePool}
 * </ul>
 *
 * @param prefix what precedes the hash, without the underscore; empty for none. The backend's tag, the model's name with
 *     {@code -} for {@code /}, joined by {@code _}
 * @param pageSize tokens of a page
 * @param tpSize tensor ranks that hold parts of one page: those of an attention group where attention is data parallel
 * @param ppSize stages
 * @param replicated whether all tensor ranks hold the same (MLA)
 * @param splitTo ranks that heads are split for ({@code tp_lcm_size}); 0 where they are not
 * @param dcpSize shards of decode context parallelism, 1 for none; replicated pools only
 * @param cpSize ranks of attention context parallelism, which count with {@code dcpSize} only
 * @param sidePools pools beside the keys and values
 */
public record SglangPool(
        String prefix,
        int pageSize,
        int tpSize,
        int ppSize,
        boolean replicated,
        int splitTo,
        int dcpSize,
        int cpSize,
        List<SidePool> sidePools) {
    /** Bytes of a page's hash. */
    public static final int KEY_BYTES = 32;

    /** Checks the ranges. */
    public SglangPool {
        prefix = prefix == null ? "" : prefix;
        sidePools = sidePools == null ? List.of() : List.copyOf(sidePools);
        positive("pageSize", pageSize);
        positive("tpSize", tpSize);
        positive("ppSize", ppSize);
        positive("dcpSize", dcpSize);
        positive("cpSize", cpSize);
        if (splitTo != 0 && (splitTo % tpSize != 0 || replicated)) {
            throw new IllegalArgumentException(
                    "not a multiple of tpSize=" + tpSize + ", or the pool is replicated: splitTo=" + splitTo);
        }
        if (dcpSize > 1 && !replicated) {
            throw new IllegalArgumentException("only of replicated pools: dcpSize=" + dcpSize);
        }
    }

    /** Keys and values of each rank, no stages, nothing beside them. */
    public static SglangPool keysValues(String prefix, int pageSize, int tpSize) {
        return new SglangPool(prefix, pageSize, tpSize, 1, false, 0, 1, 1, List.of());
    }

    /** One object a page. */
    public static SglangPool replicated(String prefix, int pageSize) {
        return new SglangPool(prefix, pageSize, 1, 1, true, 0, 1, 1, List.of());
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("must be positive: " + name + "=" + value);
        }
    }

    /**
     * The prefix that SGLang makes of a backend's tag and the model's name as it is served.
     *
     * @param tag {@code extra_backend_tag}, null for none
     * @param model served name, null for none (SGLang before 0.5.17)
     */
    public static String prefix(String tag, String model) {
        String name = model == null ? "" : model.replace('/', '-');
        return tag == null ? name : name.isEmpty() ? tag : tag + "_" + name;
    }

    /** The layout: keys and values first, by stage, rank and part; then the side pools. */
    public ObjectLayout layout() {
        String head = prefix.isEmpty() ? "" : prefix + "_";
        List<Part> parts = new ArrayList<>();
        for (String rank : replicated ? shared() : ranks()) {
            parts.add(new Part(head, "_" + rank + "_k"));
            if (!replicated) {
                parts.add(new Part(head, "_" + rank + "_v"));
            }
        }
        for (SidePool pool : sidePools) {
            for (String rank : pool.isPerRank() ? ranks() : shared()) {
                pool.suffixes().forEach(suffix -> parts.add(new Part(head, "_" + rank + suffix)));
            }
        }
        return new ObjectTable(toText(), pageSize, KEY_BYTES, head, parts);
    }

    private List<String> ranks() {
        List<String> all = new ArrayList<>();
        for (int pp = 0; pp < ppSize; pp++) {
            for (int rank = 0; rank < Math.max(splitTo, tpSize); rank++) {
                all.add(rank + stage(pp));
            }
        }
        return all;
    }

    private List<String> shared() {
        List<String> all = new ArrayList<>();
        for (int pp = 0; pp < ppSize; pp++) {
            if (dcpSize == 1) {
                all.add(ppSize > 1 ? Integer.toString(pp) : "");
                continue;
            }
            for (int shard = 0; shard < dcpSize * cpSize; shard++) {
                all.add("dcp" + shard / cpSize + "_cp" + shard % cpSize + stage(pp));
            }
        }
        return all;
    }

    private String stage(int pp) {
        return ppSize > 1 ? "_" + pp : "";
    }

    private String toText() {
        return "sglang " + (replicated ? "mla" : "mha") + " prefix=" + prefix + " tp=" + tpSize + " pp=" + ppSize
                + (splitTo > 0 ? " splitTo=" + splitTo : "") + (dcpSize > 1 ? " dcp=" + dcpSize + " cp=" + cpSize : "");
    }
}
