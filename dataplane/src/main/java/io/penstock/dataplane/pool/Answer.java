package io.penstock.dataplane.pool;

import io.penstock.dataplane.pool.PoolMaster.Published;

/**
 * What the errands bring back to the feed, in the order in which it happened.
 *
 * <p><b>Threading:</b> immutable; handed over.
 */
sealed interface Answer {
    /** Listed objects, {@link #STRIDE} words each: pool, object, hash of the name, key. */
    record Listed(ListingRun run, long[] objects, int count) implements Answer {
        static final int STRIDE = 7;
        static final int KEY = 3;
    }

    /** A listing is over; with an error, it is not complete. */
    record ListingEnd(ListingRun run, long names, long foreign, long unknownParts, String error) implements Answer {}

    /**
     * How far the event stream has come; null without an error if this master cannot tell.
     *
     * @param known up to which message everything was known when it was asked
     */
    record Status(Published published, long known, String error) implements Answer {}

    /** Probed objects. */
    record Probed(ProbeBatch batch) implements Answer {}
}
