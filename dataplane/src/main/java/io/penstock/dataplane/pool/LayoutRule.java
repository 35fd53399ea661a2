package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangPool;
import io.penstock.bindings.pool.SglangStorage;
import io.penstock.bindings.pool.SidePool;
import io.penstock.bindings.pool.VllmPool;
import io.penstock.dataplane.hashing.ChunkPages;
import io.penstock.dataplane.hashing.ShaPages;
import java.util.List;
import java.util.Map;

/**
 * Makes a pool's layout of what is configured and of what its workers said. What is configured is not overruled.
 *
 * <p><b>Threading:</b> immutable.
 */
final class LayoutRule {
    private static final String NOT_ASKED_YET = "no engine has said its layout yet";

    private final PoolLayout given;

    /** Refuses what cannot be, whatever the workers say. */
    LayoutRule(PoolLayout given) {
        this.given = given;
        if (!isOpen() || given.family() == PoolFamily.VLLM) {
            resolve(Map.of());
        }
        given.sidePools().forEach(SidePool::parse);
    }

    String model() {
        return given.model();
    }

    /** Whether something is left to the engines without which there is no layout. */
    private boolean isVital() {
        return given.family() == PoolFamily.SGLANG
                && (given.pageSize() == 0 || given.tpSize() == 0 || given.mla() == null);
    }

    /** Whether anything is left to the engines. */
    boolean isOpen() {
        boolean rest =
                given.ppSize() == 0 || given.eagle() == null || given.splitHeads() == null || given.keyPrefix() == null;
        return given.family() == PoolFamily.SGLANG && (isVital() || rest);
    }

    /** The layout, by what each worker said. */
    KnownLayout resolve(Map<String, SglangStorage> said) {
        if (given.family() == PoolFamily.VLLM) {
            return vllm();
        }
        KnownLayout agreed = null;
        String first = null;
        for (Map.Entry<String, SglangStorage> answer : said.entrySet()) {
            SglangStorage storage = answer.getValue();
            if (storage.problem() != null) {
                if (isVital()) {
                    return KnownLayout.unknown("worker " + answer.getKey() + ": " + storage.problem());
                }
                continue;
            }
            KnownLayout one = sglang(storage);
            if (agreed != null && !one.equals(agreed)) {
                return KnownLayout.unknown("workers " + first + " and " + answer.getKey() + " disagree: " + text(agreed)
                        + " and " + text(one));
            }
            agreed = one;
            first = answer.getKey();
        }
        if (agreed != null) {
            return agreed;
        }
        return isVital() ? KnownLayout.unknown(NOT_ASKED_YET) : sglang(null);
    }

    private static String text(KnownLayout known) {
        return known.layout() == null ? known.problem() : known.layout().describe();
    }

    private KnownLayout sglang(SglangStorage said) {
        int pageSize = given.pageSize() > 0 ? given.pageSize() : said == null ? 0 : said.pageSize();
        if (pageSize == 0) {
            return KnownLayout.unknown("the engine does not say its page size: pageSize=0");
        }
        boolean eagle = given.eagle() != null ? given.eagle() : said != null && said.eagle();
        boolean listed = said != null && !said.suffixes().isEmpty() && !isShaped() && pageSize == said.pageSize();
        ObjectLayout layout;
        try {
            layout = listed ? said.listed() : pool(said, pageSize).layout();
        } catch (IllegalArgumentException e) {
            return KnownLayout.unknown(e.getMessage());
        }
        List<String> atEnd = listed ? said.atEndOnly() : List.of();
        String note = atEnd.isEmpty()
                ? ""
                : "counted only where these are on every page, though engines need them at a prefix's end: pools="
                        + atEnd;
        return KnownLayout.of(layout, ShaPages.of(pageSize, eagle), eagle ? "pairs" : "tokens", note);
    }

    /** Whether the configuration says anything of the parts of a page. */
    private boolean isShaped() {
        return given.tpSize() > 0
                || given.ppSize() > 0
                || given.mla() != null
                || given.splitHeads() != null
                || given.keyPrefix() != null
                || !given.backendTag().isEmpty()
                || !given.sidePools().isEmpty();
    }

    private SglangPool pool(SglangStorage said, int pageSize) {
        SglangPool told = said == null || said.pageSize() == 0 ? null : said.derived();
        boolean mla = given.mla() != null ? given.mla() : told != null && told.replicated();
        int tp = given.tpSize() > 0 ? given.tpSize() : told == null ? 1 : told.tpSize();
        int split = given.splitHeads() == null ? told == null ? 0 : told.splitTo() : 0;
        if (Boolean.TRUE.equals(given.splitHeads())) {
            split = given.tpLcmSize() > 0 ? given.tpLcmSize() : told == null ? 0 : told.splitTo();
        }
        return new SglangPool(
                prefix(told),
                pageSize,
                tp,
                given.ppSize() > 0 ? given.ppSize() : told == null ? 1 : told.ppSize(),
                mla,
                mla ? 0 : split,
                Math.max(1, given.dcpSize()),
                1,
                given.sidePools().stream().map(SidePool::parse).toList());
    }

    private String prefix(SglangPool told) {
        if (given.keyPrefix() != null) {
            return given.keyPrefix();
        }
        if (told != null && given.backendTag().isEmpty()) {
            return told.prefix();
        }
        return SglangPool.prefix(given.backendTag().isEmpty() ? null : given.backendTag(), given.servedModel());
    }

    private KnownLayout vllm() {
        if (given.pageSize() == 0) {
            throw new IllegalArgumentException("a vLLM pool needs its page size: pool.layouts.pageSize=0");
        }
        int dcp = Math.max(1, given.dcpSize());
        boolean isOne = Boolean.TRUE.equals(given.mla()) && dcp == 1;
        ChunkPages.Algorithm algorithm = algorithm();
        ObjectLayout layout = new VllmPool(
                        given.keyPrefix(),
                        VllmPool.modelName(given.servedModel()),
                        given.namespace(),
                        given.pageSize(),
                        isOne ? 1 : Math.max(1, given.tpSize()),
                        Math.max(1, given.pcpSize()),
                        dcp,
                        Math.max(1, given.ppSize()),
                        given.groups(),
                        algorithm == null ? Long.BYTES * ObjectLayout.KEY_WORDS : algorithm.keyBytes())
                .layout();
        if (algorithm == null) {
            return KnownLayout.of(layout, null, "none", "chunk hashes cannot be computed: chunkHash=none");
        }
        boolean random = algorithm.keyBytes() < ChunkPages.Algorithm.SHA256.keyBytes() && given.hashSeed() == null;
        if (random) {
            return KnownLayout.of(layout, null, "random", "each engine hashes with a seed of its own: hashSeed=null");
        }
        String seed = given.hashSeed() == null ? ChunkPages.DEFAULT_SEED : given.hashSeed();
        ChunkPages hasher = ChunkPages.of(algorithm, given.pageSize(), given.pageSize(), seed);
        return KnownLayout.of(layout, hasher, algorithm + " " + seed, "");
    }

    private ChunkPages.Algorithm algorithm() {
        return switch (given.chunkHash()) {
            case NONE -> null;
            case SHA256 -> ChunkPages.Algorithm.SHA256;
            case SHA256_CBOR -> ChunkPages.Algorithm.SHA256_CBOR;
            case XXHASH -> ChunkPages.Algorithm.XXHASH;
            case XXHASH_CBOR -> ChunkPages.Algorithm.XXHASH_CBOR;
        };
    }
}
