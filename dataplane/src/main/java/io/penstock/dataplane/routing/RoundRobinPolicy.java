package io.penstock.dataplane.routing;

import io.penstock.dataplane.pipeline.RouteRequest;
import java.util.Arrays;

/**
 * The eligible slots of a model in turn, by slot number. The cost is the distance from the last one.
 *
 * <p><b>Threading:</b> owned by the core.
 */
public final class RoundRobinPolicy implements Policy {
    private final int slots;
    private int[] last = new int[16];

    /** For slots below {@code slots}. */
    public RoundRobinPolicy(int slots) {
        this.slots = slots;
        Arrays.fill(last, -1);
    }

    @Override
    public int choose(RouteRequest request, Candidates c, SplitMix random) {
        int model = c.model;
        if (model >= last.length) {
            // Once per model beyond the first sixteen, not per request.
            int before = last.length;
            last = Arrays.copyOf(last, model + 16);
            Arrays.fill(last, before, last.length, -1);
        }
        int best = 0;
        for (int i = 0; i < c.size; i++) {
            int distance = c.slot[i] - last[model] - 1;
            c.cost[i] = distance < 0 ? distance + slots : distance;
            if (c.cost[i] < c.cost[best]) {
                best = i;
            }
        }
        last[model] = c.slot[best];
        return best;
    }

    /** The last slot given per model, -1 for none; not to be written. */
    public int[] turns() {
        return last;
    }

    /** Goes on from {@link #turns}. */
    public void resume(int[] turns) {
        last = turns;
    }
}
