package io.penstock.dataplane.session;

/**
 * How many sessions are remembered, and how long.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param capacity sessions remembered, 1 to 4,194,304; about 1 KB each. Beyond it the one idle longest is forgotten
 * @param ttlSeconds a session without a request for so long is forgotten, 1 to 31,536,000
 */
public record SessionConfig(int capacity, int ttlSeconds) {
    private static final int MOST = 1 << 22;
    private static final int YEAR_SECONDS = 31_536_000;

    /** Checks the ranges. */
    public SessionConfig {
        if (capacity < 1 || capacity > MOST) {
            throw new IllegalArgumentException("not in 1.." + MOST + ": capacity=" + capacity);
        }
        if (ttlSeconds < 1 || ttlSeconds > YEAR_SECONDS) {
            throw new IllegalArgumentException("not in 1.." + YEAR_SECONDS + ": ttlSeconds=" + ttlSeconds);
        }
    }

    /** 65,536 sessions, an hour. */
    public static SessionConfig defaults() {
        return new SessionConfig(1 << 16, 3_600);
    }
}
