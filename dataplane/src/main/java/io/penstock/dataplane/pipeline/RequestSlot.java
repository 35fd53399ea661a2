package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * Slot of the request ring.
 *
 * <p><b>Threading:</b> handed over by the ring.
 */
final class RequestSlot {
    static final int ROUTE = 1;
    static final int FIRST_TOKEN = 2;
    static final int PROGRESS = 3;
    static final int FINISHED = 4;
    static final int TICK = 5;
    static final int NOTE = 6;

    int kind;
    long timeNs;
    long epochMs;
    RouteRequest request;
    long ticket;
    Outcome outcome;
    int outputTokens;
    int cachedTokens;
    TraceRecord trace;

    void stamp(int ofKind) {
        kind = ofKind;
        timeNs = System.nanoTime();
        epochMs = System.currentTimeMillis();
    }
}
