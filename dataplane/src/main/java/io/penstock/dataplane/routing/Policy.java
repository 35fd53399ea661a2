package io.penstock.dataplane.routing;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Chooses among eligible workers.
 *
 * <p><b>Threading:</b> called by the core only; may keep state, must not allocate, block or look at a clock.
 */
@FunctionalInterface
public interface Policy {
    /**
     * Fills {@link Candidates#cost} of every candidate and picks one.
     *
     * @param candidates at least one
     * @return index of the chosen candidate
     */
    int choose(RouteRequest request, Candidates candidates, SplitMix random);
}
