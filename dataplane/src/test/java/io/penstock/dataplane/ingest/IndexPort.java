package io.penstock.dataplane.ingest;

import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.EventPort;
import io.penstock.index.PrefixIndex;

/** Applies events to an index at once; can refuse for a while, and counts buffers that are out. */
final class IndexPort implements EventPort {
    final PrefixIndex index;
    private final BlockBuffers buffers = new BlockBuffers();
    int out;
    int refuseEvery;
    int unknownParents;
    int colds;
    private int offers;

    IndexPort(PrefixIndex index) {
        this.index = index;
    }

    private boolean refuses() {
        return refuseEvery > 0 && ++offers % refuseEvery == 0;
    }

    @Override
    public BlockBuffer acquire(int blocks) {
        if (refuses()) {
            return null;
        }
        out++;
        return buffers.acquire(blocks);
    }

    @Override
    public void release(BlockBuffer buffer) {
        out--;
        buffers.release(buffer);
    }

    @Override
    public boolean stored(int slot, int tier, boolean root, long parentEngineHash, BlockBuffer blocks) {
        if (refuses()) {
            return false;
        }
        long taken = index.stored(
                slot, tier, root, parentEngineHash, blocks.engineHashes, blocks.localHashes, 0, blocks.count);
        unknownParents += taken == PrefixIndex.UNKNOWN_PARENT ? 1 : 0;
        release(blocks);
        return true;
    }

    @Override
    public boolean removed(int slot, int tier, BlockBuffer blocks) {
        if (refuses()) {
            return false;
        }
        index.removed(slot, tier, blocks.engineHashes, 0, blocks.count);
        release(blocks);
        return true;
    }

    @Override
    public boolean cleared(int slot) {
        if (refuses()) {
            return false;
        }
        index.clearSlot(slot);
        return true;
    }

    @Override
    public boolean batchEnd(int slot, long sequence, long timestampBits, long batchHash) {
        if (refuses()) {
            return false;
        }
        index.position(slot, sequence, timestampBits, batchHash);
        return true;
    }

    @Override
    public boolean doubted(int slot) {
        return !refuses();
    }

    @Override
    public boolean proven(int slot) {
        return !refuses();
    }

    @Override
    public boolean cold(int slot) {
        if (refuses()) {
            return false;
        }
        colds++;
        index.clearSlot(slot);
        return true;
    }
}
