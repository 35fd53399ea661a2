package io.penstock.dataplane.demo;

/**
 * How one request ended, as the client saw it.
 *
 * @param end what became of it
 * @param ttftNs from the first try to the first token, retries included; for a request that never saw one, the wait
 * @param promptTokens as the engine counted, or -1 when the answer carried no usage
 * @param cachedTokens prompt tokens that the engine had, as it reports
 * @param outputTokens as the engine counted
 * @param retries tries after the first
 * @param toolCallId the answer's name of the tool call that it ends with, or null
 * @param cause of a failure, or null
 */
record Exchange(
        End end,
        long ttftNs,
        long promptTokens,
        long cachedTokens,
        long outputTokens,
        int retries,
        String toolCallId,
        String cause) {

    /** What became of a request. */
    enum End {
        /** Answered to the end. */
        ANSWERED,
        /** The stream broke after its first byte; an agent asks again. */
        INTERRUPTED,
        /** Refused, or never answered within the retry budget. */
        FAILED,
        /** Still open when the replay's time was up. */
        CUT
    }
}
