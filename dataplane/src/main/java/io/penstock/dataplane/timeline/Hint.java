package io.penstock.dataplane.timeline;

/**
 * Something the router did on its own: an engine was told what to do with cache, or a session was held back.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param epochMs when
 * @param action what
 * @param amount how much of it, -1 if that says nothing
 * @param worker where, or null
 * @param session for whom, or null
 */
record Hint(long epochMs, String action, long amount, String worker, String session) {
    /** Whether blocks were given up. */
    boolean isEviction() {
        return action.contains("evict");
    }
}
