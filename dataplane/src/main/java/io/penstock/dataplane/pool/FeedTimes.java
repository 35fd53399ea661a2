package io.penstock.dataplane.pool;

/**
 * How often a pool's feed looks, and how fast.
 *
 * @param listingIntervalMs from the end of one listing to the next
 * @param minListingMs shortest time between two, whatever asks for them
 * @param maxBackoffMs longest wait after failures of the master
 * @param statusMs from one question how far the stream has come to the next
 * @param graceMs how long a message may be on its way
 * @param settleMs how long a connection is left to settle where the master cannot say how far its stream has come
 * @param uncheckedMs time without a complete listing after which nothing counts
 * @param listedPerSecond most objects of a listing a second, while the pool counts
 * @param probesPerSecond most objects asked for in a second; 0: none
 * @param earlyStalePercent share of probed objects gone above which a listing comes at once
 */
record FeedTimes(
        int listingIntervalMs,
        int minListingMs,
        int maxBackoffMs,
        int statusMs,
        int graceMs,
        int settleMs,
        int uncheckedMs,
        int listedPerSecond,
        int probesPerSecond,
        int earlyStalePercent) {
    /** As configured, the rest as it has shown to work. */
    static FeedTimes of(PoolConfig config) {
        int listing = config.listingIntervalS() * 1_000;
        return new FeedTimes(
                listing, 1_000, 30_000, 1_000, 500, 1_000, 4 * listing, 200_000, config.probesPerSecond(), 5);
    }
}
