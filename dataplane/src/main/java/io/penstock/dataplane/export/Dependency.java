package io.penstock.dataplane.export;

/**
 * What a request waits for in a replay.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param on place of the awaited request in the order by start; always before the one that waits
 * @param relation what it is in the agents' work
 * @param delayMs wait after it began or ended, at least 0
 */
record Dependency(int on, Relation relation, long delayMs) {
    /** Relations, with the event that they wait for. */
    enum Relation {
        /** The request before in the session; its end. */
        SEQUENCE("sequence", "completion"),
        /** The parent's request in whose course the agent began; its start. */
        SPAWN("spawn", "dispatch"),
        /** The last request of a child; its end. */
        JOIN("join", "completion");

        private final String word;
        private final String trigger;

        Relation(String word, String trigger) {
            this.word = word;
            this.trigger = trigger;
        }

        /** As the format writes it. */
        String word() {
            return word;
        }

        /** Event waited for, as the format writes it. */
        String trigger() {
            return trigger;
        }
    }
}
