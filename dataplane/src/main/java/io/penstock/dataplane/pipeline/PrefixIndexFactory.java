package io.penstock.dataplane.pipeline;

import io.penstock.index.PrefixIndex;
import io.penstock.index.pool.PageIndex;

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

    /** The index of the pool whose first worker comes, which advertises how much it can hold. */
    default PrefixIndex open(WorkerAddition first) {
        return open(first.model(), first.blockSize());
    }

    /**
     * The pages of a shared pool: those of a former run, or none.
     *
     * @param pool its number ({@link io.penstock.dataplane.pool.PoolConfig#layouts})
     * @throws RuntimeException when it cannot be opened; requests then go on without it
     */
    default PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
        throw new IllegalStateException("no shared pool is configured: pool=" + pool);
    }

    /**
     * Lets go of an index whose state is in doubt after a failure, so that {@link #open} repairs or rebuilds it. An index
     * that {@link PrefixIndex#close} would mark as clean must be left dirty here.
     */
    default void abandon(PrefixIndex index) {
        index.close();
    }

    /** Closes a shared pool's pages, to be found again by {@link #openPages}. */
    default void close(PageIndex pages) {
        pages.close();
    }

    /** Lets go of a shared pool's pages as of an index. */
    default void abandon(PageIndex pages) {
        pages.close();
    }
}
