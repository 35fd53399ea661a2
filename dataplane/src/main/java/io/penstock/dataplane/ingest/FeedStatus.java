package io.penstock.dataplane.ingest;

/**
 * A feed as of now, for metrics and the admin port.
 *
 * @param worker name of the worker
 * @param dpRank rank
 * @param slot slot that its events go to
 * @param state what is known about the engine
 * @param connected whether the event socket has a connection
 * @param lastSequence last batch applied, -1 if none
 * @param lagMs wall clock minus the engine's timestamp when the last batch was applied; includes the hosts' clock
 *     difference; -1 if none was applied
 * @param stalledMs how long the pipeline has been refusing this feed's events; 0 if it takes them
 * @param lastError last failure of a socket or of the feed itself, or null
 * @param counters values in the order of {@link FeedCounter}
 */
public record FeedStatus(
        String worker,
        int dpRank,
        int slot,
        FeedState state,
        boolean connected,
        long lastSequence,
        long lagMs,
        long stalledMs,
        String lastError,
        long[] counters) {
    /** One of the counters. */
    public long count(FeedCounter counter) {
        return counters[counter.ordinal()];
    }
}
