package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.image.ImageLayout;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The machine loses power: any of the file's pages may be older than others, and the boot is another one. */
class PowerLossTest {
    private static final int CASES = Integer.getInteger("powerLossCases", 300);
    private static final int MIXES = 12;
    private static final int PAGE = 4096;
    private static final String BOOT = "penstock.index.bootId";

    private final Comparison comparison = new Comparison();
    private Path folder;
    private IndexConfig config;
    private String former;

    @BeforeEach
    void prepare() throws IOException {
        Path memory = Path.of("/dev/shm");
        folder = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "penstock-power")
                : Files.createTempDirectory("penstock-power");
        config = new IndexConfig(folder.resolve("index"), 16, 1 << 12, 1 << 16, 40);
        former = System.getProperty(BOOT);
        boot(1);
    }

    @AfterEach
    void clean() throws IOException {
        if (former == null) {
            System.clearProperty(BOOT);
        } else {
            System.setProperty(BOOT, former);
        }
        try (var all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void boot(int number) {
        System.setProperty(BOOT, "00000000-0000-0000-0000-00000000000" + number);
    }

    @Test
    void shouldRestoreTheImageAndCatchUpWhenAnyPagesWereRolledBack() throws IOException {
        for (long seed = 1; seed <= CASES / MIXES; seed++) {
            Life life = live(seed);
            Random random = new Random(seed);
            for (int mix = 0; mix < MIXES; mix++) {
                boot(1);
                Files.write(config.file(), mixed(life.older, life.newer, random));
                boot(2);
                try (OffHeapIndex index = OffHeapIndex.open(config)) {
                    String where = "seed=" + seed + ", mix=" + mix + ": " + index.recovery();
                    assertEquals(
                            RecoveryReport.Outcome.RESTORED_IMAGE,
                            index.recovery().outcome(),
                            where);
                    ReferenceIndex expected = life.atImage.copy();
                    assertNull(comparison.ofAll(expected, index, life.traffic), where);
                    for (Traffic.Operation missed : life.missed) {
                        assertEquals(missed.apply(expected), missed.apply(index), where + missed);
                    }
                    assertNull(comparison.ofAll(expected, index, life.traffic), where);
                    assertNull(index.verify(), where);
                }
            }
        }
    }

    @Test
    void shouldStartEmptyAndSaySoWhenTheImageIsUnsound() throws IOException {
        Life life = live(7);
        Path image = ImageLayout.beside(config.file());
        byte[] sound = Files.readAllBytes(image);
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            byte[] unsound = sound.clone();
            int bit = random.nextInt(sound.length * 8);
            unsound[bit >>> 3] ^= (byte) (1 << (bit & 7));
            Files.write(image, i % 4 == 0 ? Arrays.copyOf(sound, bit >>> 3) : unsound);
            boot(1);
            Files.write(config.file(), life.newer);
            boot(2);
            OffHeapIndex index = OffHeapIndex.open(config);
            assertEquals(
                    RecoveryReport.Outcome.EMPTY_OTHER_BOOT, index.recovery().outcome(), "bit=" + bit);
            assertTrue(
                    index.recovery().detail().contains("image not used"),
                    index.recovery().detail());
            assertEquals(0, index.slotLimit());
            assertEquals(0, index.blockCount());
            index.abandon();
        }
    }

    @Test
    void shouldIgnoreAnImageTakenWithOtherNumbers() throws IOException {
        Life life = live(8);
        byte[] image = Files.readAllBytes(ImageLayout.beside(config.file()));
        config = new IndexConfig(folder.resolve("other"), 16, 1 << 13, 1 << 16, 40);
        OffHeapIndex.open(config).abandon();
        Files.write(ImageLayout.beside(config.file()), image);
        boot(2);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            assertEquals(
                    RecoveryReport.Outcome.EMPTY_OTHER_BOOT, index.recovery().outcome());
            assertTrue(index.recovery().detail().contains("capacityBlocks=4096, expected 8192"), life.toString());
        }
    }

    @Test
    void shouldClearTheSlotWhoseBatchWasOpenWhenTheImageWasTaken() throws IOException {
        OffHeapIndex index = OffHeapIndex.open(config);
        int whole = index.openSlot("whole", 0);
        int torn = index.openSlot("torn", 0);
        long[] hashes = {5, 6, 7};
        for (int slot : new int[] {whole, torn}) {
            index.batchBegun(slot);
            index.stored(slot, 0, true, 0, hashes, hashes, 0, 3);
            index.position(slot, 1, 0, 9);
        }
        index.batchBegun(torn);
        index.checkpoint();
        index.abandon();
        boot(2);
        try (OffHeapIndex again = OffHeapIndex.open(config)) {
            assertEquals(RecoveryReport.Outcome.RESTORED_IMAGE, again.recovery().outcome());
            assertTrue(
                    again.recovery().detail().contains("slots=2, blocks=3, positions=2"),
                    again.recovery().detail());
            assertEquals(1, again.positionSequence(whole));
            assertEquals(3, again.heldBlocks(whole, 0));
            assertEquals(PrefixIndex.NO_POSITION, again.positionSequence(torn));
            assertEquals(0, again.heldBlocks(torn, 0));
        }
    }

    private record Life(
            Traffic traffic, ReferenceIndex atImage, List<Traffic.Operation> missed, byte[] older, byte[] newer) {}

    private Life live(long seed) throws IOException {
        boot(1);
        Files.deleteIfExists(config.file());
        Traffic traffic = new Traffic(seed, 200, 30, 100);
        ReferenceIndex reference = new ReferenceIndex(config.blockSize(), config.capacityBlocks(), config.maxSlots());
        OffHeapIndex index = OffHeapIndex.open(config);
        traffic.opening().forEach(operation -> both(operation, index, reference));
        Random random = new Random(~seed);
        for (int i = random.nextInt(800); i >= 0; i--) {
            both(traffic.next(), index, reference);
        }
        index.checkpoint();
        ReferenceIndex atImage = reference.copy();
        List<Traffic.Operation> missed = new ArrayList<>();
        byte[] older = Files.readAllBytes(config.file());
        for (int i = random.nextInt(400); i >= 0; i--) {
            Traffic.Operation next = traffic.next();
            missed.add(next);
            next.apply(index);
        }
        byte[] newer = Files.readAllBytes(config.file());
        index.abandon();
        return new Life(traffic, atImage, missed, older, newer);
    }

    private static void both(Traffic.Operation operation, PrefixIndex left, PrefixIndex right) {
        operation.apply(left);
        operation.apply(right);
    }

    private static byte[] mixed(byte[] older, byte[] newer, Random random) {
        byte[] mixed = newer.clone();
        int odds = 1 + random.nextInt(9);
        for (int at = 0; at < mixed.length; at += PAGE) {
            if (random.nextInt(10) < odds) {
                System.arraycopy(older, at, mixed, at, Math.min(PAGE, mixed.length - at));
            }
        }
        return mixed;
    }
}
