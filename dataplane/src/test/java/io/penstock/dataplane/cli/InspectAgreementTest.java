package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index, {@code penstock inspect} and the Python reader, which was written from the format's document, say the same. */
final class InspectAgreementTest {
    private static final long SEED = Long.getLong("penstock.seed", 20261130L);
    private static final int KILLS = Integer.getInteger("penstock.kills", 3);

    @TempDir
    Path folder;

    private final InspectRun run = new InspectRun();

    @Test
    void shouldSayWhatTheIndexSaysWhenTheFileIsClosed() throws Exception {
        Path file = folder.resolve("closed.pst");
        IndexTraffic traffic = new IndexTraffic(SEED);
        List<long[]> queries = new ArrayList<>();
        try (OffHeapIndex index = OffHeapIndex.open(IndexTraffic.config(file))) {
            traffic.open(index);
            for (int i = 0; i < 4000; i++) {
                traffic.step(index);
            }
            for (int i = 0; i < 4; i++) {
                queries.add(traffic.query());
            }
            compare(index, file, queries);
        }
        assertEquals("clean", run.json("summary", file).get("state").asText());
        assertEquals(0, run.inspect(file, "--verify"), run.out());
        try (OffHeapIndex index = OffHeapIndex.open(IndexTraffic.config(file))) {
            assertEquals(RecoveryReport.Outcome.CLEAN, index.recovery().outcome());
            compare(index, file, queries.subList(0, 1));
        }
    }

    @Test
    void shouldSayWhatTheRepairedIndexSaysWhenTheWriterWasKilled() throws Exception {
        Random random = new Random(SEED);
        int within = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Path file = folder.resolve("killed-" + kill + ".pst");
            String where = "seed=" + SEED + ", kill=" + kill;
            killed(file, random.nextLong(), random.nextInt(20));
            assertEquals(0, run.inspect(file, "--verify"), () -> where + "\n" + run.out() + run.err());
            List<long[]> queries = new ArrayList<>();
            IndexTraffic traffic = new IndexTraffic(SEED);
            for (int i = 0; i < 2; i++) {
                queries.add(traffic.query());
            }
            JsonNode summary = run.json("summary", file);
            within += summary.get("takenBack").asInt() > 0 ? 1 : 0;
            InspectRun.assertAgrees(InspectRun.python(file).get("summary"), summary, where);
            Path copy = folder.resolve("repaired-" + kill + ".pst");
            for (String suffix : List.of("", ".header")) {
                Files.copy(Path.of(file + suffix), Path.of(copy + suffix));
            }
            try (OffHeapIndex index = OffHeapIndex.open(IndexTraffic.config(copy))) {
                assertEquals(RecoveryReport.Outcome.REPAIRED, index.recovery().outcome(), where);
                assertEquals(
                        index.recovery().undoneStores(),
                        summary.get("takenBack").asInt(),
                        where);
                if (index.tornSlots() == 0) {
                    compare(index, file, queries);
                }
            }
        }
        System.out.println("killed within a step: " + within + " of " + KILLS + ", seed=" + SEED);
    }

    private void killed(Path file, long seed, int afterMs) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                IndexTraffic.class.getName(),
                file.toString(),
                Long.toString(seed)));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines = child.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.equals("warm")) {
                line = lines.readLine();
            }
            assertEquals("warm", line, "the child ended");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + afterMs));
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private void compare(OffHeapIndex index, Path file, List<long[]> queries) throws Exception {
        JsonNode summary = run.json("summary", file);
        InspectRun.assertAgrees(InspectRun.python(file).get("summary"), summary, "seed=" + SEED + " summary");
        assertEquals(0, summary.get("changing").asInt());
        List<String> held = new ArrayList<>();
        for (int slot = 0; slot < index.slotLimit(); slot++) {
            if (index.isOpen(slot)) {
                held.add(slot + " " + index.workerOf(slot) + " " + index.dpRankOf(slot) + " " + index.generationOf(slot)
                        + " " + tiers(tierCounts(index, slot)));
            }
        }
        List<String> found = new ArrayList<>();
        summary.get("workers")
                .forEach(worker -> found.add(worker.get("slot").asInt() + " "
                        + worker.get("worker").asText() + " "
                        + worker.get("dpRank").asInt() + " "
                        + worker.get("generation").asInt() + " " + tiers(tierCounts(worker.get("held")))));
        assertEquals(held, found, "seed=" + SEED);
        assertEquals(
                index.blockCount(),
                summary.get("blocks").asLong() + summary.get("dyingBlocks").asLong());
        for (long[] query : queries) {
            prefix(index, file, query);
        }
    }

    private static long[] tierCounts(OffHeapIndex index, int slot) {
        long[] counts = new long[Tier.COUNT];
        Arrays.setAll(counts, tier -> index.heldBlocks(slot, tier));
        return counts;
    }

    private static long[] tierCounts(JsonNode tiers) {
        long[] counts = new long[Tier.COUNT];
        Arrays.setAll(counts, tier -> tiers.get(Tier.name(tier)).asLong());
        return counts;
    }

    private static String tiers(long[] counts) {
        return Arrays.toString(counts);
    }

    private void prefix(OffHeapIndex index, Path file, long[] query) throws Exception {
        Overlaps overlaps = new Overlaps(1000);
        index.match(query, query.length, overlaps);
        TreeMap<Integer, String> wanted = new TreeMap<>();
        for (int i = 0; i < overlaps.size(); i++) {
            int entry = i;
            long[] counts = new long[Tier.COUNT];
            Arrays.setAll(counts, tier -> overlaps.blocks(entry, tier));
            wanted.put(overlaps.slot(i), tiers(counts));
        }
        List<Object> arguments =
                new ArrayList<>(List.of(file, "--block", "0x" + Long.toHexString(query[0]), "--prefix"));
        Arrays.stream(query).mapToObj(Long::toUnsignedString).forEach(arguments::add);
        JsonNode answer = run.json("prefix", arguments.toArray());
        TreeMap<Integer, String> found = new TreeMap<>();
        answer.get("holders").forEach(holder -> found.put(holder.get("slot").asInt(), tiers(tierCounts(holder))));
        assertEquals(wanted, found, "seed=" + SEED);
        JsonNode python = InspectRun.python(arguments.toArray());
        InspectRun.assertAgrees(python.get("prefix"), answer, "seed=" + SEED + " prefix");
        JsonNode block = run.json("block", arguments.toArray());
        InspectRun.assertAgrees(python.get("block"), block, "seed=" + SEED + " block");
        if (answer.get("known").asInt() > 0) {
            assertEquals(1, block.get("found").size());
            assertEquals(0, block.get("found").get(0).get("position").asInt());
            named(file, query[0]);
        }
        assertFalse(answer.get("known").asInt() > query.length);
    }

    /** A block is found under its engines' names as well, unless none of the common kind is left. */
    private void named(Path file, long sequence) throws IOException {
        String hex = Long.toHexString(sequence);
        JsonNode names = run.json("block", file, "--block", "0x" + hex)
                .get("found")
                .get(0)
                .get("names");
        assertTrue(names.size() > 0, "a held block without a name");
        for (JsonNode name : names) {
            JsonNode found = run.json(
                            "block",
                            file,
                            "--block",
                            "0x" + name.get("engineHash").asText())
                    .get("found");
            assertEquals(1, found.size());
            assertEquals(
                    String.format("%016x", sequence),
                    found.get(0).get("sequenceHash").asText());
        }
    }
}
