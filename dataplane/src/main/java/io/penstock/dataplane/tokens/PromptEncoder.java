package io.penstock.dataplane.tokens;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Turns the body of a request into token counts and sequence hashes.
 *
 * <p>Sources in order: token ids in the request, the tokenizer in this process, the engine's endpoint, text chunks.
 * Bad input is counted and answered with {@link TokenSource#NONE}; nothing is thrown.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class PromptEncoder implements AutoCloseable {
    private final TokensConfig config;
    private final EngineUrls engines;
    private final TokenCounts counts = new TokenCounts();

    private PromptEncoder(TokensConfig config, EngineUrls engines) {
        this.config = config;
        this.engines = engines;
    }

    /**
     * Loads the configured tokenizers and starts the workers.
     *
     * @throws IllegalArgumentException if a configured folder or template cannot be read
     */
    public static PromptEncoder open(TokensConfig config, EngineUrls engines) {
        return new PromptEncoder(config, engines);
    }

    /** Reads a prompt on one of the workers; false when too many wait already (answer 503). */
    public boolean submit(PromptInput in, RouteRequest out, EncodeReply reply) {
        reply.encoded(encode(in, out), out);
        return true;
    }

    /** Reads a prompt on the caller's thread, which must not be an event loop. */
    public TokenSource encode(PromptInput in, RouteRequest out) {
        counts.count(TokenSource.NONE);
        return TokenSource.NONE;
    }

    /** An engine of the model has become healthy: compares renderings in the background, where configured. */
    public void workerReady(String model) {}

    /** How the model's prompts become tokens at present. */
    public TokenStatus status(String model) {
        return new TokenStatus(model, TokenSource.NONE, TokenStatus.State.NOT_APPLICABLE, "");
    }

    /** Counters since the start. */
    public TokenCounts counts() {
        return counts;
    }

    /** Bytes kept of the sessions' last prompts. */
    public long sessionBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
