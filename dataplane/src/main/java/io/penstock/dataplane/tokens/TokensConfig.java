package io.penstock.dataplane.tokens;

import java.util.Map;

/**
 * How prompts become tokens.
 *
 * @param workers threads that read, render and tokenise
 * @param queueCapacity prompts that may wait for them; beyond it the front answers 503
 * @param sessionCacheBytes most bytes kept of the sessions' last prompts
 * @param nativeFolder folder into which the tokenizer's native library is unpacked; null: a folder below the JVM's
 *     temporary one
 * @param fallback for models that {@code models} does not name
 * @param models per configured model name
 */
public record TokensConfig(
        int workers,
        int queueCapacity,
        long sessionCacheBytes,
        String nativeFolder,
        ModelTokens fallback,
        Map<String, ModelTokens> models) {
    /** Checks the ranges. */
    public TokensConfig {
        if (workers < 1 || workers > 256) {
            throw new IllegalArgumentException("not in 1..256: workers=" + workers);
        }
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("must be positive: queueCapacity=" + queueCapacity);
        }
        if (sessionCacheBytes < 0) {
            throw new IllegalArgumentException("must not be negative: sessionCacheBytes=" + sessionCacheBytes);
        }
        fallback = fallback == null ? ModelTokens.defaults() : fallback;
        models = models == null ? Map.of() : Map.copyOf(models);
    }

    /** Text chunks for every model; half the processors; 256 MiB of sessions. */
    public static TokensConfig defaults() {
        int workers = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
        return new TokensConfig(workers, 1_024, 256L << 20, null, ModelTokens.defaults(), Map.of());
    }

    /** What holds for a model. */
    public ModelTokens of(String model) {
        return models.getOrDefault(model, fallback);
    }
}
