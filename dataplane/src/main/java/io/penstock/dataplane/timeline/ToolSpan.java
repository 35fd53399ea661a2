package io.penstock.dataplane.timeline;

/**
 * A tool on the timeline.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param session whose
 * @param startMs began
 * @param durationMs took
 * @param callId name of the call, or null
 * @param toolClass class or name
 * @param state how it ended
 * @param source where the times are from
 * @param statusText as the harness says, or null
 * @param errorType what went wrong, or null
 * @param outputTokens of its output, -1 if unknown
 * @param outputBytes of its output, -1 if unknown
 * @param caller the request that asked for it, where that is known, or null
 * @param next the request that followed an inferred one, or null
 */
record ToolSpan(
        Session session,
        double startMs,
        double durationMs,
        String callId,
        String toolClass,
        State state,
        Source source,
        String statusText,
        String errorType,
        long outputTokens,
        long outputBytes,
        RequestSpan caller,
        RequestSpan next)
        implements Span {
    /** Shown for a tool whose duration nobody knows, ms. */
    static final double UNKNOWN_MS = 1;

    /** How it ended. */
    enum State {
        /** Well, or nobody says otherwise. */
        DONE,
        /** It failed. */
        FAILED,
        /** Its end is not in the journal. */
        RUNNING
    }

    /** Where the times are from. */
    enum Source {
        /** The harness's events. */
        TOLD,
        /** The harness's event, which tells no duration. */
        TOLD_WITHOUT_DURATION,
        /** From the end of the request that asked for it to the session's next request. */
        INFERRED,
        /** Asked for by a request that no other followed: the duration is unknown. */
        INFERRED_WITHOUT_DURATION;

        /** Whether a duration was made up so that it can be seen. */
        boolean isSynthetic() {
            return this == TOLD_WITHOUT_DURATION || this == INFERRED_WITHOUT_DURATION;
        }

        /** Whether no event told of it. */
        boolean isInferred() {
            return this == INFERRED || this == INFERRED_WITHOUT_DURATION;
        }
    }
}
