package io.penstock.dataplane.routing;

/**
 * The terms of one candidate's {@link KvCost}, for somebody who asks why.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param prefillBlocks prompt tokens to compute, those waiting included, in blocks
 * @param deviceCredit blocks saved by the device overlap
 * @param hostCredit blocks saved by the host overlap
 * @param diskCredit blocks saved by disk and external overlap
 * @param sharedCredit blocks saved by the shared pool
 * @param decodeBlocks blocks in flight with this request placed there
 * @param requestBlocks blocks that requests in flight count for beside their own
 * @param taintFactor factor of preferred taints, 1 for none
 * @param cost {@link KvCost#of}: {@code (scale * max(0, prefill - credits) + decode + requests) * factor}
 */
public record KvTerms(
        double prefillBlocks,
        double deviceCredit,
        double hostCredit,
        double diskCredit,
        double sharedCredit,
        double decodeBlocks,
        double requestBlocks,
        double taintFactor,
        double cost) {
    /** The terms of candidate {@code i}; arguments as {@link KvCost#of} takes them. */
    public static KvTerms of(RoutingConfig config, double overlapCredit, Candidates c, int i, long leastPrefillTokens) {
        double blockSize = c.blockSize[i];
        double ahead = (c.prefillTokens[i] - leastPrefillTokens) / blockSize;
        double decay = 1 / (1 + config.overlapScoreCreditDecay() * ahead / Math.max(1, c.requestBlocks[i]));
        double raw = 0;
        if (config.trackPrefillTokens()) {
            long cached = KvCost.cachedTokens(config, c, i);
            raw = (c.prefillTokens[i] + Math.max(0, c.promptTokens - cached) + cached) / blockSize;
        }
        double weight = c.taintWeight[i];
        return new KvTerms(
                raw,
                c.trust[i] * overlapCredit * decay * c.device[i],
                c.trust[i] * config.hostCacheHitWeight() * c.host[i],
                c.trust[i] * config.diskCacheHitWeight() * (c.disk[i] + c.external[i]),
                config.sharedCacheMultiplier() * c.sharedBeyond[i],
                c.potentialBlocks[i],
                config.decodeActiveRequestWeight() * c.activeRequests[i],
                weight == 0 ? 1 : StrictMath.exp(-StrictMath.tanh(weight)),
                KvCost.of(config, overlapCredit, c, i, leastPrefillTokens));
    }
}
