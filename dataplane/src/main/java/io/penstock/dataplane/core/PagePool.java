package io.penstock.dataplane.core;

import io.penstock.index.pool.PageIndex;

/**
 * One shared pool: its pages, and whether they count.
 *
 * <p><b>Threading:</b> owned by the core.
 */
final class PagePool {
    final int number;
    final int pageSize;
    final PageIndex index;
    /** Whether a listing was told to its end since the pool was last in doubt. */
    boolean counts;
    /** Whether a listing has begun since then. */
    boolean listing;
    /** Whether {@link PageIndex#sweep} may have something to do. */
    boolean sweepDue = true;

    PagePool(int number, int pageSize, PageIndex index) {
        this.number = number;
        this.pageSize = pageSize;
        this.index = index;
    }
}
