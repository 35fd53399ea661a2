package io.penstock.dataplane.pipeline;

import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.reference.ReferenceIndex;
import java.util.concurrent.CountDownLatch;

/** A reference index that can be told to fail, or to stand still. */
final class FaultyIndex implements PrefixIndex {
    private final PrefixIndex index = new ReferenceIndex(PipelineBench.BLOCK, 1 << 22, 1_024);
    volatile boolean failsOnMatch;
    volatile boolean failsOnStored;
    volatile boolean closed;
    /** Look-ups wait for it when set. */
    volatile CountDownLatch gate;

    @Override
    public int match(long[] sequenceHashes, int count, Overlaps out) {
        if (failsOnMatch) {
            throw new IllegalStateException("page 7 is torn");
        }
        CountDownLatch now = gate;
        if (now != null) {
            try {
                now.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return index.match(sequenceHashes, count, out);
    }

    @Override
    public long stored(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] localHashes,
            int from,
            int count) {
        if (failsOnStored) {
            throw new IllegalStateException("page 9 is torn");
        }
        return index.stored(slot, tier, root, parentEngineHash, engineHashes, localHashes, from, count);
    }

    @Override
    public long storedChained(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] sequenceHashes,
            int from,
            int count) {
        return index.storedChained(slot, tier, root, parentEngineHash, engineHashes, sequenceHashes, from, count);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public int blockSize() {
        return index.blockSize();
    }

    @Override
    public long capacityBlocks() {
        return index.capacityBlocks();
    }

    @Override
    public long blockCount() {
        return index.blockCount();
    }

    @Override
    public long usedBytes() {
        return index.usedBytes();
    }

    @Override
    public int openSlot(String worker, int dpRank) {
        return index.openSlot(worker, dpRank);
    }

    @Override
    public int slotLimit() {
        return index.slotLimit();
    }

    @Override
    public boolean isOpen(int slot) {
        return index.isOpen(slot);
    }

    @Override
    public String workerOf(int slot) {
        return index.workerOf(slot);
    }

    @Override
    public int dpRankOf(int slot) {
        return index.dpRankOf(slot);
    }

    @Override
    public int generationOf(int slot) {
        return index.generationOf(slot);
    }

    @Override
    public long heldBlocks(int slot, int tier) {
        return index.heldBlocks(slot, tier);
    }

    @Override
    public void removeSlot(int slot) {
        index.removeSlot(slot);
    }

    @Override
    public void clearSlot(int slot) {
        index.clearSlot(slot);
    }

    @Override
    public void batchBegun(int slot) {
        index.batchBegun(slot);
    }

    @Override
    public int tornSlots() {
        return index.tornSlots();
    }

    @Override
    public void position(int slot, long sequence, long timestampBits, long batchHash) {
        index.position(slot, sequence, timestampBits, batchHash);
    }

    @Override
    public long positionSequence(int slot) {
        return index.positionSequence(slot);
    }

    @Override
    public long positionTimestampBits(int slot) {
        return index.positionTimestampBits(slot);
    }

    @Override
    public long positionHash(int slot) {
        return index.positionHash(slot);
    }

    @Override
    public long removed(int slot, int tier, long[] engineHashes, int from, int count) {
        return index.removed(slot, tier, engineHashes, from, count);
    }

    @Override
    public int sweep(int maxSteps) {
        return index.sweep(maxSteps);
    }
}
