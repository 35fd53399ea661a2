package io.penstock.dataplane.pool;

/**
 * When all objects are listed: at once when something was lost, else from time to time; never too often, and more rarely
 * while the master fails.
 *
 * <p><b>Threading:</b> owned by the feed.
 */
final class ListingPlan {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final FeedTimes times;
    private long dueMs = Long.MAX_VALUE;
    private long notBeforeMs;
    private long lastEndMs = NEVER;
    private int failures;

    ListingPlan(FeedTimes times) {
        this.times = times;
    }

    /** Something was lost: as soon as may be. */
    void urgent() {
        dueMs = NEVER;
    }

    /** Not before this, whatever is due. */
    void notBefore(long ms) {
        notBeforeMs = Math.max(notBeforeMs, ms);
    }

    boolean due(long nowMs) {
        return nowMs >= dueMs && nowMs >= notBeforeMs;
    }

    /** A listing begins. */
    void begun(long nowMs) {
        dueMs = Long.MAX_VALUE;
        notBeforeMs = nowMs + times.minListingMs();
    }

    /** A listing came to its end. */
    void done(long nowMs) {
        failures = 0;
        lastEndMs = nowMs;
        dueMs = Math.min(dueMs, nowMs + times.listingIntervalMs());
    }

    /** The master did not give it; it is tried again. */
    void failed(long nowMs) {
        notBefore(nowMs + backoffMs());
        dueMs = NEVER;
    }

    /** How long to wait after a failure, longer with each. */
    int backoffMs() {
        int shift = Math.min(failures++, 16);
        return (int) Math.min(times.maxBackoffMs(), (long) times.minListingMs() << shift);
    }

    /** Whether the last complete listing is too long ago to go on. */
    boolean unchecked(long nowMs) {
        return lastEndMs != NEVER && nowMs - lastEndMs > times.uncheckedMs();
    }

    /** When the last complete listing ended, or -1. */
    long lastEndMs() {
        return lastEndMs == NEVER ? -1 : lastEndMs;
    }
}
