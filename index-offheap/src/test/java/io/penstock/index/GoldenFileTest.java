package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were written once, by {@link GoldenWriter}: of the present layout they open, of another they are refused. */
class GoldenFileTest {
    @TempDir
    Path folder;

    private final Answers answers = new Answers(prompts());

    private static long[][] prompts() {
        long[][] prompts = new long[GoldenScript.PROMPTS][];
        Arrays.setAll(prompts, GoldenScript::prompt);
        return prompts;
    }

    @BeforeEach
    void sameBoot() {
        System.setProperty("penstock.index.bootId", GoldenWriter.BOOT_ID);
    }

    @AfterEach
    void ownBoot() {
        System.clearProperty("penstock.index.bootId");
    }

    @Test
    void shouldRefuseTheFileOfLayoutOneWithBothNumbers() throws IOException {
        IndexConfig config = unpacked(folder, "golden-1-clean");
        byte[] before = Files.readAllBytes(config.file());
        IndexFileException refused = assertThrows(IndexFileException.class, () -> OffHeapIndex.open(config));
        assertTrue(
                refused.getMessage()
                        .contains("another layout version: layoutVersion=1, expected " + HeaderLayout.VERSION_VALUE),
                refused.getMessage());
        assertTrue(Arrays.equals(before, Files.readAllBytes(config.file())), "a refused file stays as it is");
    }

    @Test
    void shouldAnswerExactlyFromTheFileOfLayoutTwoClosedInOrder() throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(unpacked(folder, "golden-2-clean"))) {
            assertEquals(
                    RecoveryReport.Outcome.CLEAN,
                    index.recovery().outcome(),
                    () -> index.recovery().detail());
            assertAnswers(index);
        }
    }

    @Test
    void shouldAnswerExactlyFromTheFileOfLayoutTwoLeftByAKilledWriter() throws IOException {
        try (OffHeapIndex index = OffHeapIndex.open(unpacked(folder, "golden-2-killed"))) {
            assertEquals(
                    RecoveryReport.Outcome.REPAIRED,
                    index.recovery().outcome(),
                    () -> index.recovery().detail());
            assertTrue(
                    index.recovery().undoneStores() > 0, () -> index.recovery().toString());
            assertAnswers(index);
        }
    }

    /** By the text kept beside the files, by the reference, and after more work. */
    private void assertAnswers(OffHeapIndex index) throws IOException {
        ReferenceIndex reference = new ReferenceIndex(16, 1 << 10, GoldenScript.SLOTS);
        GoldenScript.play(reference);
        assertEquals(text("golden-answers.txt"), answers.text(index));
        assertEquals(answers.text(reference), answers.text(index));
        assertNull(index.verify());
        for (PrefixIndex each : List.of(reference, index)) {
            GoldenScript.more(each);
        }
        assertEquals(answers.text(reference), answers.text(index));
    }

    static IndexConfig unpacked(Path folder, String name) throws IOException {
        for (String end : List.of("", ".header")) {
            try (InputStream packed = new GZIPInputStream(resource(name + end + ".gz"))) {
                Files.copy(packed, folder.resolve(name + end));
            }
        }
        return GoldenWriter.config(folder.resolve(name));
    }

    private static String text(String name) throws IOException {
        try (InputStream in = resource(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream resource(String name) {
        return GoldenFileTest.class.getResourceAsStream("/golden/" + name);
    }
}
