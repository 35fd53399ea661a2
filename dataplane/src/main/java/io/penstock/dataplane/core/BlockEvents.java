package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;

/**
 * Applies KV events to the indexes, a bounded number of block steps at a time: a long event is taken up again where it
 * was left.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated.
 */
final class BlockEvents {
    private static final long REPLAY_INTERVAL_NS = 1_000_000_000L;

    private final SlotTable slots;
    private final HolderLeases predicted;
    private final long staleTtlNs;
    private final Counting counters;

    private BlockBuffer blocks;
    private boolean storing;
    private int slot;
    private int tier;
    private boolean root;
    private long parent;
    private int done;

    BlockEvents(SlotTable slots, HolderLeases predicted, long staleTtlNs, Counting counters) {
        this.slots = slots;
        this.predicted = predicted;
        this.staleTtlNs = staleTtlNs;
        this.counters = counters;
    }

    boolean isPending() {
        return blocks != null;
    }

    void stored(int ofSlot, int inTier, boolean isRoot, long parentEngineHash, BlockBuffer buffer) {
        begin(true, ofSlot, inTier, isRoot, parentEngineHash, buffer);
    }

    void removed(int ofSlot, int inTier, BlockBuffer buffer) {
        begin(false, ofSlot, inTier, false, 0, buffer);
    }

    private void begin(boolean store, int ofSlot, int inTier, boolean isRoot, long parentHash, BlockBuffer buffer) {
        if (inTier < 0 || inTier >= Tier.COUNT || buffer.count < 0 || buffer.count > buffer.capacity()) {
            counters.increment(Counter.EVENTS_INVALID);
        } else if (!slots.isOpen(ofSlot)) {
            counters.increment(Counter.EVENTS_UNKNOWN_SLOT);
        } else if (buffer.count > 0) {
            blocks = buffer;
            storing = store;
            slot = ofSlot;
            tier = inTier;
            root = isRoot;
            parent = parentHash;
            done = 0;
            if (!slots.batchOpen[slot]) {
                slots.batchOpen[slot] = true;
                slots.pool[slot].index.batchBegun(slots.indexSlot[slot]);
            }
        }
    }

    /**
     * Goes on with the event in hand.
     *
     * @return block steps used
     */
    int advance(int mostSteps, long nowNs) {
        if (blocks == null) {
            return 0;
        }
        int count = Math.min(mostSteps, blocks.count - done);
        boolean goesOn = storing ? store(count, nowNs) : remove(count);
        done += count;
        if (!goesOn || done == blocks.count) {
            blocks = null;
        }
        return count;
    }

    private boolean store(int count, long nowNs) {
        PrefixIndex index = slots.pool[slot].index;
        long taken = index.stored(
                slots.indexSlot[slot],
                tier,
                root && done == 0,
                done == 0 ? parent : blocks.engineHashes[done - 1],
                blocks.engineHashes,
                blocks.localHashes,
                done,
                count);
        if (taken < 0) {
            refused(taken, nowNs);
            return false;
        }
        counters.add(Counter.BLOCKS_STORED, taken);
        if (done + count == blocks.count && tier == Tier.DEVICE) {
            int confirmed = predicted.confirm(slot, blocks.localHashes[blocks.count - 1]);
            if (confirmed > 0) {
                counters.add(Counter.PREDICTED_CONFIRMED, confirmed);
            }
        }
        return true;
    }

    private void refused(long why, long nowNs) {
        if (why == PrefixIndex.UNKNOWN_PARENT) {
            counters.increment(Counter.STORED_UNKNOWN_PARENT);
            if (slots.replayAskedNs[slot] == Long.MIN_VALUE
                    || nowNs - slots.replayAskedNs[slot] >= REPLAY_INTERVAL_NS) {
                slots.replayAskedNs[slot] = nowNs;
                slots.reply[slot].replayWanted(slot);
            }
        } else if (why == PrefixIndex.OUT_OF_CAPACITY) {
            counters.increment(Counter.STORED_OUT_OF_CAPACITY);
        } else {
            counters.increment(Counter.EVENTS_UNKNOWN_SLOT);
        }
    }

    private boolean remove(int count) {
        long known = slots.pool[slot].index.removed(slots.indexSlot[slot], tier, blocks.engineHashes, done, count);
        if (known < 0) {
            counters.increment(Counter.EVENTS_UNKNOWN_SLOT);
            return false;
        }
        counters.add(Counter.BLOCKS_REMOVED, known);
        if (known < count) {
            counters.add(Counter.BLOCKS_REMOVED_UNKNOWN, count - known);
        }
        return true;
    }

    void cleared(int ofSlot) {
        if (forget(ofSlot)) {
            counters.increment(Counter.SLOTS_CLEARED);
        }
    }

    void cold(int ofSlot) {
        // An engine met for the first time loses nothing.
        boolean lost = holdsBlocks(ofSlot);
        if (forget(ofSlot)) {
            counters.add(Counter.SLOTS_COLD, lost ? 1 : 0);
            slots.proven[ofSlot] = true;
            // An old position would prove blocks that are not there any more.
            position(ofSlot, PrefixIndex.NO_POSITION, 0, 0);
        }
    }

    private boolean holdsBlocks(int ofSlot) {
        for (int in = 0; in < Tier.COUNT && slots.isOpen(ofSlot); in++) {
            if (slots.pool[ofSlot].index.heldBlocks(slots.indexSlot[ofSlot], in) > 0) {
                return true;
            }
        }
        return false;
    }

    void doubted(int ofSlot, long nowNs) {
        if (known(ofSlot)) {
            counters.increment(Counter.SLOTS_DOUBTED);
            slots.proven[ofSlot] = false;
            slots.staleUntilNs[ofSlot] = nowNs + staleTtlNs;
            // What was sent there may have died with the engine.
            predicted.drop(ofSlot);
        }
    }

    void proven(int ofSlot) {
        if (known(ofSlot)) {
            counters.increment(Counter.SLOTS_PROVEN);
            slots.proven[ofSlot] = true;
        }
    }

    void batchEnd(int ofSlot, long sequence, long timestampBits, long batchHash) {
        if (known(ofSlot)) {
            position(ofSlot, sequence, timestampBits, batchHash);
        }
    }

    private void position(int ofSlot, long sequence, long timestampBits, long batchHash) {
        slots.pool[ofSlot].index.position(slots.indexSlot[ofSlot], sequence, timestampBits, batchHash);
        slots.batchOpen[ofSlot] = false;
    }

    private boolean forget(int ofSlot) {
        if (!known(ofSlot)) {
            return false;
        }
        slots.pool[ofSlot].index.clearSlot(slots.indexSlot[ofSlot]);
        slots.pool[ofSlot].sweepDue = true;
        predicted.drop(ofSlot);
        return true;
    }

    private boolean known(int ofSlot) {
        if (!slots.isOpen(ofSlot)) {
            counters.increment(Counter.EVENTS_UNKNOWN_SLOT);
            return false;
        }
        return true;
    }
}
