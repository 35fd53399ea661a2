package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import io.penstock.index.image.ImageLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a router that takes images finds after a power loss. */
class IndexImagesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    @Test
    void shouldFindWhatTheLastImageHeldWhenThePowerWasLost() {
        Path file = folder.resolve("model-16.pst");
        IndexConfig config = new IndexConfig(file, 16, 10_000, 1 << 16, 8);
        long[] hashes = {11, 12, 13};
        IndexImages images = new IndexImages(SECOND);
        OffHeapIndex index = OffHeapIndex.open(config);
        int slot = index.openSlot("worker", 0);
        index.storedChained(slot, Tier.DEVICE, true, 0, hashes, hashes, 0, 3);
        index.position(slot, 41, 0, 7);
        images.opened(index, file);
        long now = 0;
        long deadline = System.nanoTime() + 20 * SECOND;
        while (!Files.exists(ImageLayout.beside(file))) {
            assertTrue(System.nanoTime() < deadline, "no image was written");
            now += SECOND;
            images.tick(now);
            Thread.onSpinWait();
        }
        images.closing(index);
        index.abandon();
        String boot = System.setProperty("penstock.index.bootId", "00000000-0000-4000-8000-000000000001");
        try (OffHeapIndex after = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.RESTORED_IMAGE, after.recovery().outcome());
            Overlaps overlaps = new Overlaps(8);
            assertEquals(1, after.match(hashes, 3, overlaps));
            assertEquals(3, overlaps.blocks(0, Tier.DEVICE));
            assertEquals(41, after.positionSequence(slot));
        } finally {
            if (boot == null) {
                System.clearProperty("penstock.index.bootId");
            } else {
                System.setProperty("penstock.index.bootId", boot);
            }
        }
    }
}
