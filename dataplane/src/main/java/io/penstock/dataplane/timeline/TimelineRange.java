package io.penstock.dataplane.timeline;

import io.penstock.dataplane.tail.TailFilter;
import java.util.List;

/**
 * Which part of a journal is drawn.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param sinceMs records from then on, ms since 1970
 * @param untilMs records before
 * @param sessions these with all below them; a name may be cut and end in {@code *}; empty for all
 */
public record TimelineRange(long sinceMs, long untilMs, List<String> sessions) {
    /** All of it. */
    public static final TimelineRange ALL = new TimelineRange(Long.MIN_VALUE, Long.MAX_VALUE, List.of());

    /** Refuses what holds nothing. */
    public TimelineRange {
        sessions = List.copyOf(sessions);
        if (sinceMs >= untilMs) {
            throw new IllegalArgumentException("nothing lies between: since=" + sinceMs + " until=" + untilMs);
        }
    }

    boolean holds(long epochMs) {
        return epochMs >= sinceMs && epochMs < untilMs;
    }

    boolean asksFor(String session) {
        return sessions.isEmpty() || sessions.stream().anyMatch(asked -> TailFilter.means(asked, session));
    }
}
