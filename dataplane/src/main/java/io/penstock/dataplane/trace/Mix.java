package io.penstock.dataplane.trace;

/**
 * Spreads two words over one: the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014) over their combination. For made-up content, not for wire formats.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Mix {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Mix() {}

    static long of(long a, long b) {
        long z = finish(a + GOLDEN_GAMMA) + (b + 1) * GOLDEN_GAMMA;
        return finish(z);
    }

    private static long finish(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
