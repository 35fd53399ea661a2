package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.pool.PoolObjects;
import io.penstock.dataplane.pool.PoolPort;

/**
 * Producers' side of the event ring for what is learnt of shared pools.
 *
 * <p><b>Threading:</b> thread-safe; never blocks.
 */
final class PoolRing implements PoolPort {
    private final EventRing ring;

    PoolRing(EventRing ring) {
        this.ring = ring;
    }

    @Override
    public BlockBuffer acquire(int objects) {
        return ring.acquire(objects * PoolObjects.ENTRIES);
    }

    @Override
    public void release(BlockBuffer buffer) {
        ring.release(buffer);
    }

    @Override
    public boolean layout(int pool, int pageSize, int objectsPerPage) {
        return offer(EventSlot.POOL_LAYOUT, pool, pageSize, objectsPerPage, null);
    }

    @Override
    public boolean stored(int pool, BlockBuffer objects) {
        return offer(EventSlot.POOL_STORED, pool, 0, 0, objects);
    }

    @Override
    public boolean seen(int pool, BlockBuffer objects) {
        return offer(EventSlot.POOL_SEEN, pool, 0, 0, objects);
    }

    @Override
    public boolean removed(int pool, BlockBuffer objects) {
        return offer(EventSlot.POOL_REMOVED, pool, 0, 0, objects);
    }

    @Override
    public boolean cleared(int pool) {
        return offer(EventSlot.POOL_CLEARED, pool, 0, 0, null);
    }

    @Override
    public boolean doubted(int pool) {
        return offer(EventSlot.POOL_DOUBTED, pool, 0, 0, null);
    }

    @Override
    public boolean listing(int pool) {
        return offer(EventSlot.POOL_LISTING, pool, 0, 0, null);
    }

    @Override
    public boolean listed(int pool) {
        return offer(EventSlot.POOL_LISTED, pool, 0, 0, null);
    }

    private boolean offer(int kind, int pool, int first, int second, BlockBuffer objects) {
        long at = ring.claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = ring.slot(at);
        event.stamp(kind, pool);
        event.first = first;
        event.second = second;
        event.blocks = objects;
        ring.publish(at);
        return true;
    }
}
