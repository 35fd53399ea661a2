package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.image.ImageReport;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the checkpoint image promises. */
class ImageTest {
    private static final long PATIENCE_NS = 2_000_000_000L;

    @TempDir
    Path folder;

    private IndexConfig config;
    private Path image;
    private final Comparison comparison = new Comparison();

    @BeforeEach
    void configure() {
        config = new IndexConfig(folder.resolve("index"), 16, 1 << 13, 1 << 16, 100);
        image = Path.of(config.file() + ".image");
    }

    @AfterEach
    void bootAsBefore() {
        BootIdProperty.real();
    }

    @Test
    void shouldBringBackTheMomentWhenTakenBesideAWriterAtFullSpeed() throws Exception {
        Random random = new Random(Long.getLong("penstock.seed", 11L));
        for (int story = 0; story < 12; story++) {
            besideAWriter(random.nextLong(), story);
            Files.delete(config.file());
        }
    }

    /** The position of a slot of its own says after which operation the image was taken. */
    private void besideAWriter(long seed, int story) throws Exception {
        Traffic traffic = new Traffic(seed, 500, story % 3 == 2 ? 80 : 12, 150);
        long operations = 0;
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            for (Traffic.Operation operation : traffic.opening()) {
                operation.apply(index);
            }
            int clock = index.openSlot("clock", 0);
            CompletableFuture<ImageReport> taken = null;
            while (taken == null || !taken.isDone()) {
                Traffic.Operation operation = traffic.next();
                if (toldByTheClock(operation, clock)) {
                    operation.apply(index);
                    index.position(clock, operations++, 0, 0);
                }
                if (operations == 400 && taken == null) {
                    taken = checkpoint(index);
                }
            }
            assertTrue(taken.join().passes() >= 1);
            index.abandon();
        }
        BootIdProperty.another();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            String where = "seed=" + seed + " " + index.recovery();
            assertEquals(RecoveryReport.Outcome.RESTORED_IMAGE, index.recovery().outcome(), where);
            assertNull(index.verify(), where);
            Traffic again = new Traffic(seed, 500, story % 3 == 2 ? 80 : 12, 150);
            ReferenceIndex reference = new ReferenceIndex(16, 1 << 13, 100);
            again.opening().forEach(operation -> operation.apply(reference));
            int clock = reference.openSlot("clock", 0);
            long last = index.positionSequence(clock);
            for (long at = 0; at <= last; ) {
                Traffic.Operation operation = again.next();
                if (toldByTheClock(operation, clock)) {
                    operation.apply(reference);
                    reference.position(clock, at++, 0, 0);
                }
            }
            assertNull(comparison.ofAll(reference, index, again), where);
            for (int i = 0; i < 300; i++) {
                Traffic.Operation operation = again.next();
                long wanted = operation.apply(reference);
                long found = operation.apply(index);
                assertTrue(operation.kind() == Traffic.Operation.Kind.SWEEP || wanted == found, where);
            }
            assertNull(comparison.ofAll(reference, index, again), where);
        }
    }

    private static boolean toldByTheClock(Traffic.Operation operation, int clock) {
        return operation.slot() != clock
                && operation.kind() != Traffic.Operation.Kind.POSITION
                && operation.kind() != Traffic.Operation.Kind.BATCH;
    }

    private static CompletableFuture<ImageReport> checkpoint(OffHeapIndex index) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return index.checkpoint(PATIENCE_NS);
            } catch (IOException failed) {
                throw new CompletionException(failed);
            }
        });
    }

    @Test
    void shouldNeverBelieveADamagedImage() throws IOException {
        long seed = Long.getLong("penstock.seed", 12L);
        Random random = new Random(seed);
        fill(1);
        OffHeapIndex.open(config).abandon();
        byte[] whole = Files.readAllBytes(image);
        for (int i = 0; i < 150; i++) {
            byte[] damaged = whole.clone();
            if (i % 3 == 0) {
                damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
            } else {
                damaged[i % 3 == 1 ? random.nextInt(144) : random.nextInt(damaged.length)] ^=
                        (byte) (1 << random.nextInt(8));
            }
            Files.write(image, damaged);
            BootIdProperty.another();
            try (OffHeapIndex index = OffHeapIndex.open(config)) {
                String where = "seed=" + seed + ", case=" + i + " " + index.recovery();
                assertEquals(
                        RecoveryReport.Outcome.EMPTY_OTHER_BOOT,
                        index.recovery().outcome(),
                        where);
                assertTrue(index.recovery().detail().contains("; image not used, image"), where);
                assertEquals(0, index.slotLimit(), where);
                index.abandon();
            }
        }
    }

    @Test
    void shouldClearSlotsThatTheImageTookWithinABatch() throws Exception {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            index.openSlot("idle", 0);
            index.openSlot("busy", 0);
            long[] hashes = {1, 2, 3};
            index.stored(0, Tier.DEVICE, true, 0, hashes, hashes, 0, 3);
            index.position(0, 7, 8, 9);
            index.batchBegun(1);
            index.stored(1, Tier.DEVICE, true, 0, hashes, hashes, 0, 3);
            CompletableFuture<ImageReport> taken = CompletableFuture.supplyAsync(() -> {
                try {
                    return index.checkpoint(1_000_000);
                } catch (IOException failed) {
                    throw new CompletionException(failed);
                }
            });
            while (!taken.isDone()) {
                index.atRest();
                Thread.onSpinWait();
            }
            assertEquals(1, taken.join().tornSlots());
            index.abandon();
        }
        BootIdProperty.another();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(1, index.recovery().tornSlots());
            assertEquals(3, index.heldBlocks(0, Tier.DEVICE));
            assertEquals(7, index.positionSequence(0));
            assertEquals(0, index.heldBlocks(1, Tier.DEVICE));
            assertEquals(PrefixIndex.NO_POSITION, index.positionSequence(1));
        }
    }

    @Test
    void shouldKeepTheFormerImageWhenTheWriterNeverRests() throws IOException {
        fill(1);
        byte[] former = Files.readAllBytes(image);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            String why = assertThrows(IOException.class, () -> index.checkpoint(100_000))
                    .getMessage();
            assertTrue(why.startsWith("writer does not come to rest"), why);
        }
        assertTrue(Arrays.equals(former, Files.readAllBytes(image)));
        try (var left = Files.list(folder)) {
            assertTrue(left.noneMatch(path -> path.toString().endsWith(".tmp")));
        }
    }

    @Test
    void shouldBelieveALiveFileOfTheSameBootRatherThanItsImage() throws IOException {
        fill(1);
        OffHeapIndex index = OffHeapIndex.open(config);
        long[] more = {100, 101};
        index.stored(0, Tier.DEVICE, true, 0, more, more, 0, 2);
        index.abandon();
        try (OffHeapIndex after = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.REPAIRED, after.recovery().outcome());
            assertEquals(5, after.blockCount());
        }
    }

    @Test
    void shouldSayWhyAnImageCannotBeUsed() throws IOException {
        fill(1);
        byte[] other = Files.readAllBytes(image);
        Files.delete(config.file());
        config = new IndexConfig(config.file(), 32, 1 << 13, 1 << 16, 100);
        OffHeapIndex.open(config).abandon();
        Files.write(image, other);
        BootIdProperty.another();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(
                    "left open by a writer under another boot of the machine; image not used, "
                            + "image has another block size: blockSize=16",
                    index.recovery().detail());
        }
    }

    @Test
    void shouldNotBringBackTheContentOfAFileThatWasTakenAway() throws IOException {
        fill(1);
        Files.delete(config.file());
        OffHeapIndex.open(config).abandon();
        BootIdProperty.another();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(0, index.blockCount());
        }
    }

    @Test
    void shouldRestoreIntoAFileOfAnotherCapacityOrNameTheRoomThatLacks() throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            int slot = index.openSlot("w", 0);
            long[] hashes = new long[4000];
            Arrays.setAll(hashes, i -> i + 1);
            index.stored(slot, Tier.DEVICE, true, 0, hashes, hashes, 0, hashes.length);
            index.checkpointNow();
        }
        byte[] taken = Files.readAllBytes(image);
        for (long capacity : new long[] {1, 1 << 15}) {
            Files.delete(config.file());
            config = config.withCapacity(capacity);
            OffHeapIndex.open(config).abandon();
            Files.write(image, taken);
            BootIdProperty.another();
            try (OffHeapIndex index = OffHeapIndex.open(config)) {
                if (capacity == 1) {
                    assertTrue(
                            index.recovery().detail().contains("image does not fit: no room"),
                            index.recovery().detail());
                    assertEquals(0, index.blockCount());
                } else {
                    assertEquals(4000, index.blockCount());
                    assertNull(index.verify());
                }
            }
        }
    }

    private void fill(int workers) throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            for (int worker = 0; worker < workers; worker++) {
                int slot = index.openSlot("w" + worker, 0);
                long[] hashes = {1, 2, 3};
                index.stored(slot, Tier.DEVICE, true, 0, hashes, hashes, 0, 3);
            }
            index.checkpointNow();
        }
    }
}
