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
        return record.cachedTokens >= 0 ? record.cachedTokens : record.predictedCachedTokens;
    }

    /** Cached tokens over the prompt's, 0 to 1; NaN if one of them is unknown or the prompt empty. */
    public static double of(TraceRecord record) {
        int cached = cachedTokens(record);
        return cached < 0 || record.inputTokens <= 0 ? Double.NaN : Math.min(1, (double) cached / record.inputTokens);
    }
}
