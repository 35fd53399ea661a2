package io.penstock.dataplane.tail;

import java.time.Duration;

/**
 * What to show of a journal and for how long.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param sinceMs records from then on, ms since 1970; -1 for the last {@code lines}
 * @param lines how many of those written before to show when no {@code sinceMs} is given; 0 for none
 * @param follow whether to wait for more
 * @param ratesEvery how often the rates are shown; null for never
 */
public record TailOptions(long sinceMs, int lines, boolean follow, Duration ratesEvery) {
    /** Refuses what makes no sense. */
    public TailOptions {
        if (lines < 0) {
            throw new IllegalArgumentException("a number of lines cannot be negative: lines=" + lines);
        }
    }

    boolean hasRates() {
        return ratesEvery != null;
    }
}
