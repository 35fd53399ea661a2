package io.penstock.dataplane.routing;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Fewest requests in flight, which is the cost; ties by lot.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class LeastLoadedPolicy implements Policy {
    @Override
    public int choose(RouteRequest request, Candidates c, SplitMix random) {
        int best = 0;
        int ties = 0;
        for (int i = 0; i < c.size; i++) {
            c.cost[i] = c.activeRequests[i];
            if (c.cost[i] < c.cost[best]) {
                best = i;
                ties = 1;
            } else if (c.cost[i] == c.cost[best] && random.below(++ties) == 0) {
                best = i;
            }
        }
        return best;
    }
}
