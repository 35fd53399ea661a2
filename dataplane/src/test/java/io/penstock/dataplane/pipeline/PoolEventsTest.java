package io.penstock.dataplane.pipeline;

import static io.penstock.dataplane.pipeline.PipelineBench.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pool.PoolObjects;
import io.penstock.dataplane.pool.PoolPort;
import io.penstock.index.PrefixIndex;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.reference.ReferencePageIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a shared pool, through the rings of a running pipeline; a page is a block. */
class PoolEventsTest {
    private static final PipelineConfig CONFIG = new PipelineConfig(256, 256, 256, WaitMode.BLOCKING, 64, 10);
    private static final int POOL = 3;

    @TempDir
    Path folder;

    private final List<FaultyIndex> indexes = new CopyOnWriteArrayList<>();
    private final AtomicInteger reopened = new AtomicInteger();
    private final AtomicBoolean refusing = new AtomicBoolean();
    private final List<Integer> missed = new CopyOnWriteArrayList<>();

    private PipelineBench bench() {
        return made().start();
    }

    private PipelineBench made() {
        PipelineBench bench = new PipelineBench(folder, CONFIG, new PrefixIndexFactory() {
            @Override
            public PrefixIndex open(int model, int blockSize) {
                indexes.add(new FaultyIndex());
                return indexes.getLast();
            }

            @Override
            public PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
                if (refusing.get()) {
                    throw new IllegalStateException("no room on the disk");
                }
                return new ReferencePageIndex(100_000, objectsPerPage, 0);
            }
        });
        bench.pipeline.addConsumer("missed", (record, sequence, end) -> {
            for (int i = 0; i < record.missed.pages; i++) {
                missed.add((int) record.missed.keys[(record.missed.from + i) * PageIndex.KEY_WORDS]);
            }
        });
        bench.pipeline.onReopened(reopened::incrementAndGet);
        return bench;
    }

    private static long[] keys(int pages) {
        long[] keys = new long[pages * PageIndex.KEY_WORDS];
        for (int page = 0; page < pages; page++) {
            keys[page * PageIndex.KEY_WORDS] = page;
        }
        return keys;
    }

    private static void tell(PipelineBench bench, int pages) {
        PoolPort port = bench.pipeline.pools();
        BlockBuffer buffer = port.acquire(pages);
        for (int page = 0; page < pages; page++) {
            PoolObjects.add(buffer, keys(pages), page * PageIndex.KEY_WORDS, 0);
        }
        assertTrue(port.listing(POOL) && port.seen(POOL, buffer) && port.listed(POOL));
    }

    private static Decision route(PipelineBench bench, long stem, int pages) {
        CountDownLatch answered = new CountDownLatch(1);
        RouteRequest request = PipelineBench.request(stem, pages, done -> answered.countDown());
        request.addPages(POOL, PipelineBench.BLOCK, keys(pages), pages);
        assertTrue(bench.pipeline.requests().route(request));
        try {
            assertTrue(answered.await(20, TimeUnit.SECONDS), "no answer");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return request.decision;
    }

    @Test
    void shouldCreditAListingOfMorePagesThanASlice() {
        try (PipelineBench bench = bench()) {
            bench.worker(1);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 1_000);
            await(() -> bench.count(Counter.POOLS_LISTED) == 1);
            assertEquals(1_000, bench.count(Counter.POOL_OBJECTS_SEEN));
            Decision decision = route(bench, 1, 600);
            assertEquals(600, decision.candidateShared[0]);
            assertEquals(600 * PipelineBench.BLOCK, decision.predictedCachedTokens);
            await(() -> bench.pipeline.view().pools().stream().anyMatch(PipelineView.PoolFigures::counts));
        }
    }

    @Test
    void shouldTellConsumersOfPagesThatTheEngineDidNotGet() {
        try (PipelineBench bench = bench()) {
            bench.worker(1);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 5);
            await(() -> bench.count(Counter.POOLS_LISTED) == 1);
            Decision decision = route(bench, 1, 5);
            assertTrue(
                    bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 1, 2 * PipelineBench.BLOCK));
            await(() -> missed.size() == 3);
            assertEquals(List.of(2, 3, 4), missed);
        }
    }

    @Test
    void shouldKnowTheLayoutButCountNothingUntilListedWhenTheCoreHadToBeMadeAnew() {
        try (PipelineBench bench = bench()) {
            bench.worker(1);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 5);
            await(() -> bench.count(Counter.POOLS_LISTED) == 1);
            indexes.getFirst().failsOnMatch = true;
            assertEquals(Decision.Mode.DEGRADED, route(bench, 1, 5).mode);
            await(() -> bench.pipeline.view().state() == PipelineView.State.NORMAL);
            assertEquals(1, reopened.get());
            assertEquals(0, route(bench, 2, 5).candidateShared[0]);
            tell(bench, 5);
            await(() -> bench.count(Counter.POOLS_LISTED) == 2);
            assertEquals(5, route(bench, 3, 5).candidateShared[0]);
        }
    }

    @Test
    void shouldOpenThePagesWhenTheLayoutIsToldAgainAfterTheyCouldNotBe() {
        try (PipelineBench bench = bench()) {
            bench.worker(1);
            refusing.set(true);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            await(() -> bench.count(Counter.POOLS_UNOPENED) == 1);
            refusing.set(false);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 5);
            await(() -> bench.count(Counter.POOLS_LISTED) == 1);
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 5);
            await(() -> bench.count(Counter.POOLS_LISTED) == 2);
            assertEquals(5, bench.count(Counter.POOL_OBJECTS_CONFIRMED), "told once more, it is the same");
            assertEquals(5, route(bench, 1, 5).candidateShared[0]);
        }
    }

    @Test
    void shouldLoseNothingThatIsToldBeforeTheStart() {
        try (PipelineBench bench = made()) {
            assertTrue(bench.pipeline.pools().layout(POOL, PipelineBench.BLOCK, 1));
            tell(bench, 5);
            bench.start();
            await(() -> bench.count(Counter.POOLS_LISTED) == 1);
            bench.worker(1);
            assertEquals(5, route(bench, 1, 5).candidateShared[0]);
        }
    }

    @Test
    void shouldRefuseWhatIsToldWhenTheRingIsFull() {
        PipelineConfig small = new PipelineConfig(4, 4, 4, WaitMode.BLOCKING, 2_048, 10_000);
        FaultyIndex index = new FaultyIndex();
        try (PipelineBench bench = new PipelineBench(folder, small, (model, blockSize) -> index).start()) {
            bench.worker(1);
            CountDownLatch gate = new CountDownLatch(1);
            index.gate = gate;
            assertTrue(bench.pipeline.requests().route(PipelineBench.request(1, 1, done -> {})));
            int taken = 0;
            while (bench.pipeline.pools().doubted(POOL)) {
                taken++;
            }
            assertTrue(taken <= 4, "taken: " + taken);
            assertFalse(bench.pipeline.pools().listing(POOL));
            assertTrue(bench.count(Counter.EVENT_RING_FULL) >= 2);
            index.gate = null;
            gate.countDown();
            int told = taken;
            // Without a layout what is told is counted and dropped.
            await(() -> bench.count(Counter.POOL_EVENTS_WITHOUT_LAYOUT) == told);
        }
    }
}
