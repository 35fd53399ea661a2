package io.penstock.dataplane.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WaitMode;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.HintWay;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a decision through the real NIXL to an engine's process, and its answer back into the counters. */
class HintsOverNixlTest implements WorkerReply {
    private static final int BLOCK = 4;
    private static final int TARGET = 0;
    private static final int SOURCE = 1;
    private static final long PACE_NS = 50_000_000;

    @TempDir
    Path folder;

    private final Map<Integer, Integer> slots = new ConcurrentHashMap<>();
    private final List<TraceRecord> rows = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final int enginePort = HintAgents.freePort();
    private CounterFile counters;
    private RouterPipeline pipeline;
    private Hints hints;
    private volatile OffHeapIndex index;
    private int prompts;

    @BeforeAll
    static void needsNixl() {
        NativeLibrary library = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(library.isAvailable(), () -> "without NIXL: " + library.cause());
    }

    private void open(int answerTimeoutMs) {
        counters = CounterFile.create(folder.resolve("counters.dat"));
        PrefixIndexFactory indexes = (model, blockSize) -> {
            index = OffHeapIndex.open(new IndexConfig(folder.resolve("index"), blockSize, 1 << 16, 1 << 16, 64));
            return index;
        };
        pipeline = new RouterPipeline(
                new PipelineConfig(64, 1_024, 64, WaitMode.BLOCKING, 2_048, 10),
                new CoreConfig(64, 256, 1 << 16, 1_000, 2_000, 128, 120, 128, 300, 30, true, 0.5, 60),
                RoutingConfig.defaults(),
                indexes,
                counters,
                errors::add);
        HintSite target = new HintSite(HintWay.NIXL, "x", null, "engine", "localhost", enginePort);
        HintsConfig config = new HintsConfig(true, 16, 4_096, answerTimeoutMs, "router", 0);
        hints = Hints.follow(
                config, pipeline, (model, blockSize) -> index.reader(), List.of(target), counters, errors::add);
        pipeline.addConsumer("rows", this::row);
        pipeline.start();
        add(TARGET, "target", target);
        add(SOURCE, "source", new HintSite(HintWay.NONE, "x", "tcp://source:7000", null, null, 0));
    }

    private void row(DecisionRecord record, long sequence, boolean last) {
        if (record.trace != null) {
            rows.add(record.trace);
        }
    }

    private void add(int number, String name, HintSite site) {
        WorkerEndpoint endpoint = new WorkerEndpoint(-1, name, 0, 1, "127.0.0.1", 1, "", "vllm", site);
        assertTrue(pipeline.membership()
                .addWorker(new WorkerAddition(
                        number, name, 0, BLOCK, true, List.of(endpoint), List.of(), 0, 1_000, 0, this)));
        HintBench.until(name + " is in", () -> slots.containsKey(number));
    }

    @Override
    public void added(int workerNumber, List<SlotPosition> ranks) {
        slots.put(workerNumber, ranks.getFirst().slot());
    }

    @Override
    public void refused(int workerNumber, String why) {
        errors.add(new IllegalStateException(why));
    }

    @AfterEach
    void close() {
        if (pipeline != null) {
            hints.close();
            pipeline.close();
            counters.close();
        }
    }

