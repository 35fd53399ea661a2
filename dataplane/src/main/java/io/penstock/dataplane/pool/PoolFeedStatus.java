package io.penstock.dataplane.pool;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A pool's feed as of now, for metrics and the admin port.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param master the master in one line
 * @param state whether what is known counts
 * @param cause why it does not, or null
 * @param connected whether the event socket has a connection
 * @param lastSequence message up to which everything is known, -1 if none
 * @param lagMs wall clock minus the master's timestamp when the last message was taken; includes the hosts' clock
 *     difference; -1 if none was
 * @param stalledMs how long the pipeline has been refusing; 0 if it takes what comes
 * @param listedAtMs when the last complete listing ended, ms since 1970; -1 if there was none
 * @param listingMs how long it took
 * @param listedNames names that it showed, those of others included
 * @param counters values in the order of {@link PoolCounter}
 */
public record PoolFeedStatus(
        String master,
        PoolState state,
        String cause,
        boolean connected,
        long lastSequence,
        long lagMs,
        long stalledMs,
        long listedAtMs,
        long listingMs,
        long listedNames,
        long[] counters) {
    /** A counter's value. */
    public long count(PoolCounter counter) {
        return counters[counter.ordinal()];
    }

    /** For {@code /health}: everything but the counters. */
    public Map<String, Object> details() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("master", master);
        all.put("state", state.name().toLowerCase(Locale.ROOT));
        if (cause != null) {
            all.put("cause", cause);
        }
        all.put("connected", connected);
        all.put("lastSequence", lastSequence);
        all.put("listedAtMs", listedAtMs);
        all.put("listingMs", listingMs);
        all.put("listedNames", listedNames);
        all.put("stalledMs", stalledMs);
        return all;
    }

    /** One line for {@code /health}'s alerts where nothing of the pool counts, or null. */
    public String alert() {
        return state == PoolState.LIVE ? null : "nothing of the shared pool counts: " + cause;
    }
}
