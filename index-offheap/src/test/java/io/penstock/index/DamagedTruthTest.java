package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every single bit of the words that say how much a killed writer's file holds: seen, or of no matter. */
class DamagedTruthTest {
    /** In the copy of the header: where page 0 lies, how far the pages lie apart. */
    private static final int FIRST_PAGE = 16;

    private static final int STRIDE = 24;

    @TempDir
    Path folder;

    private Answers answers;
    private IndexConfig config;
    private byte[] file;
    private ByteBuffer sidecar;
    private long whole;

    @BeforeEach
    void load() throws IOException {
        System.setProperty("penstock.index.bootId", GoldenWriter.BOOT_ID);
        config = GoldenFileTest.unpacked(folder, "golden-2-killed");
        file = Files.readAllBytes(config.file());
        sidecar = ByteBuffer.wrap(Files.readAllBytes(Path.of(config.file() + ".header")))
                .order(ByteOrder.LITTLE_ENDIAN);
        long[][] prompts = new long[GoldenScript.PROMPTS][];
        Arrays.setAll(prompts, GoldenScript::prompt);
        answers = new Answers(prompts);
        OffHeapIndex index = OffHeapIndex.open(config);
        whole = answers.digest(index);
        assertTrue(index.blockCount() > 0);
        index.abandon();
    }

    @AfterEach
    void ownBoot() {
        System.clearProperty("penstock.index.bootId");
    }

    @Test
    void shouldSeeEveryFlippedBitOfTheRoots() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (int word = HeaderLayout.ROOTS; word < HeaderLayout.SIDE_FREE; word += Long.BYTES) {
            flip("root " + word, word, wrong);
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldSeeEveryFlippedBitOfARunsExtent() throws IOException {
        List<String> wrong = new ArrayList<>();
        long runs = new Geometry(config).runs;
        long high = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(place(HeaderLayout.RUN_HIGH));
        for (int run = 0; run < high; run += 5) {
            flip("run " + run, runs + (long) run * RunLayout.BYTES + RunLayout.EXTENT, wrong);
        }
        assertEquals(List.of(), wrong);
    }

    private int place(long offset) {
        long stride = sidecar.getLong(STRIDE);
        return (int) (sidecar.getLong(FIRST_PAGE) + offset / config.pageBytes() * stride + offset % config.pageBytes());
    }

    private void flip(String what, long word, List<String> wrong) throws IOException {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            byte[] hurt = file.clone();
            hurt[place(word + bit / Byte.SIZE)] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(config.file(), hurt);
            Files.write(Path.of(config.file() + ".header"), sidecar.array());
            OffHeapIndex index = OffHeapIndex.open(config);
            if (index.recovery().outcome() == RecoveryReport.Outcome.REPAIRED && answers.digest(index) != whole) {
                wrong.add(what + " bit " + bit);
            }
            index.abandon();
        }
    }
}
