package io.penstock.dataplane.tokens;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the encoder did since its start; for metrics.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class TokenCounts {
    private final LongAdder[] bySource = new LongAdder[TokenSource.values().length];

    /** Prompts refused because the workers' queue was full. */
    public final LongAdder refused = new LongAdder();

    /** Bodies that are not JSON, or hold no prompt where the API keeps it. */
    public final LongAdder malformed = new LongAdder();

    /** Templates that refused a conversation, or failed on it. */
    public final LongAdder templateErrors = new LongAdder();

    /** Engine endpoints that did not answer, in time or at all. */
    public final LongAdder endpointErrors = new LongAdder();

    /** Prompts with parts that this process cannot tokenise (images, audio, stored responses). */
    public final LongAdder unsupported = new LongAdder();

    /** Failures that should not be; the prompt was routed by load. */
    public final LongAdder internalErrors = new LongAdder();

    /** Tokens that went through the tokenizer. */
    public final LongAdder tokenised = new LongAdder();

    /** Tokens that were taken from the session's previous prompt instead. */
    public final LongAdder reused = new LongAdder();

    /** Pages of a shared pool whose keys were computed. */
    public final LongAdder pagesHashed = new LongAdder();

    /** Pages whose keys were taken from the session's previous prompt instead. */
    public final LongAdder pagesReused = new LongAdder();

    /** Prompts of a pool's model whose pages' keys cannot be told (adapters, media, extra keys). */
    public final LongAdder pagesUnkeyed = new LongAdder();

    /** Fresh counters. */
    public TokenCounts() {
        for (int i = 0; i < bySource.length; i++) {
            bySource[i] = new LongAdder();
        }
    }

    /** Prompts read from a source. */
    public long of(TokenSource source) {
        return bySource[source.ordinal()].sum();
    }

    void count(TokenSource source) {
        bySource[source.ordinal()].increment();
    }
}
