package io.penstock.dataplane.routing;

/**
 * How a worker is chosen. Names and defaults are those of Dynamo's KV router where it has the same setting.
 *
 * @param policy placement policy of requests that name none
 * @param overlapScoreCredit prefill blocks saved per device block of overlap
 * @param overlapScoreCreditDecay how fast that credit fades on a worker with more prefill waiting than the least
 * @param prefillLoadScale weight of prefill against decode load
 * @param decodeActiveRequestWeight blocks that a request in flight counts for beside its own
 * @param hostCacheHitWeight credit per host block, in device blocks
 * @param diskCacheHitWeight credit per disk or external block, in device blocks
 * @param sharedCacheMultiplier credit per block that the worker would get from a shared pool, in device blocks
 * @param temperature 0 takes the cheapest; above, softmax over the costs
 * @param trackPrefillTokens whether prefill counts in the cost at all
 * @param busy when workers are too busy
 * @param seed of ties, softmax and the random policy
 * @param staleCredit factor on the overlap of a worker whose engine is not yet proven to be the one we knew, 0 to 1
 * @param staleTtlSeconds how long that factor holds after the start; then 0
 * @param sharedPoolCounting which pages of a shared pool count
 */
public record RoutingConfig(
        PolicyKind policy,
        double overlapScoreCredit,
        double overlapScoreCreditDecay,
        double prefillLoadScale,
        double decodeActiveRequestWeight,
        double hostCacheHitWeight,
        double diskCacheHitWeight,
        double sharedCacheMultiplier,
        double temperature,
        boolean trackPrefillTokens,
        BusyThresholds busy,
        long seed,
        double staleCredit,
        int staleTtlSeconds,
        SharedPoolCounting sharedPoolCounting) {
    /** Refuses what is not a weight. */
    public RoutingConfig {
        policy = policy == null ? PolicyKind.KV : policy;
        busy = busy == null ? BusyThresholds.defaults() : busy;
        sharedPoolCounting = sharedPoolCounting == null ? SharedPoolCounting.CONTIGUOUS : sharedPoolCounting;
        weight("overlapScoreCredit", overlapScoreCredit);
        weight("overlapScoreCreditDecay", overlapScoreCreditDecay);
        weight("prefillLoadScale", prefillLoadScale);
        weight("decodeActiveRequestWeight", decodeActiveRequestWeight);
        weight("hostCacheHitWeight", hostCacheHitWeight);
        weight("diskCacheHitWeight", diskCacheHitWeight);
        weight("sharedCacheMultiplier", sharedCacheMultiplier);
        weight("temperature", temperature);
        weight("staleCredit", staleCredit);
        if (staleCredit > 1) {
            throw new IllegalArgumentException("out of 0..1: staleCredit=" + staleCredit);
        }
        if (staleTtlSeconds < 0) {
            throw new IllegalArgumentException("negative: staleTtlSeconds=" + staleTtlSeconds);
        }
    }

    /** Dynamo's defaults; unproven workers score nothing. */
    public static RoutingConfig defaults() {
        return new RoutingConfig(
                PolicyKind.KV,
                1,
                0,
                1,
                0,
                0.75,
                0.25,
                0.5,
                0,
                true,
                BusyThresholds.defaults(),
                1,
                0,
                30,
                SharedPoolCounting.CONTIGUOUS);
    }

    /** The same with another policy. */
    public RoutingConfig with(PolicyKind other) {
        return new RoutingConfig(
                other,
                overlapScoreCredit,
                overlapScoreCreditDecay,
                prefillLoadScale,
                decodeActiveRequestWeight,
                hostCacheHitWeight,
                diskCacheHitWeight,
                sharedCacheMultiplier,
                temperature,
                trackPrefillTokens,
                busy,
                seed,
                staleCredit,
                staleTtlSeconds,
                sharedPoolCounting);
    }

    private static void weight(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("not a weight of 0 or more: " + name + "=" + value);
        }
    }
}
