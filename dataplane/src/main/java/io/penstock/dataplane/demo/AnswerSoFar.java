package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.Exchange.End;

/**
 * One try of a request, as far as it has come; {@code end} stays null where another try may follow.
 *
 * <p><b>Threading:</b> confined to the thread that sends.
 */
final class AnswerSoFar {
    End end;
    long firstNs;
    double askedSeconds = TurnClient.NOT_ASKED;
    long promptTokens = -1;
    long cachedTokens;
    long outputTokens;
    String toolCallId;
    String cause;

    /** The first output is here. */
    void begun() {
        if (firstNs == 0) {
            firstNs = System.nanoTime();
        }
    }

    /** It ended too early. */
    void broke(String why) {
        cause = why;
        end = firstNs == 0 ? null : End.INTERRUPTED;
    }

    Exchange exchange(long ttftNs, int retries) {
        return new Exchange(end, ttftNs, promptTokens, cachedTokens, outputTokens, retries, toolCallId, cause);
    }
}
