package io.penstock.dataplane.pipeline;

import io.penstock.index.PrefixIndex;

/**
 * Opens the index of a model and block size: the file of a former run, or a fresh one.
 *
 * <p><b>Threading:</b> called on the core's thread, when a pool's first worker comes and again after the core failed.
 */
@FunctionalInterface
public interface PrefixIndexFactory {
    /**
     * The index of the pool.
     *
     * @throws RuntimeException when it cannot be opened; the worker is then refused with the message
     */
    PrefixIndex open(int model, int blockSize);

    /** Time went by: called on each tick, between two steps of the indexes; allocates nothing. */
    default void tick(long nowNs) {}

    /** Closes an index in order. */
    default void close(PrefixIndex index) {
        index.close();
    }

    /**
     * Lets go of an index whose state is in doubt after a failure, so that {@link #open} repairs or rebuilds it. An index
     * that {@link PrefixIndex#close} would mark as clean must be left dirty here.
     */
    default void abandon(PrefixIndex index) {
        index.close();
    }
}
