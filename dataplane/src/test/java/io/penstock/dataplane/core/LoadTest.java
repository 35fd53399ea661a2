package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.BLOCK;
import static io.penstock.dataplane.core.CoreBench.fork;
import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LoadTest {
    private final CoreBench bench = new CoreBench();

    @Test
    void shouldCountPrefillUntilTheFirstTokenAndBlocksUntilTheEnd() {
        int one = bench.worker(1);
        bench.store(one, Tier.DEVICE, locals(1, 10), 0, 6);
        Decision decision = bench.route(locals(1, 10));
        assertFigures(1, 41 - 24, 10);
        bench.core.firstToken(decision.ticket);
        assertFigures(1, 0, 10);
        // The prompt's last token is alone in its block: three more fill it.
        bench.core.progress(decision.ticket, 2);
        assertFigures(1, 0, 10);
        bench.core.progress(decision.ticket, 3);
        assertFigures(1, 0, 11);
        bench.core.progress(decision.ticket, 11);
        assertFigures(1, 0, 13);
        bench.core.progress(decision.ticket, 5);
        assertFigures(1, 0, 13);
        bench.core.finished(decision.ticket, -1);
        assertFigures(0, 0, 0);
    }

    @Test
    void shouldIgnoreAndCountOldTickets() {
        bench.worker(1);
        Decision decision = bench.route(locals(1, 10));
        bench.core.finished(decision.ticket, -1);
        bench.core.finished(decision.ticket, -1);
        bench.core.firstToken(decision.ticket);
        bench.core.progress(decision.ticket, 3);
        bench.core.finished(-1, -1);
        bench.core.finished(Long.MAX_VALUE, -1);
        assertEquals(5, bench.count(Counter.TICKETS_STALE));
        assertFigures(0, 0, 0);
    }

    @Test
    void shouldEndARequestWhenNothingIsHeardOfIt() {
        bench.worker(1);
        bench.route(locals(1, 10));
        Decision alive = bench.route(locals(2, 10));
        bench.later(200_000);
        bench.core.progress(alive.ticket, 1);
        bench.later(129_000);
        bench.core.tick();
        assertEquals(1, bench.count(Counter.REQUESTS_EXPIRED));
        assertEquals(1, bench.board().slots().getFirst().activeRequests());
        bench.core.finished(alive.ticket, -1);
        assertFigures(0, 0, 0);
    }

    @Test
    void shouldRouteOnWhenTheTableIsFull() {
        bench.worker(1);
        for (int i = 0; i < 256; i++) {
            bench.route(locals(i, 1));
        }
        Decision decision = bench.route(locals(999, 1));
        assertEquals(Decision.Status.ROUTED, decision.status);
        assertEquals(-1, decision.ticket);
        assertEquals(1, bench.count(Counter.REQUESTS_UNTRACKED));
    }

    private record Flight(Decision decision, long[] locals, int promptTokens, boolean[] prefilled, int[] output) {}

    @RepeatedTest(10)
    void shouldEqualAPlainModelWhenRequestsComeAndGo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int worker = 0; worker < 4; worker++) {
            bench.worker(worker);
        }
        List<Flight> flights = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            bench.later(random.nextInt(40));
            int what = random.nextInt(10);
            if (what < 4 && flights.size() < 100) {
                long[] stem = locals(random.nextInt(3), 40);
                int shared = random.nextInt(40);
                long[] prompt = fork(stem, shared, 100 + random.nextInt(4), shared + 1 + random.nextInt(20));
                RouteRequest request = request(prompt);
                request.promptTokens += random.nextInt(3);
                Decision decision = bench.route(request);
                flights.add(new Flight(decision, prompt, request.promptTokens, new boolean[1], new int[1]));
            } else if (!flights.isEmpty()) {
                int which = random.nextInt(flights.size());
                Flight flight = flights.get(which);
                if (what < 6) {
                    bench.core.firstToken(flight.decision.ticket);
                    flight.prefilled[0] = true;
                } else if (what < 8) {
                    flight.output[0] += random.nextInt(30);
                    bench.core.progress(flight.decision.ticket, flight.output[0]);
                } else {
                    bench.core.finished(flight.decision.ticket, -1);
                    flights.remove(which);
                }
            }
            if (step % 20 == 0) {
                assertModel(flights, seed);
            }
        }
        assertEquals(0, bench.count(Counter.TICKETS_STALE));
    }

    private void assertModel(List<Flight> flights, long seed) {
        for (SlotFigures figures : bench.board().slots()) {
            Set<Long> blocks = new HashSet<>();
            int requests = 0;
            long prefill = 0;
            long output = 0;
            for (Flight flight : flights) {
                if (flight.decision.slot == figures.slot()) {
                    requests++;
                    for (long hash : CoreBench.chain(flight.locals)) {
                        blocks.add(hash);
                    }
                    output += (flight.promptTokens % BLOCK + flight.output[0]) / BLOCK;
                    int cached = flight.decision.candidateBlocks[0] * BLOCK;
                    prefill += flight.prefilled[0] ? 0 : flight.promptTokens - cached;
                }
            }
            assertEquals(requests, figures.activeRequests(), "seed " + seed);
            assertEquals(prefill, figures.prefillTokens(), "seed " + seed);
            assertEquals(blocks.size() + output, figures.decodeBlocks(), "seed " + seed);
        }
    }

    private void assertFigures(int requests, long prefill, long blocks) {
        SlotFigures figures = bench.board().slots().getFirst();
        assertEquals(requests, figures.activeRequests());
        assertEquals(prefill, figures.prefillTokens());
        assertEquals(blocks, figures.decodeBlocks());
    }
}
