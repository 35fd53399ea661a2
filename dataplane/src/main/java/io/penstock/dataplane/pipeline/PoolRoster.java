package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.PagePools;
import io.penstock.dataplane.core.RouterCore;
import java.util.Arrays;

/**
 * Gives the core what is learnt of shared pools, and remembers their layouts for a core that is made anew: it is told them
 * and counts nothing until the next listing.
 *
 * <p>The tap does not hear of it: what the pools answered to a request is an input of the core, not what they hold.
 *
 * <p><b>Threading:</b> owned by the core's thread.
 */
final class PoolRoster {
    private static final int MOST = 1 << 10;

    private int[] pageSizes = {};
    private int[] objectsPerPage = {};

    void apply(EventSlot event, RouterCore core) {
        int pool = event.number;
        PagePools to = core.pagePools();
        switch (event.kind) {
            case EventSlot.POOL_LAYOUT -> {
                remember(event);
                to.layout(pool, (int) event.first, (int) event.second);
            }
            case EventSlot.POOL_STORED -> to.stored(pool, event.blocks);
            case EventSlot.POOL_SEEN -> to.seen(pool, event.blocks);
            case EventSlot.POOL_REMOVED -> to.removed(pool, event.blocks);
            case EventSlot.POOL_CLEARED -> to.cleared(pool);
            case EventSlot.POOL_DOUBTED -> to.doubted(pool);
            case EventSlot.POOL_LISTING -> to.listing(pool);
            case EventSlot.POOL_LISTED -> to.listed(pool);
            default -> throw new IllegalStateException("not a pool's event: kind=" + event.kind);
        }
    }

    /** Notes a layout; the rest is of no use without a core. */
    void remember(EventSlot event) {
        int pool = event.number;
        if (event.kind != EventSlot.POOL_LAYOUT || pool < 0 || pool >= MOST) {
            return;
        }
        if (pool >= pageSizes.length) {
            pageSizes = Arrays.copyOf(pageSizes, pool + 1);
            objectsPerPage = Arrays.copyOf(objectsPerPage, pool + 1);
        }
        pageSizes[pool] = (int) event.first;
        objectsPerPage[pool] = (int) event.second;
    }

    /** Tells a new core all layouts. */
    void tell(RouterCore core) {
        PagePools to = core.pagePools();
        for (int pool = 0; pool < pageSizes.length; pool++) {
            if (objectsPerPage[pool] > 0) {
                to.layout(pool, pageSizes[pool], objectsPerPage[pool]);
            }
        }
    }
}
