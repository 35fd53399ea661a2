package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Tier;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.read.MappedIndex;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small known index: a trunk of 20 blocks that three workers have, and two branches of 5 and 7. */
final class InspectCommandTest {
    @TempDir
    Path folder;

    private final InspectRun run = new InspectRun();
    private final long[] locals = new long[32];
    private final long[] left = new long[25];
    private final long[] right = new long[27];
    private Path file;

    @BeforeEach
    void write() {
        Arrays.setAll(locals, i -> i * 7919L + 13);
        chain(left, 0);
        chain(right, 5);
        file = folder.resolve("index.pst");
        write(file, 0);
    }

    /** The same trunk of 20; then locals 20 to 24, or 25 to 31. */
    private void chain(long[] sequences, int skip) {
        for (int i = 0; i < sequences.length; i++) {
            long local = locals[i < 20 ? i : i + skip];
            sequences[i] = i == 0 ? local : ChainHash.next(sequences[i - 1], local);
        }
    }

    private void write(Path to, int removed) {
        try (OffHeapIndex index = OffHeapIndex.open(new IndexConfig(to, 16, 1 << 10, 1 << 16, 8))) {
            for (int worker = 0; worker < 3; worker++) {
                index.openSlot("gpu-" + worker, 0);
            }
            index.stored(0, Tier.DEVICE, true, 0, left, locals, 0, 25);
            index.stored(1, Tier.DEVICE, true, 0, left, locals, 0, 20);
            index.stored(
                    1,
                    Tier.DEVICE,
                    false,
                    left[19],
                    Arrays.copyOfRange(right, 20, 27),
                    Arrays.copyOfRange(locals, 25, 32),
                    0,
                    7);
            index.stored(2, Tier.HOST, true, 0, left, locals, 0, 20);
            index.removed(0, Tier.DEVICE, Arrays.copyOfRange(left, 25 - removed, 25), 0, removed);
            index.position(1, 41, Double.doubleToRawLongBits(1.7e9), 5);
        }
    }

    private static String hex(long hash) {
        return String.format("%016x", hash);
    }

    @Test
    void shouldPrintTheSummaryForPeople() {
        assertEquals(0, run.inspect(file), run.err());
        assertTrue(run.out().contains("blocks: 32 of 16 tokens each, room for 1,024"), run.out());
        assertTrue(run.out().contains("blocks by number of workers: 1: 12, 3-4: 20"), run.out());
        assertTrue(run.out().contains("sequence 41, 2023-11-14T22:13:20Z"), run.out());
    }

    @Test
    void shouldSayWhatAWorkerHas() throws IOException {
        JsonNode rank =
                run.json("worker", file, "--worker", "gpu-1").get("ranks").get(0);
        assertEquals(27, rank.get("state").get("held").get("device").asInt());
        assertEquals(7, rank.get("soleBlocks").asInt());
        assertEquals(0, run.inspect(file, "--worker", "gpu-9"));
        assertTrue(run.out().startsWith("no such worker in the file: worker=gpu-9"), run.out());
    }

    @Test
    void shouldSayWhereABlockStandsInEveryNotation() throws IOException {
        long hash = right[22];
        for (String text :
                new String[] {"0x" + Long.toHexString(hash), Long.toString(hash), Long.toUnsignedString(hash)}) {
            JsonNode found =
                    run.json("block", file, "--block=" + text).get("found").get(0);
            assertEquals(22, found.get("position").asInt());
            assertEquals(hex(right[21]), found.get("parent").asText());
            assertEquals("gpu-1", found.get("holders").get(0).get("worker").asText());
        }
        assertEquals(0, run.inspect(file, "--block", "0x1"));
        assertEquals(
                "no such block in the file: hash=0x0000000000000001", run.out().strip());
    }

