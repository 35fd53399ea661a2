package io.penstock.dataplane.pool;

/**
 * A feed's figures as of its last turn.
 *
 * <p><b>Threading:</b> written by the feed's thread, read by any.
 */
final class PoolFigures {
    private volatile PoolState state = PoolState.NO_LAYOUT;
    private volatile String cause = "not listed yet";
    private volatile boolean connected;
    private volatile long sequence = -1;
    private volatile long lagMs = -1;
    private volatile long stalledMs;
    private volatile long listedAtMs = -1;
    private volatile long listingMs;
    private volatile long listedNames;

    void state(PoolState now) {
        state = now;
    }

    void cause(String text) {
        cause = text;
    }

    void connected(boolean now) {
        connected = now;
    }

    void sequence(long last) {
        sequence = last;
    }

    void lagMs(long ms) {
        lagMs = ms;
    }

    void stalledMs(long ms) {
        stalledMs = ms;
    }

    void listed(long atMs, long tookMs, long names) {
        listingMs = tookMs;
        listedNames = names;
        listedAtMs = atMs;
    }

    PoolFeedStatus status(String master, PoolCounts counts) {
        PoolState now = state;
        return new PoolFeedStatus(
                master,
                now,
                now == PoolState.LIVE ? null : cause,
                connected,
                sequence,
                lagMs,
                stalledMs,
                listedAtMs,
                listingMs,
                listedNames,
                counts.snapshot());
    }
}
