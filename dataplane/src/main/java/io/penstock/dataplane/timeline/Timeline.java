package io.penstock.dataplane.timeline;

import java.util.List;

/**
 * All that is drawn.
 *
 * <p><b>Threading:</b> filled by one thread, then read.
 *
 * @param sessions parents before their children, roots by their start
 * @param requests by start
 * @param tools by start
 * @param gaps by start
 * @param hints by time
 */
record Timeline(
        List<Session> sessions, List<RequestSpan> requests, List<ToolSpan> tools, List<Gap> gaps, List<Hint> hints) {
    /** Begin of the first, ms since 1970; 0 without any. */
    double startMs() {
        return sessions.stream().mapToDouble(session -> session.startMs).min().orElse(0);
    }

    /** End of the last, ms since 1970; 0 without any. */
    double endMs() {
        return sessions.stream().mapToDouble(session -> session.endMs).max().orElse(0);
    }
}
