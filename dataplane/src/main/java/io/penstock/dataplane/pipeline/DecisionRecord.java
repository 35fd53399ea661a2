package io.penstock.dataplane.pipeline;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.core.MissedPages;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.Tier;

/**
 * Slot of the decision ring: what was decided, or how it ended. Consumers read it within their handler only.
 *
 * <p><b>Threading:</b> written by the core, read by the consumers of the decision ring.
 */
public final class DecisionRecord {
    /** What the record tells. */
    public enum Kind {
        /** A request was placed or refused: all fields but {@link #outcome} and the token counts. */
        DECIDED,
        /** A placed request ended: {@link #ticket}, {@link #outcome}, {@link #outputTokens}, {@link #cachedTokens}. */
        FINISHED,
        /** Something else worth a trace: {@link #trace} only. */
        NOTED
    }

    /** What the record tells. */
    public Kind kind;

    /** Time of the event, ms since 1970. */
    public long epochMs;

    /** Time of the event, nanoseconds of the router's monotonic clock. */
    public long timeNs;

    /** Number of the request among the core's inputs ({@link Decision#seq}); -1 of other records. */
    public long seq;

    /** The placement's ticket. */
    public long ticket;

    /** Result of the placement. */
    public Decision.Status status;

    /** How it was found. */
    public Decision.Mode mode;

    /** Number of the model. */
    public int model;

    /** Chosen slot, or -1. */
    public int slot;

    /** Prompt length in tokens. */
    public int promptTokens;

    /** Tokens expected to be cached. */
    public int predictedCachedTokens;

    /** Nanoseconds from publication to decision. */
    public long waitNs;

    /** XXH3-64 of the session, 0 for none. */
    public long sessionKey;

    /** XXH3-64 of the parent session, 0 for none. */
    public long parentKey;

    /** Entries in the candidate columns. */
    public int candidates;

    /** Slot of each candidate. */
    public final int[] candidateSlot = new int[Decision.MAX_CANDIDATES];

    /** Overlap blocks of each candidate, four tiers each. */
    public final int[] candidateBlocks = new int[Decision.MAX_CANDIDATES * Tier.COUNT];

    /** Blocks that each candidate would get from a shared pool. */
    public final int[] candidateShared = new int[Decision.MAX_CANDIDATES];

    /** Tokens waiting for prefill on each candidate. */
    public final long[] candidatePrefillTokens = new long[Decision.MAX_CANDIDATES];

    /** Blocks active on each candidate. */
    public final long[] candidateDecodeBlocks = new long[Decision.MAX_CANDIDATES];

    /** Cost of each candidate, in blocks. */
    public final double[] candidateCost = new double[Decision.MAX_CANDIDATES];

    /** Who holds more of the prompt, where the chosen slot may fetch it; else the fields up to {@link #agent} say nothing. */
    public final FetchOffer fetch = new FetchOffer();

    /** The chosen slot's place. */
    public WorkerEndpoint endpoint;

    /** Its block size, tokens. */
    public int blockSize;

    /** Sequence hashes of the prompt's full blocks; shared with the request, never written. */
    public long[] hashes;

    /** The router's own name of the request. */
    public String requestId;

    /** Who sent it. */
    public AgentContext agent;

    /** How the request ended. */
    public Outcome outcome;

    /** Tokens produced, or -1. */
    public int outputTokens;

    /** Cached prompt tokens as the engine counted, or -1. */
    public int cachedTokens;

    /** Of a request that ended: pages of a shared pool that were promised and that its engine did not get. */
    public final MissedPages missed = new MissedPages();

    /** What the journal is to keep of it, or null; the consumer clears nothing, the core does. */
    public TraceRecord trace;

    void decided(RequestSlot event) {
        RouteRequest request = event.request;
        Decision decision = request.decision;
        kind = Kind.DECIDED;
        epochMs = event.epochMs;
        timeNs = event.timeNs;
        seq = decision.seq;
        ticket = decision.ticket;
        status = decision.status;
        mode = decision.mode;
        model = request.model;
        slot = decision.slot;
        promptTokens = request.promptTokens;
        predictedCachedTokens = decision.predictedCachedTokens;
        waitNs = decision.waitNs;
        sessionKey = request.sessionKey;
        parentKey = request.parentKey;
        trace = null;
        missed.clear();
        outcome = null;
        outputTokens = -1;
        cachedTokens = -1;
        candidates = decision.candidates;
        System.arraycopy(decision.candidateSlot, 0, candidateSlot, 0, candidates);
        System.arraycopy(decision.candidateBlocks, 0, candidateBlocks, 0, candidates * Tier.COUNT);
        System.arraycopy(decision.candidateShared, 0, candidateShared, 0, candidates);
        System.arraycopy(decision.candidatePrefillTokens, 0, candidatePrefillTokens, 0, candidates);
        System.arraycopy(decision.candidateDecodeBlocks, 0, candidateDecodeBlocks, 0, candidates);
        System.arraycopy(decision.candidateCost, 0, candidateCost, 0, candidates);
        fetch.copy(decision.fetch);
        if (fetch.there()) {
            offered(request);
        }
    }

    private void offered(RouteRequest request) {
        endpoint = request.decision.endpoint;
        blockSize = request.decision.blockSize;
        requestId = request.requestId;
        agent = request.agent;
        for (int i = 0; i < request.hashings; i++) {
            if (request.blockSizes[i] == blockSize) {
                hashes = request.sequenceHashes[i];
            }
        }
    }

    /** Every consumer has read it: what would be held for long is let go. */
    void letGo() {
        trace = null;
        hashes = null;
        agent = null;
        requestId = null;
    }

    void finished(RequestSlot event, MissedPages ofCore) {
        kind = event.kind == RequestSlot.NOTE ? Kind.NOTED : Kind.FINISHED;
        epochMs = event.epochMs;
        timeNs = event.timeNs;
        seq = -1;
        ticket = event.ticket;
        outcome = event.outcome;
        outputTokens = event.outputTokens;
        cachedTokens = event.cachedTokens;
        trace = event.trace;
        missed.take(ofCore);
        candidates = 0;
        fetch.clear();
    }
}
