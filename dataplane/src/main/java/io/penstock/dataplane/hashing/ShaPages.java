package io.penstock.dataplane.hashing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * SGLang's page hash: SHA-256 over the digest of the page before (absent for the first) and each token as u32 in
 * little-endian. Under EAGLE a page is of pairs of neighbours, both tokens each, so it looks at one token more than it has.
 * As read in SGLang 0.5.23.
 *
 * <p>A salt takes the place of the digest before the first page: SHA-256 over {@code sglang-cache-namespace-v1}, a zero
 * for the absent extra key, a one, the salt's length as u64 in little-endian and the salt.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> a digest and a buffer a prompt.
 */
public final class ShaPages implements PageHasher {
    private static final byte[] NAMESPACE = "sglang-cache-namespace-v1".getBytes(StandardCharsets.US_ASCII);

    private final int pageSize;
    private final boolean bigram;
    private final byte[] seed;

    private ShaPages(int pageSize, boolean bigram, byte[] seed) {
        if (pageSize < 1) {
            throw new IllegalArgumentException("not a page size: pageSize=" + pageSize);
        }
        this.pageSize = pageSize;
        this.bigram = bigram;
        this.seed = seed;
    }

    /** A hasher; {@code bigram} for engines that hash pairs of tokens. */
    public static ShaPages of(int pageSize, boolean bigram) {
        return new ShaPages(pageSize, bigram, null);
    }

    @Override
    public ShaPages salted(String salt) {
        if (salt == null || salt.isEmpty()) {
            return seed == null ? this : new ShaPages(pageSize, bigram, null);
        }
        byte[] text = salt.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(NAMESPACE);
        in.write(0);
        in.write(1);
        in.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .array());
        in.writeBytes(text);
        return new ShaPages(pageSize, bigram, Sha256.of(in.toByteArray()));
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    @Override
    public int pages(int tokens) {
        return Math.max(0, tokens - (bigram ? 1 : 0)) / pageSize;
    }

    @Override
    public int chain(int[] tokens, int tokenCount, int fromPage, long[] out) {
        int pages = pages(tokenCount);
        if (fromPage >= pages) {
            return pages;
        }
        Sha256 sha = new Sha256();
        // The digest before stands in front of the page's tokens; each digest is written where the next one needs it.
        int bytes = (bigram ? 2 : 1) * Integer.BYTES * pageSize;
        byte[] page = new byte[Sha256.BYTES + bytes];
        boolean chained = true;
        if (fromPage > 0) {
            Sha256.toBytes(out, (fromPage - 1) * KEY_WORDS, page, 0, KEY_WORDS);
        } else if (seed != null) {
            System.arraycopy(seed, 0, page, 0, Sha256.BYTES);
        } else {
            chained = false;
        }
        for (int i = fromPage; i < pages; i++) {
            fill(tokens, i * pageSize, page);
            int from = chained ? 0 : Sha256.BYTES;
            sha.digest(page, from, page.length - from, page, 0);
            chained = true;
            Sha256.toWords(page, 0, out, i * KEY_WORDS, KEY_WORDS);
        }
        return pages;
    }

    private void fill(int[] tokens, int from, byte[] page) {
        int at = Sha256.BYTES;
        for (int i = from; i < from + pageSize; i++) {
            Sha256.INTS.set(page, at, tokens[i]);
            at += Integer.BYTES;
            if (bigram) {
                Sha256.INTS.set(page, at, tokens[i + 1]);
                at += Integer.BYTES;
            }
        }
    }
}