    /** A new prompt of which the source has 24 blocks goes to the target. */
    private void request() throws InterruptedException {
        long stem = 1_000L * ++prompts;
        BlockBuffer buffer = pipeline.events().acquire(24);
        long[] chain = new long[30];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = i == 0 ? stem : ChainHash.next(chain[i - 1], stem + i);
            if (i < 24) {
                buffer.localHashes[i] = stem + i;
                buffer.engineHashes[i] = -(stem + i);
            }
        }
        buffer.count = 24;
        assertTrue(pipeline.events().stored(slots.get(SOURCE), 0, true, 0, buffer));
        long before = counters.value(Counter.BLOCKS_STORED);
        HintBench.until("stored", () -> counters.value(Counter.BLOCKS_STORED) >= 24L * prompts && before >= 0);
        CountDownLatch answered = new CountDownLatch(1);
        RouteRequest request = new RouteRequest(done -> answered.countDown());
        request.addHashing(BLOCK, chain, chain.length);
        request.promptTokens = chain.length * BLOCK + 1;
        request.pinnedWorker = TARGET;
        request.requestId = "r-" + prompts;
        assertTrue(pipeline.requests().route(request));
        assertTrue(answered.await(20, TimeUnit.SECONDS));
        assertEquals(Decision.Status.ROUTED, request.decision.status);
        assertEquals(24, request.decision.fetch.blocks);
    }

    private long count(Counter counter) {
        return counters.value(counter);
    }

    private long told() {
        return count(Counter.HINTS_SENT) + count(Counter.HINTS_UNDELIVERED);
    }

    /** Requests until one's hint is on its way; those before went to an engine that was not known yet. */
    private void requestUntilSent() throws InterruptedException {
        long sent = count(Counter.HINTS_SENT);
        long end = System.nanoTime() + 30_000_000_000L;
        while (count(Counter.HINTS_SENT) == sent) {
            assertTrue(System.nanoTime() - end < 0, () -> "not met within 30 s: " + hints.problem() + errors);
            long before = told();
            request();
            HintBench.until("told", () -> told() > before);
            // Each try takes room in the index.
            LockSupport.parkNanos(PACE_NS);
        }
    }

    @Test
    void shouldReachAnotherProcessAndCountWhatItMakesOfTheHint() throws Exception {
        try (HintEngine engine = HintEngine.start(folder, "engine", enginePort, 10)) {
            open(20_000);
            requestUntilSent();
            HintBench.until("clipped", () -> count(Counter.HINTS_CLIPPED) == 1);
            String first =
                    "fetch from tcp://source:7000: 24 blocks, last " + Long.toUnsignedString(-(1_000L * prompts + 23));
            assertTrue(engine.said(first), engine::text);
            HintBench.until("journal rows", () -> rows.stream().anyMatch(row -> row.action.equals("kv.fetch clipped")));
            TraceRecord row = rows.getLast();
            assertEquals(TraceRecord.Kind.HINT, row.kind);
            assertEquals(10, row.amount);
            assertEquals("r-" + prompts, row.requestId);
            assertEquals("target", row.worker);
        }
        assertNull(hints.problem());
        assertEquals(0, count(Counter.HINT_ANSWERS_STRAY));
    }

    @Test
    void shouldGoOnWithoutAnEngineThatWasKilledAndFindItAgain() throws Exception {
        open(300);
        request();
        HintBench.until("nobody there yet", () -> count(Counter.HINTS_UNDELIVERED) == 1);
        try (HintEngine engine = HintEngine.start(folder, "engine", enginePort, 1_000)) {
            requestUntilSent();
            HintBench.until("accepted", () -> count(Counter.HINTS_ACCEPTED) == 1);
            assertTrue(engine.text().contains("24 blocks"), engine::text);
        }
        long lost = count(Counter.HINTS_UNDELIVERED) + count(Counter.HINTS_UNANSWERED);
        request();
        HintBench.until(
                "lost with the engine",
                () -> count(Counter.HINTS_UNDELIVERED) + count(Counter.HINTS_UNANSWERED) > lost);
        try (HintEngine engine = HintEngine.start(folder, "engine", enginePort, 1_000)) {
            long accepted = count(Counter.HINTS_ACCEPTED);
            long end = System.nanoTime() + 60_000_000_000L;
            while (count(Counter.HINTS_ACCEPTED) == accepted) {
                assertTrue(System.nanoTime() - end < 0, () -> "not found again within 60 s: " + engine.text() + errors);
                requestUntilSent();
                long unanswered = count(Counter.HINTS_UNANSWERED);
                HintBench.until(
                        "answered or not",
                        () -> count(Counter.HINTS_ACCEPTED) > accepted || count(Counter.HINTS_UNANSWERED) > unanswered);
            }
            assertNotEquals("listens", engine.text().strip());
        }
    }
}
