package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a loss of power any pages of the live file may be those of an earlier time. It is never believed, unless it is byte for
 * byte what the last close in order left; the checkpoint image and what the engines replay after it give the very state.
 */
class PowerLossTest {
    private static final int OS_PAGE_BYTES = 4096;
    private static final int STORIES = 4;
    private static final int CASES_A_STORY = 100;

    @TempDir
    Path folder;

    private final Comparison comparison = new Comparison();

    @AfterEach
    void bootAsBefore() {
        BootIdProperty.real();
    }

    /** What happened before the power went. */
    private record Story(
            long seed,
            IndexConfig config,
            Traffic traffic,
            ReferenceIndex atEarly,
            ReferenceIndex atImage,
            List<Traffic.Operation> missing,
            byte[] early,
            byte[] late) {}

    @Test
    void shouldNeverBelieveALiveFileWhosePagesAreOfDifferentTimes() throws IOException {
        long seed = Long.getLong("penstock.seed", 4L);
        Random random = new Random(seed);
        for (int at = 0; at < STORIES; at++) {
            Story story = story(random.nextLong(), at % 2 == 0, at);
            for (int i = 0; i < CASES_A_STORY; i++) {
                String where = "seed=" + seed + ", story=" + at + ", case=" + i;
                lose(story, random, 1 + random.nextInt(15));
                if (i % 4 == 0) {
                    restoreAndReplay(story, where);
                } else {
                    withoutImage(story, where);
                }
            }
        }
    }

    private Story story(long seed, boolean earlyIsClean, int number) throws IOException {
        BootIdProperty.real();
        IndexConfig config = new IndexConfig(folder.resolve("story-" + number), 16, 1 << 12, 1 << 16, 40);
        Traffic traffic = new Traffic(seed, 300, 12, 100);
        ReferenceIndex reference = new ReferenceIndex(16, 1 << 12, 40);
        OffHeapIndex index = OffHeapIndex.open(config);
        for (Traffic.Operation operation : traffic.opening()) {
            operation.apply(reference);
            operation.apply(index);
        }
        play(traffic, 300, reference, index, null);
        if (earlyIsClean) {
            index.close();
        }
        ReferenceIndex atEarly = reference.copy();
        byte[] early = Files.readAllBytes(config.file());
        if (earlyIsClean) {
            index = OffHeapIndex.open(config);
        }
        play(traffic, 200, reference, index, null);
        index.checkpointNow();
        ReferenceIndex atImage = reference.copy();
        List<Traffic.Operation> missing = new ArrayList<>();
        play(traffic, 200, reference, index, missing);
        byte[] late = Files.readAllBytes(config.file());
        assertEquals(early.length, late.length);
        index.abandon();
        Files.copy(
                Path.of(config.file() + ".image"), folder.resolve("kept-image"), StandardCopyOption.REPLACE_EXISTING);
        return new Story(seed, config, traffic, earlyIsClean ? atEarly : null, atImage, missing, early, late);
    }

    private static void play(
            Traffic traffic, int count, PrefixIndex reference, PrefixIndex index, List<Traffic.Operation> told) {
        for (int i = 0; i < count; i++) {
            Traffic.Operation operation = traffic.next();
            assertEquals(operation.apply(reference), sweepless(operation, index));
            if (told != null) {
                told.add(operation);
            }
        }
    }

    private static long sweepless(Traffic.Operation operation, PrefixIndex index) {
        long answer = operation.apply(index);
        return operation.kind() == Traffic.Operation.Kind.SWEEP ? 0 : answer;
    }

    /** Each page of the disk is that of early or of late; {@code oddsOfEarly} in 16. */
    private static void lose(Story story, Random random, int oddsOfEarly) throws IOException {
        byte[] mixed = story.late().clone();
        for (int at = 0; at < mixed.length; at += OS_PAGE_BYTES) {
            if (random.nextInt(16) < oddsOfEarly) {
                System.arraycopy(story.early(), at, mixed, at, Math.min(OS_PAGE_BYTES, mixed.length - at));
            }
        }
        Files.write(story.config().file(), mixed);
        BootIdProperty.another();
    }

    private void restoreAndReplay(Story story, String where) throws IOException {
        Path image = Path.of(story.config().file() + ".image");
        Files.copy(folder.resolve("kept-image"), image, StandardCopyOption.REPLACE_EXISTING);
        try (OffHeapIndex index = OffHeapIndex.open(story.config())) {
            if (isTheLastClose(story, index, where)) {
                return;
            }
            assertEquals(RecoveryReport.Outcome.RESTORED_IMAGE, index.recovery().outcome(), where);
            assertNull(index.verify(), where);
            ReferenceIndex reference = story.atImage().copy();
            assertNull(comparison.ofAll(reference, index, story.traffic()), where);
            for (Traffic.Operation operation : story.missing()) {
                assertEquals(operation.apply(reference), sweepless(operation, index), where);
            }
            assertNull(comparison.ofAll(reference, index, story.traffic()), where);
            assertNull(index.verify(), where);
        } finally {
            Files.delete(image);
        }
    }

    private void withoutImage(Story story, String where) throws IOException {
        Files.deleteIfExists(Path.of(story.config().file() + ".image"));
        try (OffHeapIndex index = OffHeapIndex.open(story.config())) {
            if (isTheLastClose(story, index, where)) {
                return;
            }
            RecoveryReport.Outcome outcome = index.recovery().outcome();
            assertTrue(
                    outcome == RecoveryReport.Outcome.EMPTY_OTHER_BOOT
                            || outcome == RecoveryReport.Outcome.EMPTY_DAMAGED,
                    where + ": " + index.recovery());
            assertEquals(0, index.slotLimit(), where);
            assertEquals(0, index.blockCount(), where);
        }
    }

    private boolean isTheLastClose(Story story, OffHeapIndex index, String where) {
        if (story.atEarly() == null || index.recovery().outcome() != RecoveryReport.Outcome.CLEAN) {
            return false;
        }
        assertNull(comparison.ofAll(story.atEarly(), index, story.traffic()), where);
        assertNull(index.verify(), where);
        return true;
    }
}
