package io.penstock.dataplane.routing;

/**
 * Seeded random numbers: SplitMix64 (Steele, Lea, Flood 2014), so that a replay breaks ties as the run did.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated.
 */
public final class SplitMix {
    private long state;

    /** A sequence that depends on the seed alone. */
    public SplitMix(long seed) {
        state = seed;
    }

    /** Next 64 bits. */
    public long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number from 0 to {@code bound} exclusive; the bias is below bound / 2^64. */
    public int below(int bound) {
        return (int) Math.unsignedMultiplyHigh(next(), bound);
    }

    /** A number from 0 to 1 exclusive. */
    public double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** What the next number depends on; {@link #SplitMix} with it goes on alike. */
    public long state() {
        return state;
    }

    /** Goes on from a {@link #state}. */
    public void resume(long from) {
        state = from;
    }
}
