package io.penstock.dataplane.core;

/**
 * Bounds and times of the core. Everything is allocated for the bounds when the core is made.
 *
 * @param maxSlots ranks of all workers together, 1 to 65,536
 * @param maxActiveRequests requests in flight, 1 to 4,194,304; beyond it requests are routed, their load is not counted
 * @param pathHashes block hashes kept of requests in flight and of predicted holders, a power of two
 * @param maxBlocksPerRequest blocks of a prompt; longer prompts are routed by load alone
 * @param predictedTtlMs how long a worker is assumed to hold a prompt before its events say so
 * @param maxPredictedHolders prompts so assumed at a time
 * @param approximateTtlSeconds how long a worker without events is assumed to keep a prompt
 * @param maxApproximatePrompts prompts so assumed at a time; the oldest goes first
 * @param requestExpirySeconds a request not heard of for so long no longer counts as load
 * @param expiryCheckSeconds how often that is looked at
 * @param trackOutputBlocks whether generated tokens count as active blocks
 * @param predictionErrorThreshold moving average of the prediction error over which a worker is trusted less, 0 to 1
 * @param slotReuseSeconds how long a removed worker's slot number stays unused, so that late events find nobody
 */
public record CoreConfig(
        int maxSlots,
        int maxActiveRequests,
        int pathHashes,
        int maxBlocksPerRequest,
        int predictedTtlMs,
        int maxPredictedHolders,
        int approximateTtlSeconds,
        int maxApproximatePrompts,
        int requestExpirySeconds,
        int expiryCheckSeconds,
        boolean trackOutputBlocks,
        double predictionErrorThreshold,
        int slotReuseSeconds) {
    /** Refuses what cannot work. */
    public CoreConfig {
        range("maxSlots", maxSlots, 1, 65_536);
        range("maxActiveRequests", maxActiveRequests, 1, 1 << 22);
        range("maxBlocksPerRequest", maxBlocksPerRequest, 1, 1 << 20);
        range("predictedTtlMs", predictedTtlMs, 0, 600_000);
        range("maxPredictedHolders", maxPredictedHolders, 1, 1 << 20);
        range("approximateTtlSeconds", approximateTtlSeconds, 1, 86_400);
        range("maxApproximatePrompts", maxApproximatePrompts, 1, 1 << 20);
        range("requestExpirySeconds", requestExpirySeconds, 1, 86_400);
        range("expiryCheckSeconds", expiryCheckSeconds, 1, 3_600);
        range("slotReuseSeconds", slotReuseSeconds, 0, 3_600);
        if (pathHashes < 1_024 || pathHashes > 1 << 29 || Integer.bitCount(pathHashes) != 1) {
            throw new IllegalArgumentException("not a power of two from 1024 to 2^29: pathHashes=" + pathHashes);
        }
        if (!(predictionErrorThreshold >= 0 && predictionErrorThreshold <= 1)) {
            throw new IllegalArgumentException("out of 0..1: predictionErrorThreshold=" + predictionErrorThreshold);
        }
    }

    /** 4,096 slots, 16,384 requests, 32 MiB of hashes; 2 s, 120 s, 300 s. */
    public static CoreConfig defaults() {
        return new CoreConfig(4_096, 16_384, 1 << 22, 32_768, 2_000, 4_096, 120, 16_384, 300, 30, true, 0.5, 60);
    }

    private static void range(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException("out of " + low + ".." + high + ": " + name + "=" + value);
        }
    }
}
