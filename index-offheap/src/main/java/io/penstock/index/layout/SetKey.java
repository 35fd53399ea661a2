package io.penstock.index.layout;

/**
 * The key of a set of a run, the first of its two words: which 64 holders' bits of which tier the second word is, or that
 * it is the extent of a further domain's engine hashes.
 *
 * <pre>
 *  bits 56..63 kind (1 = bits, 2 = column)   bits: 16..23 tier, 0..15 chunk   column: 0..55 domain
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class SetKey {
    /** Words of a set. */
    public static final int WORDS = 2;

    private SetKey() {}

    /** Whether the value is 64 holders' bits. */
    public static boolean isBits(long key) {
        return key >>> 56 == 1;
    }

    /** Tier of bits. */
    public static int tier(long key) {
        return (int) (key >>> 16) & 0xFF;
    }

    /** Chunk of bits: the value's bit b is holder 64 × chunk + b. */
    public static int chunk(long key) {
        return (int) key & 0xFFFF;
    }

    /** Key of the column that holds a domain's engine hashes; the value's low 32 bits are its first granule. */
    public static long column(long domain) {
        return 2L << 56 | domain;
    }
}
