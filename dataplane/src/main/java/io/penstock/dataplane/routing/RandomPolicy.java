package io.penstock.dataplane.routing;

import io.penstock.dataplane.pipeline.RouteRequest;
import java.util.Arrays;

/**
 * Any eligible worker, all equally likely and at equal cost.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class RandomPolicy implements Policy {
    @Override
    public int choose(RouteRequest request, Candidates c, SplitMix random) {
        Arrays.fill(c.cost, 0, c.size, 0);
        return random.below(c.size);
    }
}
