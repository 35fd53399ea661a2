package io.penstock.dataplane.routing;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Least {@link KvCost}; equal costs by lot, or softmax over the costs at a temperature above 0.
 *
 * <p>Costs of pools with different block sizes are compared in tokens.
 *
 * <p><b>Threading:</b> owned by the core.
 */
public final class KvPolicy implements Policy {
    private final RoutingConfig config;

    /** By these weights. */
    public KvPolicy(RoutingConfig config) {
        this.config = config;
    }

    @Override
    public int choose(RouteRequest request, Candidates c, SplitMix random) {
        double credit = usable(request.overlapCredit) ? request.overlapCredit : config.overlapScoreCredit();
        double temperature = usable(request.temperature) ? request.temperature : config.temperature();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < c.size; i++) {
            least = Math.min(least, c.prefillTokens[i]);
        }
        for (int i = 0; i < c.size; i++) {
            c.cost[i] = KvCost.of(config, credit, c, i, least);
        }
        return temperature > 0 ? softmax(c, temperature, random) : cheapest(c, random);
    }

    private static int cheapest(Candidates c, SplitMix random) {
        int best = 0;
        double bestTokens = c.cost[0] * c.blockSize[0];
        int ties = 1;
        for (int i = 1; i < c.size; i++) {
            double tokens = c.cost[i] * c.blockSize[i];
            if (tokens < bestTokens) {
                best = i;
                bestTokens = tokens;
                ties = 1;
            } else if (tokens == bestTokens && random.below(++ties) == 0) {
                best = i;
            }
        }
        return best;
    }

    /** Source: p ~ exp(-(c - min) / ((max - min) T)); equal costs are equally likely. */
    private static int softmax(Candidates c, double temperature, SplitMix random) {
        double min = Double.MAX_VALUE;
        double max = -Double.MAX_VALUE;
        for (int i = 0; i < c.size; i++) {
            double tokens = c.cost[i] * c.blockSize[i];
            min = Math.min(min, tokens);
            max = Math.max(max, tokens);
        }
        if (max == min) {
            return random.below(c.size);
        }
        double scale = -1 / ((max - min) * temperature);
        double sum = 0;
        for (int i = 0; i < c.size; i++) {
            sum += StrictMath.exp((c.cost[i] * c.blockSize[i] - min) * scale);
        }
        double at = random.unit() * sum;
        for (int i = 0; i < c.size; i++) {
            at -= StrictMath.exp((c.cost[i] * c.blockSize[i] - min) * scale);
            if (at < 0) {
                return i;
            }
        }
        return c.size - 1;
    }

    private static boolean usable(double override) {
        return override >= 0 && override < Double.POSITIVE_INFINITY;
    }
}
