package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.inspect.IndexInspection;
import io.penstock.index.inspect.Summary;
import io.penstock.index.inspect.TierCounts;
import io.penstock.index.inspect.VerifyAnswer;
import io.penstock.index.inspect.WorkerState;
import io.penstock.index.pages.DyingWriter;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An inspection reads what a dead writer left as the next open will repair it, without a byte written. */
class InspectDyingWriterTest {
    private static final int DEATHS = 80;

    @TempDir
    Path folder;

    @AfterEach
    void liveOn() {
        DyingWriter.live();
    }

    @Test
    void shouldSeeWhatTheNextOpenRepairsWhereverTheWriterDies() {
        long seed = Long.getLong("penstock.seed", 4712L);
        Random random = new Random(seed);
        int died = 0;
        int within = 0;
        for (int file = 0; died < DEATHS; file++) {
            IndexConfig config = new IndexConfig(folder.resolve("dying-" + file), 16, 1 << 12, 1 << 16, 100);
            Traffic traffic = new Traffic(random.nextLong(), 200, 1 + random.nextInt(80), 150);
            OffHeapIndex index = OffHeapIndex.open(config);
            for (Traffic.Operation opening : traffic.opening()) {
                opening.apply(index);
            }
            for (int i = 0; i < 400 && died < DEATHS; i++) {
                try {
                    if (random.nextInt(3) == 0) {
                        DyingWriter.dieAfter(100 + random.nextInt(2000));
                    }
                    traffic.next().apply(index);
                    DyingWriter.live();
                } catch (IllegalStateException death) {
                    DyingWriter.live();
                    died++;
                    index.abandon();
                    String where = "seed=" + seed + ", file=" + file + ", death=" + died;
                    Summary seen = look(config, where);
                    index = OffHeapIndex.open(config);
                    within += index.recovery().undoneStores() > 0 ? 1 : 0;
                    compare(index, seen, where);
                }
            }
            index.close();
            config.file().toFile().delete();
        }
        assertTrue(within > DEATHS / 10, "within a step: " + within);
    }

    private static Summary look(IndexConfig config, String where) {
        try (IndexInspection inspection = IndexInspection.open(config.file())) {
            VerifyAnswer verified = inspection.verify();
            assertTrue(verified.sound(), where + ": " + verified);
            return inspection.summary();
        }
    }

    private static void compare(OffHeapIndex index, Summary seen, String where) {
        assertEquals(index.recovery().undoneStores(), seen.takenBack(), where);
        assertEquals(0, seen.changing(), where);
        assertEquals(index.blockCount(), seen.blocks() + seen.dyingBlocks(), where);
        int open = 0;
        for (int slot = 0; slot < index.slotLimit(); slot++) {
            open += index.isOpen(slot) ? 1 : 0;
        }
        assertEquals(open, seen.workers().size(), where);
        for (WorkerState worker : seen.workers()) {
            int slot = worker.slot();
            assertEquals(index.workerOf(slot), worker.worker(), where);
            assertEquals(
                    new TierCounts(
                            index.heldBlocks(slot, Tier.DEVICE),
                            index.heldBlocks(slot, Tier.HOST),
                            index.heldBlocks(slot, Tier.DISK),
                            index.heldBlocks(slot, Tier.EXTERNAL)),
                    worker.held(),
                    where + ", slot=" + slot);
        }
    }
}
