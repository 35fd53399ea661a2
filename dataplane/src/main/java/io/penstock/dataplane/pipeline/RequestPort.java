package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * Where requests and their life cycle enter the pipeline. Never blocks: false means that the ring is full, to be
 * answered with 503 and {@code Retry-After}.
 *
 * <p>{@code ticket} is {@link Decision#ticket}; calls with an old ticket are ignored and counted.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public interface RequestPort {
    /**
     * Asks for a worker. The reply comes on the core's thread; before this method returns while the core is down, as
     * {@link Decision.Mode#DEGRADED}.
     */
    boolean route(RouteRequest request);

    /** The engine's first byte of output came. */
    boolean firstToken(long ticket);

    /** The engine has produced {@code outputTokens} so far. */
    boolean progress(long ticket, int outputTokens);

    /**
     * The request left its worker.
     *
     * @param outcome how it ended
     * @param outputTokens tokens produced, or -1 if unknown
     * @param cachedTokens the engine's own count of cached prompt tokens, or -1 if it gave none
     * @param trace what the consumers of decisions are told with it, or null; not changed after
     */
    boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace);

    /** The same without a trace: a try that another one follows. */
    default boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens) {
        return finished(ticket, outcome, outputTokens, cachedTokens, null);
    }

    /**
     * Something that the consumers of decisions are told, in order with the rest: what a tool did, a request that no
     * worker got.
     */
    boolean note(TraceRecord trace);
}
