package io.penstock.dataplane.inputlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.routing.PolicyKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pipeline decided under the log is decided again from the log alone. */
class ReplayTest {
    @TempDir
    Path folder;

    private final List<Throwable> errors = new ArrayList<>();
    private CounterFile counters;
    private Path log;

    @BeforeEach
    void begin() {
        counters = CounterFile.create(folder.resolve("counters.dat"));
        log = folder.resolve("log");
    }

    @AfterEach
    void end() {
        counters.close();
        assertEquals(List.of(), errors);
    }

    private InputLog open() {
        InputLogConfig config = new InputLogConfig(true, "", 8, 1, 1_440, 1_000, 24);
        return InputLog.open(config, log, RecordedPipeline.CORE, RecordedPipeline.ROUTING, counters, errors::add);
    }

    @Test
    void shouldDecideEverythingAgainWhenThousandsOfMixedInputsWereTaken() throws IOException {
        long seed = System.nanoTime();
        String told = "seed " + seed;
        Random random = new Random(seed);
        int decisions;
        List<Long> seqs;
        try (InputLog recorder = open();
                RecordedPipeline run = new RecordedPipeline(folder, counters, recorder.tap())) {
            run.addWorkers();
            run.play(random, 3_000);
            for (int more = 0; more < 3; more++) {
                // The files roll at a MiB and want checkpoints too: how many there are is not known.
                long before = run.count(Counter.INPUT_LOG_CHECKPOINTS);
                recorder.checkpoint();
                RecordedPipeline.await(() -> run.count(Counter.INPUT_LOG_CHECKPOINTS) > before);
                run.play(random, 1_500);
            }
            decisions = run.decided.size();
            seqs = List.copyOf(run.decided);
            assertEquals(0, run.count(Counter.CORE_FAILURES), told);
        }
        assertTrue(decisions > 2_500, told);
        assertEquals(0, counters.value(Counter.INPUT_LOG_DROPPED), told);
        Explainer explainer = new Explainer(log);
        Explainer.Verified verified = explainer.verify();
        assertEquals(List.of(), verified.obstacles(), told);
        assertEquals(-1, verified.firstDifferent(), told);
        assertEquals(decisions, verified.decisions(), told);
        assertEquals(decisions, verified.equal(), told);
        assertTrue(verified.stretches() >= 4, told);
        explainAFew(explainer, seqs, random, told);
    }

    private static void explainAFew(Explainer explainer, List<Long> seqs, Random random, String told)
            throws IOException {
        for (PolicyKind policy : PolicyKind.values()) {
            long seq = seqs.get(random.nextInt(seqs.size()));
            Explained explained = explainer.explain(seq, policy);
            assertTrue(explained.equal(), told + ", seq " + seq);
            assertEquals(explained.decisionsBefore(), explained.equalBefore(), told);
            assertEquals(policy.label(), explained.other().policy());
            if (explained.policy().equals(policy.label()) && explained.status().equals("ROUTED")) {
                assertEquals(explained.worker(), explained.other().worker(), told + ", seq " + seq);
            }
            boolean routed = explained.status().equals(Decision.Status.ROUTED.name());
            assertEquals(
                    routed ? 1 : 0,
                    explained.candidates().stream()
                            .filter(Explained.Candidate::chosen)
                            .count());
            assertFalse(explained.why().isBlank());
        }
    }

    @Test
    void shouldClaimNothingBeforeTheCheckpointWhenTheIndexHoldsAFormerRun() throws IOException {
        Random random = new Random(1);
        long last;
        try (InputLog recorder = open();
                RecordedPipeline run = new RecordedPipeline(folder, counters, recorder.tap())) {
            run.addWorkers();
            run.play(random, 400);
            last = run.decided.getLast();
        }
        List<Long> again;
        try (InputLog recorder = open();
                RecordedPipeline run = new RecordedPipeline(folder, counters, recorder.tap())) {
            run.addWorkers();
            long before = run.count(Counter.INPUT_LOG_CHECKPOINTS);
            run.play(random, 50);
            recorder.checkpoint();
            RecordedPipeline.await(() -> run.count(Counter.INPUT_LOG_CHECKPOINTS) > before);
            run.play(random, 400);
            again = List.copyOf(run.decided);
        }
        assertTrue(again.getFirst() > last, "numbers go on over a restart");
        Explainer explainer = new Explainer(log);
        assertTrue(explainer.explain(last, null).equal());
        assertTrue(explainer.explain(again.getLast(), null).equal());
        Explainer.Verified verified = explainer.verify();
        assertEquals(verified.decisions(), verified.equal());
        assertTrue(verified.obstacles().getFirst().contains("former run"), () -> "" + verified.obstacles());
    }

