package io.penstock.dataplane.engine;

import java.util.Locale;

/**
 * Engine block hashes that can be recomputed outside vLLM. Names are those of {@code --prefix-caching-hash-algo}.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum HashAlgorithm {
    /** SHA-256 over canonical CBOR; equal across restarts and replicas. */
    SHA256_CBOR(32),
    /** XXH3-128 over canonical CBOR; its root is random in each process unless a hash seed is given, as in vLLM. */
    XXHASH_CBOR(16);

    private final int digestBytes;

    HashAlgorithm(int digestBytes) {
        this.digestBytes = digestBytes;
    }

    /** Bytes of a full digest; the wire's integer is its last eight, big-endian. */
    public int digestBytes() {
        return digestBytes;
    }

    /** Whether the root hash is the same in every process when no seed is given. */
    public boolean rootIsFixed() {
        return this == SHA256_CBOR;
    }

    /** The name that vLLM knows it by. */
    public String vllmName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
