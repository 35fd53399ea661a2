package io.penstock.dataplane.pool;

/** How vLLM hashes a chunk, where that can be computed outside of the engine. */
public enum ChunkHash {
    /** Not known: pages get no credit. */
    NONE,
    /** SHA-256 over CPython's pickle: vLLM's default. */
    SHA256,
    /** SHA-256 over CBOR. */
    SHA256_CBOR,
    /** 128 bits of XXH3 over CPython's pickle; the engines need a {@code PYTHONHASHSEED}. */
    XXHASH,
    /** 128 bits of XXH3 over CBOR; the engines need a {@code PYTHONHASHSEED}. */
    XXHASH_CBOR
}
