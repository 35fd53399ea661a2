package io.penstock.dataplane.journal;

/**
 * Whether traces keep what agents and models say to each other. They do not, unless asked to.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param keep whether request and answer bodies are kept
 * @param maxBytes largest body kept, 1 KiB to 64 MiB; of a larger one nothing is kept, and that is counted
 * @param maxInFlightBytes bodies held over all requests in flight; beyond it nothing more is kept, and that is counted
 */
public record PayloadConfig(boolean keep, int maxBytes, long maxInFlightBytes) {
    private static final int LEAST = 1 << 10;
    private static final int MOST = 64 << 20;

    /** Checks the ranges. */
    public PayloadConfig {
        if (maxBytes < LEAST || maxBytes > MOST) {
            throw new IllegalArgumentException("not in " + LEAST + ".." + MOST + ": maxBytes=" + maxBytes);
        }
        if (maxInFlightBytes < maxBytes) {
            throw new IllegalArgumentException(
                    "less than maxBytes=" + maxBytes + ": maxInFlightBytes=" + maxInFlightBytes);
        }
    }

    /** Nothing is kept; else up to 1 MiB a body, 128 MiB together. */
    public static PayloadConfig defaults() {
        return new PayloadConfig(false, 1 << 20, 128L << 20);
    }

    /** The same, with bodies kept. */
    public PayloadConfig keeping() {
        return new PayloadConfig(true, maxBytes, maxInFlightBytes);
    }
}
