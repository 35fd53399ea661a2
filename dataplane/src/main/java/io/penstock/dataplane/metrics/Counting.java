package io.penstock.dataplane.metrics;

/**
 * Where counts go: the mapped file in the router, an array in tests and simulations.
 *
 * <p><b>Threading:</b> as the implementation says.
 */
@FunctionalInterface
public interface Counting {
    /** Adds {@code amount}. */
    void add(Counter counter, long amount);

    /** Adds one. */
    default void increment(Counter counter) {
        add(counter, 1);
    }
}
