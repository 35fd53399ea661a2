package io.penstock.dataplane.routing;

/**
 * When a worker is too busy to be given more; -1 switches a threshold off.
 *
 * @param activeDecodeBlocksFraction active blocks over the worker's device blocks, where known
 * @param activePrefillTokens prompt tokens waiting for prefill
 * @param activePrefillTokensFraction the same over the worker's largest batch (10,000,000 tokens where unknown)
 */
public record BusyThresholds(
        double activeDecodeBlocksFraction, long activePrefillTokens, double activePrefillTokensFraction) {
    private static final long UNKNOWN_BATCH = 10_000_000;

    /** Refuses what is not a number. */
    public BusyThresholds {
        if (Double.isNaN(activeDecodeBlocksFraction)) {
            throw new IllegalArgumentException("not a number: activeDecodeBlocksFraction=NaN");
        }
        if (Double.isNaN(activePrefillTokensFraction)) {
            throw new IllegalArgumentException("not a number: activePrefillTokensFraction=NaN");
        }
    }

    /** No worker is ever busy. */
    public static BusyThresholds defaults() {
        return new BusyThresholds(-1, -1, -1);
    }

    /** Whether a worker with this load is over a threshold. */
    public boolean over(long decodeBlocks, long totalKvBlocks, long prefillTokens, long maxBatchedTokens) {
        long batch = maxBatchedTokens > 0 ? maxBatchedTokens : UNKNOWN_BATCH;
        return (activeDecodeBlocksFraction >= 0
                        && totalKvBlocks > 0
                        && decodeBlocks > activeDecodeBlocksFraction * totalKvBlocks)
                || (activePrefillTokens >= 0 && prefillTokens > activePrefillTokens)
                || (activePrefillTokensFraction >= 0 && prefillTokens > activePrefillTokensFraction * batch);
    }
}
