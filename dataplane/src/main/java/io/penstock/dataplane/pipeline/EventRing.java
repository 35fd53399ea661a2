package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.routing.BusyThresholds;

/**
 * Producers' side of the event ring: KV events and membership.
 *
 * <p><b>Threading:</b> thread-safe; never blocks.
 */
final class EventRing implements EventPort, MembershipPort {
    private final RingBuffer<EventSlot> ring;
    private final BlockBuffers buffers;
    private final Counting counters;

    EventRing(RingBuffer<EventSlot> ring, BlockBuffers buffers, Counting counters) {
        this.ring = ring;
        this.buffers = buffers;
        this.counters = counters;
    }

    @Override
    public BlockBuffer acquire(int blocks) {
        BlockBuffer buffer = buffers.acquire(blocks);
        if (buffer == null) {
            counters.increment(Counter.BLOCK_BUFFERS_EXHAUSTED);
        }
        return buffer;
    }

    @Override
    public void release(BlockBuffer buffer) {
        buffers.release(buffer);
    }

    @Override
    public boolean stored(int slot, int tier, boolean root, long parentEngineHash, BlockBuffer blocks) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.STORED, slot);
        event.tier = tier;
        event.flag = root;
        event.first = parentEngineHash;
        event.blocks = blocks;
        publish(at);
        return true;
    }

    @Override
    public boolean removed(int slot, int tier, BlockBuffer blocks) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.REMOVED, slot);
        event.tier = tier;
        event.blocks = blocks;
        publish(at);
        return true;
    }

    @Override
    public boolean batchEnd(int slot, long sequence, long timestampBits, long batchHash) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.BATCH_END, slot);
        event.first = sequence;
        event.second = timestampBits;
        event.third = batchHash;
        publish(at);
        return true;
    }

    @Override
    public boolean cleared(int slot) {
        return publish(EventSlot.CLEARED, slot);
    }

    @Override
    public boolean doubted(int slot) {
        return publish(EventSlot.DOUBTED, slot);
    }

    @Override
    public boolean proven(int slot) {
        return publish(EventSlot.PROVEN, slot);
    }

    @Override
    public boolean cold(int slot) {
        return publish(EventSlot.COLD, slot);
    }

    @Override
    public boolean addWorker(WorkerAddition worker) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.ADD_WORKER, worker.number());
        event.worker = worker;
        publish(at);
        return true;
    }

    @Override
    public boolean drain(int workerNumber) {
        return publish(EventSlot.DRAIN, workerNumber);
    }

    @Override
    public boolean remove(int workerNumber) {
        return publish(EventSlot.REMOVE, workerNumber);
    }

    @Override
    public boolean setHealthy(int workerNumber, boolean healthy) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.HEALTH, workerNumber);
        event.flag = healthy;
        publish(at);
        return true;
    }

    @Override
    public boolean setBusyThresholds(int model, BusyThresholds thresholds) {
        if (model < 0) {
            throw new IllegalArgumentException("not a model: model=" + model);
        }
        long at = claim();
        if (at < 0) {
            return false;
        }
        EventSlot event = slot(at);
        event.stamp(EventSlot.THRESHOLDS, model);
        event.thresholds = thresholds;
        publish(at);
        return true;
    }

    private boolean publish(int kind, int number) {
        long at = claim();
        if (at < 0) {
            return false;
        }
        slot(at).stamp(kind, number);
        publish(at);
        return true;
    }

    /**
     * Takes the next slot: to be filled, then given to {@link #publish(long)}.
     *
     * @return its sequence, or -1 where the ring is full, which is counted
     */
    long claim() {
        try {
            return ring.tryNext();
        } catch (InsufficientCapacityException e) {
            counters.increment(Counter.EVENT_RING_FULL);
            return -1;
        }
    }

    /** The slot of a claimed sequence. */
    EventSlot slot(long at) {
        return ring.get(at);
    }

    /** Lets the core have a claimed slot. */
    void publish(long at) {
        ring.publish(at);
    }
}
