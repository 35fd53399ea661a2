package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.pool.PageIndex;
import java.nio.ByteOrder;

/**
 * Opens indexes as the router does and notes how they were made; one that holds what a former run left wants a checkpoint,
 * for nothing before it tells what that was.
 *
 * <p><b>Threading:</b> called by the core's thread; allocates, since indexes are seldom opened.
 */
final class TappedIndexes implements PrefixIndexFactory {
    private final PrefixIndexFactory factory;
    private final InputRing ring;
    private final Checkpointer checkpoints;

    TappedIndexes(PrefixIndexFactory factory, InputRing ring, Checkpointer checkpoints) {
        this.factory = factory;
        this.ring = ring;
        this.checkpoints = checkpoints;
    }

    @Override
    public PrefixIndex open(int model, int blockSize) {
        throw new IllegalStateException("an index is opened for its first worker: model=" + model);
    }

    @Override
    public PrefixIndex open(WorkerAddition first) {
        PrefixIndex index;
        try {
            index = factory.open(first);
        } catch (RuntimeException refused) {
            note(first, null, RecordLayout.REFUSED);
            throw refused;
        }
        boolean used = index.slotLimit() > 0 || index.blockCount() > 0 || !(index instanceof OffHeapIndex);
        note(first, index, used ? RecordLayout.HAS_CONTENT : 0);
        checkpoints.opened(index);
        if (used) {
            checkpoints.want();
        }
        return index;
    }

    private void note(WorkerAddition first, PrefixIndex index, int flags) {
        int at = ring.begin(RecordLayout.POOL, flags, ring.lastSeq(), 0, Long.BYTES + 4 * Integer.BYTES);
        if (at < 0) {
            return;
        }
        ring.buffer().putInt(at, first.model(), ByteOrder.LITTLE_ENDIAN);
        ring.buffer().putInt(at + Integer.BYTES, first.blockSize(), ByteOrder.LITTLE_ENDIAN);
        ring.buffer()
                .putLong(at + 2 * Integer.BYTES, index == null ? 0 : index.capacityBlocks(), ByteOrder.LITTLE_ENDIAN);
        boolean known = index instanceof OffHeapIndex;
        ring.buffer()
                .putInt(
                        at + 2 * Integer.BYTES + Long.BYTES,
                        known ? ((OffHeapIndex) index).config().pageBytes() : 0,
                        ByteOrder.LITTLE_ENDIAN);
        ring.buffer()
                .putInt(
                        at + 3 * Integer.BYTES + Long.BYTES,
                        known ? ((OffHeapIndex) index).config().maxSlots() : 0,
                        ByteOrder.LITTLE_ENDIAN);
        ring.end();
    }

    @Override
    public PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
        return factory.openPages(pool, pageSize, objectsPerPage);
    }

    @Override
    public void close(PageIndex pages) {
        factory.close(pages);
    }

    @Override
    public void abandon(PageIndex pages) {
        factory.abandon(pages);
    }

    @Override
    public void abandon(PrefixIndex index) {
        factory.abandon(index);
    }
}
