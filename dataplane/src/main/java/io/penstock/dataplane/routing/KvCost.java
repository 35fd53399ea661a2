package io.penstock.dataplane.routing;

/**
 * What it costs to place a request on a worker, in blocks.
 *
 * <p>Source: the default cost function of Dynamo's KV router 1.6.1:
 *
 * <pre>
 * credit = overlapScoreCredit * decay * device + hostWeight * host + diskWeight * (disk + external)
 *          + sharedMultiplier * sharedBeyond
 * decay  = 1 / (1 + creditDecay * ((prefill - least prefill) / B) / max(1, requestBlocks))
 * raw    = (prefill + max(0, prompt - cached) + cached) / B
 * cost   = (prefillScale * max(0, raw - credit) + potential blocks + requestWeight * active requests)
 *          * exp(-tanh(sum of preferred taints' weights))
 * </pre>
 *
 * <p>The overlap's terms are multiplied by the worker's trust, which is 1 unless its events were found wrong; a shared pool's
 * pages are told by others and lose their credit by themselves.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> nothing allocated; exponentials through StrictMath, so that every machine
 * decides alike.
 */
public final class KvCost {
    private KvCost() {}

    /**
     * Cost of candidate {@code i}.
     *
     * @param overlapCredit credit per device block: the setting, or the request's own
     * @param leastPrefillTokens least prefill over the candidates
     */
    public static double of(RoutingConfig config, double overlapCredit, Candidates c, int i, long leastPrefillTokens) {
        double blockSize = c.blockSize[i];
        double ahead = (c.prefillTokens[i] - leastPrefillTokens) / blockSize;
        double decay = 1 / (1 + config.overlapScoreCreditDecay() * ahead / Math.max(1, c.requestBlocks[i]));
        double credit = c.trust[i]
                        * (overlapCredit * decay * c.device[i]
                                + config.hostCacheHitWeight() * c.host[i]
                                + config.diskCacheHitWeight() * (c.disk[i] + c.external[i]))
                + config.sharedCacheMultiplier() * c.sharedBeyond[i];
        double raw = 0;
        if (config.trackPrefillTokens()) {
            long cached = cachedTokens(config, c, i);
            raw = (c.prefillTokens[i] + Math.max(0, c.promptTokens - cached) + cached) / blockSize;
        }
        double cost = config.prefillLoadScale() * Math.max(0, raw - credit)
                + c.potentialBlocks[i]
                + config.decodeActiveRequestWeight() * c.activeRequests[i];
        double weight = c.taintWeight[i];
        return weight == 0 ? cost : cost * StrictMath.exp(-StrictMath.tanh(weight));
    }

    /** Tokens booked as cached: the overlap and what a shared pool gives, each at its weight. */
    public static long cachedTokens(RoutingConfig config, Candidates c, int i) {
        double blocks = c.device[i]
                + config.hostCacheHitWeight() * c.host[i]
                + config.diskCacheHitWeight() * (c.disk[i] + c.external[i]);
        double shared = config.sharedCacheMultiplier() * c.sharedBeyond[i];
        return Math.round((c.trust[i] * blocks + shared) * c.blockSize[i]);
    }
}
