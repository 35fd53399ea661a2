package io.penstock.dataplane.journal;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One entry of the trace journal: how a request ended, or what an agent's tool did. A front fills one a request, the
 * journal writes it, a reader fills it again.
 *
 * <p>Absent numbers are -1, absent durations NaN, absent texts null; what a router cannot see is left absent, never
 * invented. Nothing in it tells content, except the payload fields, which are filled only where the operator asked for
 * them.
 *
 * <p><b>Threading:</b> filled by one thread, handed on through the rings, never changed after.
 */
public final class TraceRecord {
    /** Unknown number. */
    public static final int UNKNOWN = -1;

    /** What an entry tells. Codes are written to files and are never used again for something else. */
    public enum Kind {
        /** A request left the router: all but the tool fields. */
        REQUEST_END(1),
        /** A tool began. */
        TOOL_START(2),
        /** A tool ended well. */
        TOOL_END(3),
        /** A tool failed. */
        TOOL_ERROR(4),
        /** A session was held back or let on: {@link #action}, {@link #amount}. */
        ADMISSION(5),
        /** An engine was told what to do with cache: {@link #action}, {@link #amount}. */
        HINT(6);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Number in files. */
        public int code() {
            return code;
        }
    }

    /**
     * A tool call that a model asked for; its arguments are never kept.
     *
     * @param choice index of the choice
     * @param index index of the call in its choice
     * @param id name of the call, or null
     * @param name name of the tool, or null
     */
    public record ToolCall(int choice, int index, String id, String name) {}

    /**
     * How one choice ended.
     *
     * @param index the choice
     * @param finishReason in the words of the client's API, or null
     * @param stopReason stop string or token as the engine tells it, or null
     */
    public record ChoiceEnd(int index, String finishReason, String stopReason) {}

    /** What it tells. */
    public Kind kind = Kind.REQUEST_END;

    /** Time of the event, ms since 1970. */
    public long epochMs;

    /** Who: session, parent, group, headers; {@link AgentContext#NONE} for a request that names nobody. */
    public AgentContext agent = AgentContext.NONE;

    /** The router's own name of the request. */
    public String requestId;

    /** The client's name of it ({@code x-request-id}), or null. */
    public String clientRequestId;

    /** Path asked for. */
    public String api;

    /** Model as the client names it. */
    public String model;

    /** How it ended. */
    public Outcome outcome;

    /** HTTP status that the client got, or {@link #UNKNOWN} when it went before. */
    public int status = UNKNOWN;

    /** Engines tried. */
    public int attempts;

    /** Prompt tokens: the router's count, else the engine's. */
    public int inputTokens = UNKNOWN;

    /** Tokens produced; for a cut stream so far. */
    public int outputTokens = UNKNOWN;

    /** Prompt tokens that the router expected to be cached. */
    public int predictedCachedTokens = UNKNOWN;

    /** Prompt tokens that the engine says were cached. */
    public int cachedTokens = UNKNOWN;

    /** The request's last byte came in, ms since 1970. */
    public long receivedMs = UNKNOWN;

    /** Received to placed: reading, tokenising, waiting for the core; ms. */
    public double routedMs = Double.NaN;

    /** Received to the first output; ms. */
    public double firstTokenMs = Double.NaN;

    /** Received to the end; ms. */
    public double totalMs = Double.NaN;

    /** Wait in the core's ring, ns. */
    public long waitNs = UNKNOWN;

    /** Worker that answered last, or null. */
    public String worker;

    /** Its rank, or {@link #UNKNOWN}. */
    public int rank = UNKNOWN;

    /** Its slot, or {@link #UNKNOWN}. */
    public int slot = UNKNOWN;

    /** Blocks of the prompt that the worker held, all tiers, or {@link #UNKNOWN}. */
    public int overlapBlocks = UNKNOWN;

    /** Block size of the hashes, tokens; 0 without hashes. */
    public int blockSize;

    /** Whether the hashes are those of tokens; else of chunks of text. */
    public boolean exact;

    /** Sequence hashes of the full blocks, from index 0; shared with the request, never written. */
    public long[] hashes = {};

    /** How many. */
    public int hashCount;

    /**
     * Trace hashes (no adapter, no salt) of the full blocks where they differ from {@link #hashes}, else null; as many as
     * {@link #hashCount}.
     */
    public long[] traceHashes;

    /** Whether the prompt ends in a partial block. */
    public boolean partial;

    /** Trace hash of the partial block. */
    public long partialHash;

    /** Reason of the last choice that ended, in the words of the client's API, or null. */
    public String finishReason;

    /** Choices that ended; one for most requests. */
    public final List<ChoiceEnd> choices = new ArrayList<>(1);

    /** Tool calls asked for, in the order of their first chunks. */
    public final List<ToolCall> toolCalls = new ArrayList<>(2);

    /** Request body, only where asked for; else null. */
    public byte[] requestPayload;

    /** Answer's body, only where asked for; else null. */
    public byte[] responsePayload;

    /** Request headers that the operator named, repeats joined by comma and blank; only beside a payload. */
    public Map<String, String> capturedHeaders = Map.of();

    /** Tool rows: name of the call. */
    public String toolCallId;

    /** Tool rows: class of the tool. */
    public String toolClass;

    /** Tool rows: {@code running}, {@code succeeded}, {@code error} or {@code cancelled}; or null. */
    public String toolStatus;

    /** Tool rows: began, ms since 1970, or {@link #UNKNOWN}. */
    public long toolStartedMs = UNKNOWN;

    /** Tool rows: ended, ms since 1970, or {@link #UNKNOWN}. */
    public long toolEndedMs = UNKNOWN;

    /** Tool rows: duration, ms. */
    public double toolMs = Double.NaN;

    /** Tool rows: tokens of its output. */
    public long toolOutputTokens = UNKNOWN;

    /** Tool rows: bytes of its output. */
    public long toolOutputBytes = UNKNOWN;

    /** Tool rows: hash of the tool's name, or null. */
    public String toolNameHash;

    /** Tool rows: what went wrong, or null. */
    public String toolErrorType;

    /** Admission and hint rows: what was done. */
    public String action;

    /** Admission and hint rows: to how much of it (blocks, ms). */
    public long amount = UNKNOWN;

    /** Trace hashes of a prompt: full blocks and the partial one. */
    public int traceHashCount() {
        return hashCount + (partial ? 1 : 0);
    }

    /** Trace hash {@code i}. */
    public long traceHash(int i) {
        return i == hashCount ? partialHash : traceHashes == null ? hashes[i] : traceHashes[i];
    }
}
