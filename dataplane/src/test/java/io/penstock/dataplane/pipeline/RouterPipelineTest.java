package io.penstock.dataplane.pipeline;

import static io.penstock.dataplane.pipeline.PipelineBench.BLOCK;
import static io.penstock.dataplane.pipeline.PipelineBench.CONFIG;
import static io.penstock.dataplane.pipeline.PipelineBench.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RouterPipelineTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(WaitMode.class)
    void shouldRouteByWhatEventsToldAndShowIt(WaitMode wait) {
        PipelineConfig config = new PipelineConfig(64, 64, 64, wait, 2_048, 10);
        try (PipelineBench bench = new PipelineBench(folder, config, PipelineBench::index).start()) {
            bench.worker(1);
            bench.worker(2);
            bench.worker(3, false);
            assertTrue(bench.store(bench.slot(2), 500, 20));
            await(() -> bench.count(Counter.BLOCKS_STORED) == 20);
            Decision decision = bench.route(500, 20);
            assertEquals(bench.slot(2), decision.slot);
            assertEquals(20 * BLOCK, decision.predictedCachedTokens);
            assertTrue(decision.waitNs > 0);
            assertTrue(bench.pipeline.requests().firstToken(decision.ticket));
            assertTrue(bench.pipeline.requests().progress(decision.ticket, 9));
            await(() -> figures(bench, 2).decodeBlocks() == 22);
            assertTrue(bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 9, 79));
            await(() -> figures(bench, 2).actualTokens() == 79);
            PipelineView.SlotFigures figures = figures(bench, 2);
            assertEquals("w2", figures.worker());
            assertEquals(0, figures.activeRequests());
            assertEquals(20, figures.deviceBlocks());
            assertEquals(80, figures.predictedTokens());
            assertEquals(PipelineView.SlotState.PROVEN, figures.state());
            assertEquals(PipelineView.SlotState.APPROXIMATE, figures(bench, 3).state());
            assertEquals(3, bench.pipeline.view().rings().size());
            await(() -> bench.pipeline.view().indexes().getFirst().blocks() == 20);
            assertTrue(bench.pipeline.membership().remove(2));
            await(() -> bench.pipeline.view().slots().size() == 2);
            assertEquals(PipelineView.State.NORMAL, bench.pipeline.view().state());
        }
    }

    @Test
    void shouldAnswerARequestBeforeABacklogOfAMillionBlocks() {
        FaultyIndex index = new FaultyIndex();
        PipelineBench bench = new PipelineBench(folder, CONFIG, (model, blockSize) -> index).start();
        try (bench) {
            bench.worker(1);
            int slot = bench.slot(1);
            // The core stands in a look-up while the backlog is put on the ring.
            CountDownLatch gate = new CountDownLatch(1);
            index.gate = gate;
            AtomicInteger order = new AtomicInteger();
            assertTrue(bench.pipeline.requests().route(PipelineBench.request(1, 1, done -> order.incrementAndGet())));
            int events = 0;
            while (events < 31) {
                assertTrue(bench.store(slot, 1_000_000L * (events + 1), 32_768));
                events++;
            }
            AtomicLong appliedBefore = new AtomicLong(-1);
            assertTrue(bench.pipeline
                    .requests()
                    .route(PipelineBench.request(7, 1, done -> appliedBefore.set(bench.count(Counter.BLOCKS_STORED)))));
            index.gate = null;
            gate.countDown();
            await(() -> appliedBefore.get() >= 0);
            assertTrue(appliedBefore.get() <= 2_048, "blocks applied before the answer: " + appliedBefore);
            // Amid the backlog too: between two answers lies one slice at most.
            List<Long> seen = new CopyOnWriteArrayList<>();
            chain(bench, seen, 100);
            await(() -> seen.size() == 100);
            for (int i = 1; i < seen.size(); i++) {
                assertTrue(seen.get(i) - seen.get(i - 1) <= 2_048, seen::toString);
            }
            await(() -> bench.count(Counter.BLOCKS_STORED) == 31L * 32_768);
        }
    }

    /** Each answer, on the core's thread, asks the next: it is on the ring when the loop looks again. */
    private static void chain(PipelineBench bench, List<Long> seen, int left) {
        if (left > 0) {
            bench.pipeline.requests().route(PipelineBench.request(left, 1, done -> {
                seen.add(bench.count(Counter.BLOCKS_STORED));
                chain(bench, seen, left - 1);
            }));
        }
    }

    @Test
    void shouldSayFalseAndCountWhenARingIsFull() {
        FaultyIndex index = new FaultyIndex();
        PipelineConfig small = new PipelineConfig(4, 4, 4, WaitMode.BLOCKING, 2_048, 10_000);
        try (PipelineBench bench = new PipelineBench(folder, small, (model, blockSize) -> index).start()) {
            bench.worker(1);
            CountDownLatch gate = new CountDownLatch(1);
            index.gate = gate;
            AtomicInteger answers = new AtomicInteger();
            RouteReply reply = done -> answers.incrementAndGet();
            int taken = 0;
            while (bench.pipeline.requests().route(PipelineBench.request(taken + 1, 1, reply))) {
                taken++;
            }
            // A tick may lie on the ring too.
            int requests = taken;
            assertTrue(requests == 4 || requests == 3, () -> "taken: " + requests);
            assertEquals(1, bench.count(Counter.REQUEST_RING_FULL));
            assertFalse(bench.pipeline.requests().finished(5, Outcome.COMPLETED, 1, 1));
            assertEquals(1, bench.count(Counter.LIFECYCLE_RING_FULL));
            int events = 0;
            while (bench.pipeline.events().cleared(bench.slot(1))) {
                events++;
            }
            // The entry that brought the worker may not have been given back yet.
            int cleared = events;
            assertTrue(cleared == 4 || cleared == 3, () -> "taken: " + cleared);
            assertFalse(bench.pipeline.membership().drain(1));
            assertEquals(2, bench.count(Counter.EVENT_RING_FULL));
            index.gate = null;
            gate.countDown();
            await(() -> answers.get() == requests);
            assertEquals(requests, bench.count(Counter.REQUESTS_ROUTED));
            await(() -> bench.count(Counter.SLOTS_CLEARED) == 4);
        }
    }

    @Test
    void shouldTellConsumersAndDropWhenOneIsARingBehind() {
        PipelineConfig small = new PipelineConfig(64, 64, 4, WaitMode.BLOCKING, 2_048, 10_000);
        PipelineBench bench = new PipelineBench(folder, small, PipelineBench::index);
        CountDownLatch gate = new CountDownLatch(1);
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        bench.pipeline.addConsumer("journal", (record, sequence, endOfBatch) -> {
            gate.await();
            told.add(record.kind + " " + record.ticket + " " + record.slot + " " + record.candidates);
            if (told.size() == 1) {
                throw new IllegalStateException("a consumer's own trouble");
            }
        });
        try (bench) {
            bench.start();
            bench.worker(1);
            List<Decision> decisions = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                decisions.add(bench.route(100 * i, 3));
            }
            assertEquals(2, bench.count(Counter.DECISIONS_DROPPED));
            gate.countDown();
            await(() -> told.size() == 4);
            assertEquals("DECIDED " + decisions.getFirst().ticket + " " + bench.slot(1) + " 1", told.getFirst());
            long ticket = decisions.getFirst().ticket;
            await(() -> bench.pipeline.view().rings().get(2).used() == 0);
            assertTrue(bench.pipeline.requests().finished(ticket, Outcome.CANCELLED, 7, 3));
            await(() -> told.size() == 5);
            assertTrue(told.get(4).startsWith("FINISHED " + ticket));
            assertEquals(1, bench.count(Counter.REPLIES_FAILED));
        }
    }

    @Test
    void shouldRouteLeastLoadedThenReopenWhenTheCoreFailsOnce() {
        List<FaultyIndex> made = new CopyOnWriteArrayList<>();
        PrefixIndexFactory factory = (model, blockSize) -> {
            made.add(new FaultyIndex());
            return made.getLast();
        };
        try (PipelineBench bench = new PipelineBench(folder, CONFIG, factory).start()) {
            bench.worker(1);
            bench.worker(2);
            int one = bench.slot(1);
            Decision before = bench.route(900, 3);
            made.getFirst().failsOnMatch = true;
            Decision failed = bench.route(500, 3);
            assertEquals(Decision.Status.ROUTED, failed.status);
            assertEquals(Decision.Mode.DEGRADED, failed.mode);
            await(() -> bench.pipeline.view().state() == PipelineView.State.NORMAL);
            assertTrue(made.getFirst().closed);
            assertEquals(2, made.size());
            assertEquals(one, bench.slot(1), "feeds keep their slots");
            assertEquals(List.of(1, 2, 1, 2), bench.added);
            Decision after = bench.route(500, 3);
            assertEquals(Decision.Mode.NORMAL, after.mode);
            // Tickets of the former core are old, whatever they say.
            assertTrue(bench.pipeline.requests().finished(before.ticket, Outcome.COMPLETED, 1, 1));
            assertTrue(bench.pipeline.requests().finished(failed.ticket, Outcome.COMPLETED, 1, 1));
            await(() -> bench.count(Counter.TICKETS_STALE) == 1);
            assertEquals(1, bench.count(Counter.CORE_FAILURES));
            assertEquals(1, bench.count(Counter.CORE_REOPENED));
            assertTrue(bench.fatal.isEmpty());
        }
    }

    @Test
    void shouldStayDegradedAndSaySoWhenTheCoreFailsAgain() {
        List<FaultyIndex> made = new CopyOnWriteArrayList<>();
        PrefixIndexFactory factory = (model, blockSize) -> {
            made.add(new FaultyIndex());
            made.getLast().failsOnStored = true;
            return made.getLast();
        };
        try (PipelineBench bench = new PipelineBench(folder, CONFIG, factory).start()) {
            for (int i = 0; i < 4; i++) {
                bench.worker(i);
            }
            assertTrue(bench.store(bench.slot(1), 5, 3));
            await(() -> bench.count(Counter.CORE_REOPENED) == 1);
            assertTrue(bench.store(bench.slot(1), 5, 3));
            await(() -> !bench.fatal.isEmpty());
            assertEquals("page 9 is torn", bench.fatal.getFirst().getMessage());
            assertEquals(PipelineView.State.DEGRADED, bench.pipeline.view().state());
            // Spread by requests in flight; what ends makes room.
            int[] inFlight = new int[4];
            List<Decision> decisions = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Decision decision = bench.route(i, 3);
                assertEquals(Decision.Mode.DEGRADED, decision.mode);
                assertEquals("w" + worker(bench, decision.slot), decision.endpoint.worker());
                inFlight[worker(bench, decision.slot)]++;
                decisions.add(decision);
            }
            for (int n : inFlight) {
                assertEquals(2, n);
            }
            Decision ended = decisions.get(5);
            assertTrue(bench.pipeline.requests().firstToken(ended.ticket));
            assertTrue(bench.pipeline.requests().finished(ended.ticket, Outcome.COMPLETED, 1, 1));
            assertEquals(ended.slot, bench.route(77, 3).slot);
            assertEquals(9, bench.count(Counter.REQUESTS_DEGRADED));
            // Health still counts, new workers do not come, events are dropped and counted.
            assertTrue(bench.pipeline.membership().setHealthy(2, false));
            assertTrue(bench.store(bench.slot(1), 5, 3));
            await(() -> bench.count(Counter.EVENTS_DEGRADED) == 1);
            for (int i = 0; i < 8; i++) {
                assertFalse(worker(bench, bench.route(i, 3).slot) == 2);
            }
            bench.worker(9);
            assertEquals(List.of("the core failed"), bench.refused);
            RouteRequest other = PipelineBench.request(1, 1, done -> {});
            other.model = 3;
            assertTrue(bench.pipeline.requests().route(other));
            assertEquals(Decision.Status.NO_WORKER, other.decision.status);
            assertNull(other.decision.endpoint);
        }
    }

    @Test
    void shouldEndAtOnceWhenTheIndexCannotBeOpenedAgain() {
        List<FaultyIndex> made = new CopyOnWriteArrayList<>();
        PrefixIndexFactory factory = (model, blockSize) -> {
            if (!made.isEmpty()) {
                throw new AssertionError("the disk is gone");
            }
            made.add(new FaultyIndex());
            return made.getLast();
        };
        try (PipelineBench bench = new PipelineBench(folder, CONFIG, factory).start()) {
            bench.worker(1);
            made.getFirst().failsOnMatch = true;
            assertEquals(Decision.Mode.DEGRADED, bench.route(1, 3).mode);
            await(() -> !bench.fatal.isEmpty());
            assertEquals(Decision.Mode.DEGRADED, bench.route(1, 3).mode);
        }
    }

    @Test
    void shouldGoOnWhenAReplyThrows() {
        try (PipelineBench bench = new PipelineBench(folder, CONFIG, PipelineBench::index).start()) {
            bench.worker(1);
            assertTrue(bench.pipeline.requests().route(PipelineBench.request(1, 1, done -> {
                throw new IllegalStateException("the front's own trouble");
            })));
            assertEquals(Decision.Mode.NORMAL, bench.route(2, 2).mode);
            assertEquals(1, bench.count(Counter.REPLIES_FAILED));
            assertEquals(0, bench.count(Counter.CORE_FAILURES));
        }
    }

    @Test
    void shouldLoseNoWakeUpWhenManyThreadsAskOneByOne() throws InterruptedException {
        try (PipelineBench bench = new PipelineBench(folder, CONFIG, PipelineBench::index).start()) {
            bench.worker(1);
            AtomicInteger answered = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        Decision decision = bench.route(i, 2);
                        bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 1, -1);
                        answered.incrementAndGet();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(8_000, answered.get());
            await(() -> figures(bench, 1).activeRequests() == 0);
        }
    }

    private static int worker(PipelineBench bench, int slot) {
        return figuresOf(bench, slot).workerNumber();
    }

    private static PipelineView.SlotFigures figuresOf(PipelineBench bench, int slot) {
        return bench.pipeline.view().slots().stream()
                .filter(figures -> figures.slot() == slot)
                .findFirst()
                .orElseThrow();
    }

    private static PipelineView.SlotFigures figures(PipelineBench bench, int worker) {
        return bench.pipeline.view().slots().stream()
                .filter(figures -> figures.workerNumber() == worker)
                .findFirst()
                .orElseThrow();
    }
}
