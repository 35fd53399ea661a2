package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * What the core decided and why.
 *
 * <p>Candidates are the eligible slots with the lowest cost, best first, at most {@link #MAX_CANDIDATES}.
 *
 * <p><b>Threading:</b> written by the core before the reply, read by the front after it.
 */
public final class Decision {
    /** Candidates kept. */
    public static final int MAX_CANDIDATES = 16;

    /** Result of the placement. */
    public enum Status {
        /** Goes to {@link #endpoint}. */
        ROUTED,
        /** The model has no worker. */
        NO_WORKER,
        /** Workers exist, none is eligible (health, taints, adapter, exclusions). */
        NONE_ELIGIBLE,
        /** All eligible workers are over their busy thresholds. */
        ALL_BUSY,
        /** The pinned worker does not exist or is not eligible; never re-routed. */
        PINNED_UNAVAILABLE
    }

    /** How the placement was found. */
    public enum Mode {
        /** By the index and load. */
        NORMAL,
        /** Least loaded, because the core has failed. */
        DEGRADED
    }

    /** Result. */
    public Status status = Status.NO_WORKER;

    /** How it was found. */
    public Mode mode = Mode.NORMAL;

    /** Number of the request among the core's inputs ({@code coreSeq}), or -1 when the core did not decide. */
    public long seq = -1;

    /** Names this placement in the life-cycle calls of {@link RequestPort}. */
    public long ticket = -1;

    /** Chosen slot. */
    public int slot = -1;

    /** Where to send the request; null unless routed. */
    public WorkerEndpoint endpoint;

    /** Block size of the chosen worker, tokens. */
    public int blockSize;

    /** Tokens the engine should report as cached, by the definition of {@code predictedCachedTokens}. */
    public int predictedCachedTokens;

    /** Nanoseconds from the request's publication to the decision. */
    public long waitNs;

    /** Entries in the candidate columns. */
    public int candidates;

    /** Slot of each candidate. */
    public final int[] candidateSlot = new int[MAX_CANDIDATES];

    /** Overlap blocks of each candidate, four tiers each ({@link io.penstock.index.Tier}). */
    public final int[] candidateBlocks = new int[MAX_CANDIDATES * 4];

    /** Blocks credited from predicted holders, part of the device overlap. */
    public final int[] candidatePredicted = new int[MAX_CANDIDATES];

    /** Blocks that each candidate would get from a shared pool. */
    public final int[] candidateShared = new int[MAX_CANDIDATES];

    /** Tokens waiting for prefill on each candidate before this request. */
    public final long[] candidatePrefillTokens = new long[MAX_CANDIDATES];

    /** Blocks active on each candidate before this request. */
    public final long[] candidateDecodeBlocks = new long[MAX_CANDIDATES];

    /** Cost of each candidate, in blocks. */
    public final double[] candidateCost = new double[MAX_CANDIDATES];

    /** Who holds more of the prompt than the chosen slot, where that may fetch it; no part of the choice. */
    public final FetchOffer fetch = new FetchOffer();
}
