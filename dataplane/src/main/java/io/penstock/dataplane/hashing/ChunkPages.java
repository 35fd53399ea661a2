package io.penstock.dataplane.hashing;

import net.openhft.hashing.LongTupleHashFunction;

/**
 * vLLM's chunk hash: each block's hash over (hash before it, its tokens, its extra keys); of a chunk of several blocks that
 * of the last. As read in vLLM 0.32.0, where the hash before the first block is that of the text {@code vllm-none-hash}, or
 * of {@code PYTHONHASHSEED} where the engines have it set.
 *
 * <p>A salt is an extra key of the first block. Adapters and media are extra keys whose parts (a path in the engine) are
 * not known here: no hasher for those.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> a digest and a buffer a prompt.
 */
public final class ChunkPages implements PageHasher {
    /** How a block is written and hashed. */
    public enum Algorithm {
        /** SHA-256 over a pickle: vLLM's default. The pickle is CPython's, protocol 5. */
        SHA256(true, 32),
        /** SHA-256 over CBOR. */
        SHA256_CBOR(false, 32),
        /** 128 bits of XXH3 over a pickle; needs {@code PYTHONHASHSEED}. */
        XXHASH(true, 16),
        /** 128 bits of XXH3 over CBOR; needs {@code PYTHONHASHSEED}. */
        XXHASH_CBOR(false, 16);

        private final boolean pickle;
        private final int keyBytes;

        Algorithm(boolean pickle, int keyBytes) {
            this.pickle = pickle;
            this.keyBytes = keyBytes;
        }

        /** Bytes of a hash. */
        public int keyBytes() {
            return keyBytes;
        }
    }

    /** Text whose hash precedes the first block where {@code PYTHONHASHSEED} is not set. */
    public static final String DEFAULT_SEED = "vllm-none-hash";

    /** A pickle of more tokens could need a second frame. */
    private static final int MOST_BLOCK = 8_192;

    private static final LongTupleHashFunction XXH3_128 = LongTupleHashFunction.xx128();

    private final Algorithm algorithm;
    private final int blockSize;
    private final int pageSize;
    private final byte[] first;
    private final String salt;

    private ChunkPages(Algorithm algorithm, int blockSize, int pageSize, byte[] first, String salt) {
        this.algorithm = algorithm;
        this.blockSize = blockSize;
        this.pageSize = pageSize;
        this.first = first;
        this.salt = salt;
    }

    /**
     * A hasher.
     *
     * @param blockSize tokens that the engine hashes at once
     * @param pageSize tokens of a chunk, a multiple
     * @param seed {@code PYTHONHASHSEED} of the engines, or {@link #DEFAULT_SEED}
     */
    public static ChunkPages of(Algorithm algorithm, int blockSize, int pageSize, String seed) {
        if (blockSize < 1 || blockSize > MOST_BLOCK) {
            throw new IllegalArgumentException("not in 1.." + MOST_BLOCK + ": blockSize=" + blockSize);
        }
        if (pageSize < 1 || pageSize % blockSize != 0) {
            throw new IllegalArgumentException("not a multiple of blockSize=" + blockSize + ": pageSize=" + pageSize);
        }
        ChunkCode code = new ChunkCode(algorithm.pickle);
        code.text(seed);
        byte[] first = new byte[algorithm.keyBytes];
        new Steps(algorithm).hash(code, first);
        return new ChunkPages(algorithm, blockSize, pageSize, first, null);
    }

    @Override
    public ChunkPages salted(String text) {
        String given = text == null || text.isEmpty() ? null : text;
        return new ChunkPages(algorithm, blockSize, pageSize, first, given);
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    @Override
    public int pages(int tokens) {
        return tokens / pageSize;
    }

    @Override
    public int chain(int[] tokens, int tokenCount, int fromPage, long[] out) {
        int pages = pages(tokenCount);
        int words = algorithm.keyBytes / Long.BYTES;
        byte[] hash = first.clone();
        if (fromPage > 0) {
            Sha256.toBytes(out, (fromPage - 1) * KEY_WORDS, hash, 0, words);
        }
        Steps steps = new Steps(algorithm);
        ChunkCode code = new ChunkCode(algorithm.pickle);
        for (int i = fromPage; i < pages; i++) {
            for (int at = i * pageSize; at < (i + 1) * pageSize; at += blockSize) {
                code.block(hash, tokens, at, blockSize, at == 0 ? salt : null);
                steps.hash(code, hash);
            }
            Sha256.toWords(hash, 0, out, i * KEY_WORDS, words);
            for (int w = words; w < KEY_WORDS; w++) {
                out[i * KEY_WORDS + w] = 0;
            }
        }
        return pages;
    }

    /** The hash function, with what it needs from block to block. */
    private static final class Steps {
        private final Sha256 sha;
        private final long[] pair = new long[2];

        Steps(Algorithm algorithm) {
            sha = algorithm.keyBytes == Sha256.BYTES ? new Sha256() : null;
        }

        void hash(ChunkCode code, byte[] out) {
            if (sha != null) {
                sha.digest(code.bytes(), 0, code.length(), out, 0);
                return;
            }
            XXH3_128.hashBytes(code.bytes(), 0, code.length(), pair);
            // The low word comes first in memory, the high one in the digest.
            Sha256.LONGS.set(out, 0, pair[1]);
            Sha256.LONGS.set(out, Long.BYTES, pair[0]);
        }
    }
}
