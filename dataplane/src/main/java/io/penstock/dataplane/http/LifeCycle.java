package io.penstock.dataplane.http;

import io.netty.util.concurrent.EventExecutor;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.RequestPort;
import java.util.concurrent.TimeUnit;

/**
 * Tells the core how a placed request fares. An end is told in any case: when the ring is full, a little later.
 *
 * <p><b>Threading:</b> owned by the event loop, except {@link #tell}.
 */
final class LifeCycle {
    private static final long RETRY_MS = 5;

    private final Front front;
    private final RequestPort port;
    private final EventExecutor loop;
    private long ticket = -1;
    private boolean tokenSeen;

    LifeCycle(Front front, EventExecutor loop) {
        this.front = front;
        this.port = front.requests();
        this.loop = loop;
    }

    /** The core has given the request a place. */
    void placed(long newTicket) {
        ticket = newTicket;
        tokenSeen = false;
    }

    /** The engine's first output came; of several calls the first counts. */
    void firstToken() {
        if (ticket >= 0 && !tokenSeen) {
            tokenSeen = true;
            port.firstToken(ticket); // dropped when full: the end settles it
        }
    }

    /** Output so far; dropped when the ring is full, the next one says more. */
    void progress(int tokens) {
        if (ticket >= 0) {
            port.progress(ticket, tokens);
        }
    }

    /** The request has left its worker for another try; of several calls the first counts. */
    void finished(Outcome outcome, int outputTokens, int cachedTokens) {
        ended(outcome, outputTokens, cachedTokens, null);
    }

    /** The request has ended, with its trace; also where no worker has it. */
    void ended(Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        tell(leave(), outcome, outputTokens, cachedTokens, trace);
    }

    /** Takes the ticket out, for an end that is told from another thread by {@link #tell}. */
    long leave() {
        long ended = ticket;
        ticket = -1;
        return ended;
    }

    /**
     * Tells the end of a ticket that was taken out, or of none (negative); from any thread. A trace that waits for
     * redactors follows as a note: the core is not to wait for them.
     */
    void tell(long ended, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        boolean later = trace != null
                && front.payloads().redacts(trace, front.preparation(), redacted -> again(-1, null, -1, -1, redacted));
        again(ended, outcome, outputTokens, cachedTokens, later ? null : trace);
    }

    private void again(long ended, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        boolean told = ended < 0
                ? trace == null || port.note(trace)
                : port.finished(ended, outcome, outputTokens, cachedTokens, trace);
        if (told) {
            return;
        }
        if (!loop.isShuttingDown()) {
            loop.schedule(
                    () -> again(ended, outcome, outputTokens, cachedTokens, trace), RETRY_MS, TimeUnit.MILLISECONDS);
        } else if (trace != null) {
            front.counters().traceLost();
        }
    }
}