    @Test
    void shouldReportAGapAndGoOnFromTheNextCheckpoint() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LogFolder entries = new LogFolder(log);
        Files.createDirectories(log);
        String settings = new ReplaySettings(RecordedPipeline.CORE, RecordedPipeline.ROUTING).json();
        InputRing ring = new InputRing(1 << 20, counters);
        Retention all = new Retention(entries, Long.MAX_VALUE, Long.MAX_VALUE / 2);
        List<Long> seqs;
        try (Checkpointer checkpoints = new Checkpointer(entries, settings, Long.MAX_VALUE / 2, counters, errors::add);
                RecordedPipeline run = new RecordedPipeline(
                        folder,
                        counters,
                        new InputTap(ring, 1, RecordedPipeline.CORE.maxBlocksPerRequest(), checkpoints))) {
            run.addWorkers();
            // Nobody takes from the ring until it was full for a while.
            while (run.count(Counter.INPUT_LOG_DROPPED) < 500) {
                run.play(random, 200);
            }
            try (LogWriter writer =
                    new LogWriter(ring, log, settings, 1 << 20, all, checkpoints, counters, errors::add)) {
                RecordedPipeline.await(() -> {
                    run.play(random, 20);
                    return hasCheckpointAfterGap(entries);
                });
                run.play(random, 300);
                seqs = List.copyOf(run.decided);
                assertNotNull(writer);
            }
        }
        assertTrue(counters.value(Counter.INPUT_LOG_GAPS) >= 1, "seed " + seed);
        Explainer explainer = new Explainer(log);
        assertTrue(explainer.explain(seqs.getFirst(), null).equal());
        assertTrue(explainer.explain(seqs.getLast(), null).equal());
        Explainer.Verified verified = explainer.verify();
        assertEquals(verified.decisions(), verified.equal(), "seed " + seed);
        assertTrue(verified.decisions() < seqs.size());
        String obstacle = verified.obstacles().getFirst();
        assertTrue(obstacle.startsWith("gap in the log: inputs "), obstacle);
        long first = Long.parseLong(obstacle.split(" ")[5]);
        long lost = seqs.stream().filter(seq -> seq > first).findFirst().orElseThrow();
        IOException why = assertThrows(IOException.class, () -> explainer.explain(lost, null));
        assertTrue(why.getMessage().contains(obstacle), why::getMessage);
    }

    private static boolean hasCheckpointAfterGap(LogFolder log) {
        try (LogReader reader = new LogReader(log, 0)) {
            long end = Long.MAX_VALUE;
            for (InputRecord record = reader.next(); record != null; record = reader.next()) {
                end = record.kind() == RecordLayout.GAP ? record.gapEnd() : end;
            }
            List<LogFolder.Entry> checkpoints = log.checkpoints();
            return !checkpoints.isEmpty() && checkpoints.getLast().seq() > end;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void shouldEndWhereTheFileWasTorn() throws IOException {
        Random random = new Random(2);
        List<Long> seqs;
        try (InputLog recorder = open();
                RecordedPipeline run = new RecordedPipeline(folder, counters, recorder.tap())) {
            run.addWorkers();
            run.play(random, 500);
            seqs = List.copyOf(run.decided);
        }
        Path last = new LogFolder(log).segments().getLast().path();
        long length = Files.size(last);
        try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
            file.truncate(length - 3);
        }
        Explainer explainer = new Explainer(log);
        Explainer.Verified cut = explainer.verify();
        assertEquals(cut.decisions(), cut.equal());
        assertTrue(cut.obstacles().getLast().contains("ends within a frame"), () -> "" + cut.obstacles());
        assertNotNull(explainer.explain(seqs.getFirst(), null));
        // A file that was just begun.
        Path begun = SegmentLayout.file(log, 77_777_777);
        Files.write(begun, new byte[20]);
        Explainer.Verified withBegun = explainer.verify();
        assertEquals(cut.decisions(), withBegun.decisions());
        assertTrue(withBegun.obstacles().getLast().contains("has no whole header"), () -> "" + withBegun.obstacles());
        assertTrue(explainer.explain(seqs.getFirst(), null).equal());
        assertEquals(77_777_777, LogReader.lastSeq(new LogFolder(log)));
        Files.delete(begun);
        // A byte amid the file: what lies behind it is not believed.
        try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {77, 78, 79}), length / 2);
        }
        Explainer.Verified damaged = explainer.verify();
        assertEquals(damaged.decisions(), damaged.equal());
        assertTrue(damaged.decisions() < cut.decisions());
        assertFalse(damaged.obstacles().isEmpty());
    }

    @Test
    void shouldSayInOneLineWhatCannotBeExplained() throws IOException {
        Random random = new Random(3);
        try (InputLog recorder = open();
                RecordedPipeline run = new RecordedPipeline(folder, counters, recorder.tap())) {
            run.addWorkers();
            run.play(random, 50);
            IllegalArgumentException second = assertThrows(IllegalArgumentException.class, this::open);
            assertEquals(
                    "input log cannot be written: inputLog.folder=" + log + " (another router writes there)",
                    second.getMessage());
        }
        Explainer explainer = new Explainer(log);
        assertTrue(message(explainer, 1_000_000).startsWith("not in the log: seq=1000000, last="));
        assertEquals("no request: seq=2 is another input (worker added)", message(explainer, 2));
        assertEquals("no request: seq=1 is another input (started)", message(explainer, 1));
        assertTrue(message(explainer, 0).startsWith("no checkpoint before it in the log: seq=0"));
        assertThrows(IllegalArgumentException.class, () -> new Explainer(folder.resolve("none")));
    }

    private static String message(Explainer explainer, long seq) {
        return assertThrows(IOException.class, () -> explainer.explain(seq, null))
                .getMessage();
    }
}
