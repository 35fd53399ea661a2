package io.penstock.perf.index;

/**
 * Sequences of blocks made from numbers: any of them can be made again without keeping it.
 *
 * <p><b>Threading:</b> stateless.
 */
final class SyntheticBlocks {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int POSITION_BITS = 20;

    private SyntheticBlocks() {}

    /** Hashes of sequence {@code number} into {@code out}, all its length. */
    static void fill(long number, long[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = mix((number << POSITION_BITS) + i + 1);
        }
    }

    /** Splitmix64's finisher (Steele, Lea, Flood 2014). */
    static long mix(long value) {
        long z = value * GOLDEN;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
