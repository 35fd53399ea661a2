package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.BLOCK;
import static io.penstock.dataplane.core.CoreBench.fork;
import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.request;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.PipelineView.SlotState;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.index.Tier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the core assumes of workers whose events have not come yet, or never will. */
class AssumedPrefixTest {
    private final CoreBench bench = new CoreBench();

    @Test
    void shouldNotScatterAFanOutOfSubagentsWhenNoEventHasComeYet() {
        for (int i = 0; i < 8; i++) {
            bench.worker(i);
        }
        long[] parent = locals(1, 200);
        Decision first = bench.route(parent);
        int home = first.slot;
        bench.core.firstToken(first.ticket);
        for (int child = 0; child < 16; child++) {
            bench.later(10);
            Decision decision = bench.route(fork(parent, 198, 100 + child, 202));
            assertEquals(home, decision.slot, "child " + child);
            assertEquals(198, decision.candidatePredicted[0]);
            assertEquals(198 * BLOCK, decision.predictedCachedTokens);
        }
    }

    @Test
    void shouldNoLongerAssumeAPrefixWhenItsTimeIsOver() {
        int one = bench.worker(1);
        long[] prompt = locals(1, 50);
        bench.core.finished(bench.route(prompt).ticket, -1);
        bench.later(1_999);
        assertEquals(50, bench.route(prompt).candidatePredicted[0]);
        bench.later(2_001);
        assertEquals(0, bench.route(prompt).candidatePredicted[0]);
        assertEquals(2, bench.count(Counter.PREDICTED_EXPIRED));
        assertEquals(0, one);
    }

    @Test
    void shouldNoLongerAssumeAPrefixWhenEventsHaveConfirmedIt() {
        int one = bench.worker(1);
        long[] prompt = locals(1, 50);
        bench.route(prompt);
        bench.store(one, Tier.DEVICE, prompt, 0, 30);
        assertEquals(20, bench.route(prompt).candidatePredicted[0]);
        bench.store(one, Tier.DEVICE, prompt, 30, 50);
        assertEquals(2, bench.count(Counter.PREDICTED_CONFIRMED));
        bench.remove(one, Tier.DEVICE, prompt, 10, 50);
        Decision decision = bench.route(prompt);
        assertEquals(0, decision.candidatePredicted[0]);
        assertEquals(10 * BLOCK, decision.predictedCachedTokens);
    }

    @Test
    void shouldNoLongerAssumeAPrefixWhenTheEngineDroppedEverything() {
        int one = bench.worker(1);
        bench.route(locals(1, 50));
        bench.core.cleared(one);
        assertEquals(0, bench.route(locals(1, 50)).predictedCachedTokens);
    }

    @Test
    void shouldMergeAssumedPrefixesWithLowerTiers() {
        int one = bench.worker(1);
        long[] prompt = locals(1, 50);
        bench.route(Arrays.copyOf(prompt, 20));
        bench.store(one, Tier.DEVICE, prompt, 0, 10);
        bench.store(one, Tier.HOST, prompt, 10, 40);
        Decision decision = bench.route(prompt);
        assertArrayEquals(new int[] {20, 20, 0, 0}, Arrays.copyOf(decision.candidateBlocks, 4));
        assertEquals(10, decision.candidatePredicted[0]);
    }

    @Test
    void shouldRememberWhatItSentWhenAWorkerHasNoEvents() {
        int blind = bench.worker(1, 0, BLOCK, false, List.of(), 0)[0];
        bench.worker(2);
        assertEquals(SlotState.APPROXIMATE, bench.board().slots().getFirst().state());
        RouteRequest first = request(locals(1, 40));
        first.pinnedWorker = 1;
        bench.core.finished(bench.route(first).ticket, -1);
        bench.later(119_000);
        Decision decision = bench.route(fork(locals(1, 40), 40, 9, 45));
        assertEquals(blind, decision.slot);
        assertEquals(40 * BLOCK, decision.predictedCachedTokens);
        bench.core.finished(decision.ticket, -1);
        bench.later(121_000);
        assertEquals(0, bench.route(locals(1, 40)).predictedCachedTokens);
    }

    @Test
    void shouldRememberWhatItSentWhenNoEventCanNameThePrompt() {
        int one = bench.worker(1);
        bench.worker(2);
        RouteRequest first = request(locals(1, 40));
        first.exact = false;
        first.pinnedWorker = 1;
        bench.core.finished(bench.route(first).ticket, -1);
        bench.later(119_000);
        RouteRequest next = request(fork(locals(1, 40), 40, 9, 45));
        next.exact = false;
        assertEquals(one, bench.route(next).slot);
        // What is only an estimate says nothing about the index.
        for (int i = 0; i < 40; i++) {
            RouteRequest again = request(locals(1, 40));
            again.exact = false;
            bench.core.finished(bench.route(again).ticket, 0);
        }
        assertEquals(1, bench.board().slots().get(one).trust());
        assertEquals(0, bench.board().slots().get(one).predictedTokens());
    }

    @Test
    void shouldForgetTheOldestPromptsWhenThereIsNoRoomForMore() {
        bench.worker(1, 0, BLOCK, false, List.of(), 0);
        for (int i = 0; i < 200; i++) {
            bench.core.finished(bench.route(locals(1_000 + i, 900)).ticket, -1);
        }
        assertEquals(0, bench.count(Counter.PATHS_UNTRACKED));
        assertEquals(0, bench.route(locals(1_000, 900)).predictedCachedTokens);
        assertEquals(900 * BLOCK, bench.route(locals(1_199, 900)).predictedCachedTokens);
    }
}
