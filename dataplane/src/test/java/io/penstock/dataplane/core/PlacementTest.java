package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.BLOCK;
import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.request;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.Decision.Status;
import io.penstock.dataplane.pipeline.PipelineView.SlotState;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.Tier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private final CoreBench bench = new CoreBench();

    @Test
    void shouldGoWhereThePrefixLiesAndSayWhy() {
        int one = bench.worker(1);
        int two = bench.worker(2);
        int three = bench.worker(3);
        long[] prompt = locals(1, 20);
        bench.store(two, Tier.DEVICE, prompt, 0, 12);
        bench.store(three, Tier.DEVICE, prompt, 0, 8);
        bench.store(three, Tier.HOST, prompt, 8, 10);
        Decision decision = bench.route(prompt);
        assertEquals(Status.ROUTED, decision.status);
        assertEquals(Decision.Mode.NORMAL, decision.mode);
        assertEquals(two, decision.slot);
        assertEquals("w2", decision.endpoint.worker());
        assertEquals(two, decision.endpoint.slot());
        assertEquals(BLOCK, decision.blockSize);
        assertEquals(12 * BLOCK, decision.predictedCachedTokens);
        assertEquals(3, decision.candidates);
        assertArrayEquals(new int[] {two, three, one}, Arrays.copyOf(decision.candidateSlot, 3));
        assertArrayEquals(new int[] {12, 0, 0, 0, 8, 2, 0, 0, 0, 0, 0, 0}, Arrays.copyOf(decision.candidateBlocks, 12));
        // 81 tokens are 20.25 blocks of 4; 20 are active.
        assertEquals(20.25 - 12 + 20, decision.candidateCost[0], 1e-12);
        assertEquals(20.25 - 8 - 1.5 + 20, decision.candidateCost[1], 1e-12);
        assertEquals(20.25 + 20, decision.candidateCost[2], 1e-12);
    }

    @Test
    void shouldNeverPredictTheLastTokenAsCached() {
        int one = bench.worker(1);
        long[] prompt = locals(1, 10);
        bench.store(one, Tier.DEVICE, prompt, 0, 10);
        RouteRequest whole = request(prompt);
        whole.promptTokens = 10 * BLOCK;
        assertEquals(9 * BLOCK, bench.route(whole).predictedCachedTokens);
        assertEquals(10 * BLOCK, bench.route(request(prompt)).predictedCachedTokens);
    }

    @Test
    void shouldNameTheReasonWhenNobodyCanTakeIt() {
        assertEquals(Status.NO_WORKER, bench.route(locals(1, 3)).status);
        int slot = bench.worker(1);
        assertEquals(Status.ROUTED, bench.route(locals(1, 3)).status);
        RouteRequest other = request(locals(1, 3));
        other.model = 5;
        assertEquals(Status.NO_WORKER, bench.route(other).status);
        RouteRequest failed = request(locals(1, 3));
        failed.exclude(slot);
        assertEquals(Status.NONE_ELIGIBLE, bench.route(failed).status);
        assertNull(failed.decision.endpoint);
        assertEquals(-1, failed.decision.ticket);
        bench.core.setHealthy(1, false);
        assertEquals(Status.NONE_ELIGIBLE, bench.route(locals(1, 3)).status);
        assertEquals(SlotState.UNHEALTHY, bench.board().slots().getFirst().state());
        bench.core.setHealthy(1, true);
        bench.core.setBusyThresholds(0, new BusyThresholds(-1, 0, -1));
        assertEquals(Status.ALL_BUSY, bench.route(locals(1, 3)).status);
        bench.core.setBusyThresholds(0, BusyThresholds.defaults());
        bench.core.drain(1);
        assertEquals(Status.NONE_ELIGIBLE, bench.route(locals(1, 3)).status);
        assertEquals(SlotState.DRAINING, bench.board().slots().getFirst().state());
        bench.core.remove(1);
        assertEquals(Status.NO_WORKER, bench.route(locals(1, 3)).status);
        assertEquals(3, bench.count(Counter.REQUESTS_NO_WORKER));
        assertEquals(3, bench.count(Counter.REQUESTS_NONE_ELIGIBLE));
        assertEquals(1, bench.count(Counter.REQUESTS_ALL_BUSY));
    }

    @Test
    void shouldKeepToThePinWhateverItCosts() {
        int[] ranks = bench.worker(1, 0, BLOCK, 2, true, List.of(), 0);
        int other = bench.worker(2);
        long[] prompt = locals(1, 10);
        bench.store(other, Tier.DEVICE, prompt, 0, 10);
        RouteRequest pinned = request(prompt);
        pinned.pinnedWorker = 1;
        pinned.pinnedRank = 1;
        assertEquals(ranks[1], bench.route(pinned).slot);
        assertEquals(1, pinned.decision.endpoint.dpRank());
        assertEquals(1, pinned.decision.candidates);
        pinned.pinnedRank = 2;
        assertEquals(Status.PINNED_UNAVAILABLE, bench.route(pinned).status);
        pinned.pinnedRank = RouteRequest.NONE;
        pinned.pinnedWorker = 7;
        assertEquals(Status.PINNED_UNAVAILABLE, bench.route(pinned).status);
        pinned.pinnedWorker = 1;
        bench.core.setBusyThresholds(0, new BusyThresholds(-1, 0, -1));
        bench.route(request(prompt));
        bench.core.setHealthy(1, false);
        assertEquals(Status.PINNED_UNAVAILABLE, bench.route(pinned).status);
        bench.core.setHealthy(1, true);
        pinned.pinnedRank = 1;
        assertEquals(Status.PINNED_UNAVAILABLE, bench.route(pinned).status, "busy, and never re-routed");
    }

    @Test
    void shouldOnlyTakeWorkersWithTheAdapterAndTheTaints() {
        int plain = bench.worker(1);
        int tainted = bench.worker(2, 0, BLOCK, true, List.of(), 0b110)[0];
        int lora = bench.worker(3, 0, BLOCK, true, List.of(2, 130), 0b010)[0];
        RouteRequest request = request(locals(1, 3));
        request.adapter = 130;
        assertEquals(lora, bench.route(request).slot);
        request.adapter = 66;
        assertEquals(Status.NONE_ELIGIBLE, bench.route(request).status);
        request.adapter = RouteRequest.NONE;
        request.requiredTaints = 0b110;
        assertEquals(tainted, bench.route(request).slot);
        request.requiredTaints = 0;
        request.preferredTaints = 0b010;
        request.preferredWeights = new double[] {0, 2};
        assertTrue(List.of(tainted, lora).contains(bench.route(request).slot));
        request.preferredWeights = new double[] {0, -2};
        assertEquals(plain, bench.route(request).slot);
    }

    @Test
    void shouldTakeTheRequestsOwnPolicyWhenItNamesOne() {
        bench.worker(1);
        int two = bench.worker(2);
        bench.store(two, Tier.DEVICE, locals(1, 9), 0, 9);
        boolean[] seen = new boolean[2];
        for (int i = 0; i < 2; i++) {
            RouteRequest request = request(locals(1, 9));
            request.policy = PolicyKind.ROUND_ROBIN;
            seen[bench.route(request).slot] = true;
        }
        assertArrayEquals(new boolean[] {true, true}, seen);
    }

    @Test
    void shouldRouteByLoadWhenThereAreNoHashesOrTooMany() {
        int one = bench.worker(1);
        int two = bench.worker(2);
        bench.store(one, Tier.DEVICE, locals(1, 50), 0, 50);
        RouteRequest busy = request(locals(1, 50));
        assertEquals(one, bench.route(busy).slot);
        RouteRequest text = new RouteRequest(answered -> {});
        text.promptTokens = 100;
        assertEquals(two, bench.route(text).slot);
        assertEquals(25, bench.board().slots().get(two).decodeBlocks());
        assertEquals(1, bench.count(Counter.REQUESTS_UNHASHED));
        RouteRequest endless = request(locals(1, 1_001));
        assertEquals(Status.ROUTED, bench.route(endless).status);
        assertEquals(0, endless.decision.predictedCachedTokens);
        assertEquals(1, bench.count(Counter.REQUESTS_TOO_LONG));
    }

    @Test
    void shouldAskEachPoolInItsOwnBlockSize() {
        int small = bench.worker(1);
        int large = bench.worker(2, 0, 8, true, List.of(), 0)[0];
        long[] eights = locals(5, 4);
        bench.store(large, Tier.DEVICE, eights, 0, 4);
        RouteRequest request = request(locals(1, 8));
        request.addHashing(8, CoreBench.chain(eights), 4);
        assertEquals(large, bench.route(request).slot);
        assertEquals(32, request.decision.predictedCachedTokens);
        assertEquals(8, request.decision.blockSize);
        assertTrue(small != large);
    }

    @Test
    void shouldScoreNothingWhileTheEngineIsDoubted() {
        int slot = bench.worker(1);
        long[] prompt = locals(1, 10);
        bench.store(slot, Tier.DEVICE, prompt, 0, 10);
        assertEquals(10 * BLOCK, bench.route(prompt).predictedCachedTokens);
        bench.core.doubted(slot);
        assertEquals(0, bench.route(prompt).candidateBlocks[0]);
        assertEquals(SlotState.UNPROVEN, bench.board().slots().getFirst().state());
        assertEquals(1, bench.count(Counter.SLOTS_DOUBTED));
        bench.core.proven(slot);
        assertEquals(10, bench.route(prompt).candidateBlocks[0]);
        bench.core.doubted(slot);
        bench.core.cold(slot);
        assertEquals(1, bench.count(Counter.SLOTS_COLD));
        bench.core.cold(slot);
        assertEquals(1, bench.count(Counter.SLOTS_COLD));
        assertEquals(0, bench.route(prompt).candidateBlocks[0]);
        assertEquals(SlotState.PROVEN, bench.board().slots().getFirst().state());
    }

    @Test
    void shouldScoreNothingUntilTheEngineIsProven() {
        int one = bench.worker(1);
        long[] prompt = locals(1, 20);
        bench.store(one, Tier.DEVICE, prompt, 0, 20);
        bench.core.batchEnd(one, 41, 5, 6);
        CoreBench after = restarted(RoutingConfig.defaults());
        assertEquals(41, after.slots.get(1).getFirst().sequence());
        assertEquals(20, after.slots.get(1).getFirst().heldBlocks());
        assertEquals(SlotState.UNPROVEN, after.board().slots().getFirst().state());
        assertEquals(0, after.route(locals(1, 20)).predictedCachedTokens);
        after.later(3_000);
        after.core.proven(0);
        assertEquals(20 * BLOCK, after.route(prompt).predictedCachedTokens);
    }

    @Test
    void shouldForgetWhenTheEngineIsAnother() {
        int one = bench.worker(1);
        bench.store(one, Tier.DEVICE, locals(1, 20), 0, 20);
        CoreBench after = restarted(RoutingConfig.defaults());
        after.core.cold(0);
        assertEquals(0, after.route(locals(1, 20)).predictedCachedTokens);
        after.store(0, Tier.DEVICE, locals(2, 20), 0, 20);
        assertEquals(20 * BLOCK, after.route(locals(2, 20)).predictedCachedTokens);
    }

    @Test
    void shouldCreditTheUnprovenForAWhileWhenSetSo() {
        int one = bench.worker(1);
        bench.store(one, Tier.DEVICE, locals(1, 20), 0, 20);
        RoutingConfig d = RoutingConfig.defaults();
        CoreBench after = restarted(
                new RoutingConfig(PolicyKind.KV, 1, 0, 1, 0, 0.75, 0.25, 0, 0, true, d.busy(), 1, 0.5, 30, null));
        Decision decision = after.route(locals(1, 20));
        assertEquals(20.25 - 0.5 * 20 + 20, decision.candidateCost[0], 1e-12);
        after.core.finished(decision.ticket, -1);
        after.later(30_000);
        assertEquals(20.25 + 20, after.route(locals(1, 20)).candidateCost[0], 1e-12);
    }

    @Test
    void shouldTrustAWorkerLessWhenItsEngineReportsLessThanPredicted() {
        int one = bench.worker(1);
        int two = bench.worker(2);
        long[] prompt = locals(1, 20);
        bench.store(one, Tier.DEVICE, prompt, 0, 20);
        for (int i = 0; i < 40; i++) {
            RouteRequest pinned = request(prompt);
            pinned.pinnedWorker = 1;
            bench.core.finished(bench.route(pinned).ticket, 0);
        }
        var figures = bench.board().slots().get(one);
        assertEquals(40 * 80, figures.predictedTokens());
        assertEquals(0, figures.actualTokens());
        assertTrue(figures.predictionError() > 0.95);
        assertTrue(figures.trust() < 0.05);
        assertEquals(1, bench.count(Counter.OVERLAP_DISTRUSTED));
        // Its own slot costs what an empty one does, all but a little.
        RouteRequest free = request(prompt);
        bench.route(free);
        assertTrue(free.decision.candidateCost[1] - free.decision.candidateCost[0] < 1);
        for (int i = 0; i < 10; i++) {
            RouteRequest pinned = request(prompt);
            pinned.pinnedWorker = 1;
            bench.core.finished(bench.route(pinned).ticket, 80);
        }
        assertEquals(1, bench.board().slots().get(one).trust());
        assertEquals(1, bench.board().slots().get(two).trust());
    }

    @Test
    void shouldKeepTheChosenOneAmongTheCandidatesOfALargeFleet() {
        for (int i = 0; i < 40; i++) {
            bench.worker(i);
        }
        for (int i = 0; i < 60; i++) {
            RouteRequest request = request(locals(i, 5));
            request.policy = PolicyKind.ROUND_ROBIN;
            Decision decision = bench.route(request);
            assertEquals(16, decision.candidates);
            assertEquals(decision.slot, decision.candidateSlot[0]);
        }
        RouteRequest hot = request(locals(1, 5));
        hot.temperature = 1_000;
        boolean[] seen = new boolean[40];
        for (int i = 0; i < 400; i++) {
            Decision decision = bench.route(hot);
            seen[decision.slot] = true;
            assertTrue(Arrays.stream(decision.candidateSlot).anyMatch(slot -> slot == decision.slot));
        }
        for (boolean one : seen) {
            assertTrue(one);
        }
    }

    /** A core made after this one went down, with the same indexes and worker 1. */
    private CoreBench restarted(RoutingConfig routing) {
        CoreBench after = new CoreBench(routing, CoreBench.config());
        after.indexes.putAll(bench.indexes);
        after.worker(1);
        return after;
    }
}
