package io.penstock.dataplane.timeline;

/**
 * Time of a session between its first and last sign of life in which neither a request nor a tool of it ran.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param session whose
 * @param startMs began
 * @param durationMs took
 * @param kind why, as far as the journal knows
 */
record Gap(Session session, double startMs, double durationMs, Kind kind) implements Span {
    /** Why nothing ran. */
    enum Kind {
        /** Nothing of it or its subagents ran: a person, or a tool that nobody tells of. */
        PAUSED("paused"),
        /** A subagent of it was at work. */
        SUBAGENTS("waiting for subagents");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
