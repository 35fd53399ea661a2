package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images at intervals, beside the core. */
class IndexImagesTest {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    private static final String BOOT = "penstock.index.bootId";

    @TempDir
    Path folder;

    @AfterEach
    void bootAsBefore() {
        System.clearProperty(BOOT);
    }

    @Test
    void shouldFindWhatTheLastImageHeldWhenThePowerWasLost() {
        IndexConfig config = new IndexConfig(folder.resolve("index"), 16, 1 << 10, 1 << 16, 8);
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        OffHeapIndex index = OffHeapIndex.open(config);
        int slot = index.openSlot("worker", 0);
        long[] hashes = {11, 12, 13};
        index.storedChained(slot, Tier.DEVICE, true, 0, hashes, hashes, 0, 3);
        index.position(slot, 41, 0, 7);
        try (IndexImages images = new IndexImages(() -> List.of(index), 1, failures::add)) {
            long deadline = System.nanoTime() + DEADLINE_NS;
            while (!Files.exists(folder.resolve("index.image"))) {
                index.atRest();
                Thread.onSpinWait();
                assertTrue(System.nanoTime() < deadline && failures.isEmpty(), images + " " + failures);
            }
        }
        index.abandon();
        System.setProperty(BOOT, "00000000-0000-4000-8000-000000000001");
        try (OffHeapIndex after = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.RESTORED_IMAGE, after.recovery().outcome());
            assertEquals(3, after.heldBlocks(slot, Tier.DEVICE));
            assertEquals(41, after.positionSequence(slot));
        }
        assertEquals(List.of(), List.copyOf(failures));
    }

    @Test
    void shouldReportAnImageThatCannotBeTaken() throws InterruptedException, IOException {
        IndexConfig config = new IndexConfig(folder.resolve("index"), 16, 1 << 10, 1 << 16, 8);
        Files.createDirectory(folder.resolve("index.image.tmp"));
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        try (OffHeapIndex index = OffHeapIndex.open(config);
                IndexImages images = new IndexImages(() -> List.of(index), 1, failures::add)) {
            Throwable failure = failures.poll(30, TimeUnit.SECONDS);
            assertTrue(failure instanceof IOException, images + " " + failure);
        }
    }
}
