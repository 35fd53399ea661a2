package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.index.reference.ReferenceIndex;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer ends between the events of a batch and its end; the engine then sends the batch again. */
class TornBatchTest {
    private static final int BLOCKS = 6;

    @TempDir
    Path folder;

    private final long[] engineHashes = new long[BLOCKS];
    private final long[] localHashes = new long[BLOCKS];
    private IndexConfig config;

    @BeforeEach
    void prepare() {
        config = new IndexConfig(folder.resolve("index"), 16, 1 << 12, 1 << 16, 8);
        for (int i = 0; i < BLOCKS; i++) {
            engineHashes[i] = 100 + i;
            localHashes[i] = 7_000 + 13L * i;
        }
    }

    @Test
    void shouldCountEveryCopyOnceWhenTheWriterWasKilledWithinABatch() {
        OffHeapIndex index = OffHeapIndex.open(config);
        int torn = index.openSlot("torn", 0);
        int whole = index.openSlot("whole", 0);
        batch(index, torn, 0, 4);
        batch(index, whole, 0, 5);
        index.batchBegun(torn);
        store(index, torn, 4);
        index.abandon();

        OffHeapIndex again = OffHeapIndex.open(config);
        assertEquals(1, again.tornSlots());
        assertEquals(RecoveryReport.Outcome.REPAIRED, again.recovery().outcome());
        assertEquals(torn, again.openSlot("torn", 0));
        assertEquals(PrefixIndex.NO_POSITION, again.positionSequence(torn));
        assertEquals(0, again.heldBlocks(torn, Tier.DEVICE));
        assertEquals(0, again.positionSequence(whole));
        assertEquals(5, again.heldBlocks(whole, Tier.DEVICE));

        // Without a position the engine is asked from its start.
        batch(again, torn, 0, 4);
        batch(again, torn, 1, 4);
        ReferenceIndex fresh = new ReferenceIndex(16, 1 << 12, 8);
        int slot = fresh.openSlot("torn", 0);
        batch(fresh, slot, 0, 4);
        batch(fresh, slot, 1, 4);
        for (int removals = 0; removals < 3; removals++) {
            assertEquals(fresh.heldBlocks(slot, Tier.DEVICE), again.heldBlocks(torn, Tier.DEVICE));
            assertEquals(
                    fresh.removed(slot, Tier.DEVICE, engineHashes, 0, 4),
                    again.removed(torn, Tier.DEVICE, engineHashes, 0, 4));
        }
        again.close();
        OffHeapIndex clean = OffHeapIndex.open(config);
        assertEquals(0, clean.tornSlots());
        clean.close();
    }

    @Test
    void shouldClearTheSlotWhenTheWriterClosedWithinABatch() {
        OffHeapIndex index = OffHeapIndex.open(config);
        int slot = index.openSlot("torn", 0);
        batch(index, slot, 0, 4);
        index.batchBegun(slot);
        index.close();
        OffHeapIndex again = OffHeapIndex.open(config);
        assertEquals(RecoveryReport.Outcome.CLEAN, again.recovery().outcome());
        assertEquals(1, again.recovery().tornSlots());
        assertEquals(PrefixIndex.NO_POSITION, again.positionSequence(slot));
        assertEquals(0, again.heldBlocks(slot, Tier.DEVICE));
        again.close();
    }

    @Test
    void shouldNotInheritTheMarkWhenTheSlotIsGivenAgain() {
        OffHeapIndex index = OffHeapIndex.open(config);
        int slot = index.openSlot("gone", 0);
        index.batchBegun(slot);
        index.removeSlot(slot);
        assertEquals(slot, index.openSlot("new", 0));
        store(index, slot, 2);
        index.abandon();
        OffHeapIndex again = OffHeapIndex.open(config);
        assertEquals(0, again.tornSlots());
        assertEquals(2, again.heldBlocks(slot, Tier.DEVICE));
        again.close();
    }

    private void batch(PrefixIndex index, int slot, long sequence, int blocks) {
        index.batchBegun(slot);
        store(index, slot, blocks);
        index.position(slot, sequence, sequence, sequence);
    }

    private void store(PrefixIndex index, int slot, int blocks) {
        index.stored(slot, Tier.DEVICE, true, 0, engineHashes, localHashes, 0, blocks);
    }
}