    @Test
    void shouldShowTheTrunkAsTheMostSharedPrefix() throws IOException {
        JsonNode top = run.json("top", file, "--top", "1").get("prefixes");
        assertEquals(1, top.size());
        assertEquals(3, top.get(0).get("workers").asInt());
        assertEquals(hex(left[0]), top.get(0).get("first").asText());
        assertEquals(0, run.inspect(file, "--top", "3"));
        assertTrue(run.out().contains("0x" + hex(left[0])), run.out());
    }

    @Test
    void shouldDrawBranchesBelowTheirTrunk() throws IOException {
        JsonNode tree = run.json("tree", file, "--tree");
        assertEquals(1, tree.get("roots").asInt());
        JsonNode trunk = tree.get("branches").get(0);
        assertEquals(32, trunk.get("below").asInt());
        for (int i = 1; i < tree.get("branches").size(); i++) {
            JsonNode branch = tree.get("branches").get(i);
            assertEquals(trunk.get("run"), branch.get("parentRun"));
            assertEquals(20, branch.get("at").asInt());
        }
        assertEquals(0, run.inspect(file, "--tree", "1"));
        assertTrue(run.out().contains("more branches with"), run.out());
    }

    @Test
    void shouldFindTheDamageWhenAWordWasFlipped() throws IOException {
        assertEquals(0, run.inspect(file, "--verify"));
        assertTrue(run.out().startsWith("sound: "), run.out());
        try (MappedIndex mapped = MappedIndex.open(file);
                RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            // Run 0 lies in the region's first page.
            long offset = mapped.geometry().runs + RunLayout.PARENT;
            bytes.seek(mapped.firstPage()
                    + offset / mapped.geometry().pageBytes * mapped.stride()
                    + offset % mapped.geometry().pageBytes);
            bytes.write(1);
        }
        assertEquals(1, run.inspect(file, "--verify"));
        assertTrue(run.out().contains("run 0: sum: "), run.out());
        assertTrue(run.out().contains("damaged in 2 places"), run.out());
        assertFalse(run.json("verify", file, "--verify").get("sound").asBoolean());
    }

    @Test
    void shouldSayWhatAnotherFileHasMoreAndLess() throws IOException {
        Path same = folder.resolve("same.pst");
        write(same, 0);
        assertEquals(0, run.inspect(file, "--diff", same), run.out());
        Path less = folder.resolve("less.pst");
        write(less, 3);
        assertEquals(1, run.inspect(file, "--diff", less));
        JsonNode diff = run.json("diff", file, "--diff", less);
        assertEquals(1, diff.get("workers").size());
        assertEquals(3, diff.get("workers").get(0).get("lost").get("device").asInt());
        assertEquals(0, diff.get("workers").get(0).get("gained").get("device").asInt());
        assertEquals(29, diff.get("blocks").get("common").asInt());
    }

    @Test
    void shouldAnswerFromACopyWithoutItsCompanions() throws IOException {
        Path copy = Files.copy(file, folder.resolve("copy"));
        assertEquals(0, run.inspect(copy, "--verify"), run.out());
        assertEquals(3, run.json("summary", copy).get("workers").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--block zz",
                "--prefix 1 0xg",
                "--top 0",
                "--top x",
                "--tree -3",
                "--diff /no/such/file",
                "--nothing"
            })
    void shouldSayInOneLineWhatIsWrongAndExitWithTwo(String options) {
        Object[] words = options.split(" ");
        Object[] all = new Object[words.length + 1];
        all[0] = file;
        System.arraycopy(words, 0, all, 1, words.length);
        assertEquals(2, run.inspect(all), run.out());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldRefuseInOneLineWhatIsNoIndex() throws IOException {
        assertEquals(2, run.inspect(folder.resolve("none")));
        assertTrue(run.err().startsWith("no such index file: file="), run.err());
        Path other = Files.write(folder.resolve("other"), new byte[100_000]);
        assertEquals(2, run.inspect(other));
        assertTrue(run.err().startsWith("not an index file"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }
}
