package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * Which share of a prompt was in cache.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class HitRate {
    private HitRate() {}

    /** Tokens of the prompt that were in cache: what the engine says, else what the router expected; -1 if unknown. */
    public static int cachedTokens(TraceRecord record) {
        return known(record.cachedTokens, record.predictedCachedTokens);
    }

    /** The engine's word, else the router's expectation; -1 if unknown. */
    public static int known(int cachedTokens, int predictedCachedTokens) {
        return cachedTokens >= 0 ? cachedTokens : predictedCachedTokens;
    }

    /** Cached tokens over the prompt's, 0 to 1; NaN if one of them is unknown or the prompt empty. */
    public static double of(TraceRecord record) {
        return of(cachedTokens(record), record.inputTokens);
    }

    /** The same of two numbers, -1 where unknown. */
    public static double of(int cachedTokens, int inputTokens) {
        return cachedTokens < 0 || inputTokens <= 0 ? Double.NaN : Math.min(1, (double) cachedTokens / inputTokens);
    }
}
