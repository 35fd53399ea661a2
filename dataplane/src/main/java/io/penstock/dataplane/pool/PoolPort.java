package io.penstock.dataplane.pool;

import io.penstock.dataplane.pipeline.BlockBuffer;

/**
 * Where what is learnt of a shared pool enters the pipeline: on the event ring, in order. Every method offers one event
 * and answers at once: false means that the ring is full. Buffers of an accepted event belong to the core; what is in
 * them says {@link PoolObjects}.
 *
 * <p>{@code pool} is the number of a (model, layout) pair in the configuration's order. Events of one pool come from one
 * thread.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public interface PoolPort {
    /** A buffer for {@code objects} objects, or null while there is none. */
    BlockBuffer acquire(int objects);

    /** Gives a buffer back that was not handed over. */
    void release(BlockBuffer buffer);

    /**
     * The engines' layout is known, or has become another: what was held under the one before is forgotten. Nothing is taken
     * in before it is told. The same again changes nothing where it is in use; where it could not be set up, that is tried again.
     *
     * @param pageSize tokens of a page
     * @param objectsPerPage physical objects of a page; 0: unknown, or the engines disagree, and nothing counts
     */
    boolean layout(int pool, int pageSize, int objectsPerPage);

    /** Objects became resident. */
    boolean stored(int pool, BlockBuffer objects);

    /**
     * A listing shows objects. Told apart from {@link #stored} so that the drift can be counted: what a listing shows while
     * nothing is doubted and the index did not know was missing in it.
     */
    default boolean seen(int pool, BlockBuffer objects) {
        return stored(pool, objects);
    }

    /** Objects left. */
    boolean removed(int pool, BlockBuffer objects);

    /** The pool was emptied by its owner. */
    boolean cleared(int pool);

    /** Events were lost, the master is another or out of reach: nothing counts until {@link #listed}. */
    boolean doubted(int pool);

    /** A listing begins; what it shows comes through {@link #seen}. One that is still open is given up. */
    boolean listing(int pool);

    /** The listing is complete: what was neither stored nor listed since its begin is gone, the rest counts. */
    boolean listed(int pool);
}
