package io.penstock.dataplane.timeline;

/**
 * Something of a session that takes time; ms since 1970, fractions allowed.
 *
 * <p><b>Threading:</b> implementations are immutable.
 */
interface Span {
    /** Whose. */
    Session session();

    /** Began. */
    double startMs();

    /** Took, never negative. */
    double durationMs();

    /** Ended. */
    default double endMs() {
        return startMs() + durationMs();
    }
}
