package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.pageKeys;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.routing.SharedPoolCounting;
import io.penstock.index.Tier;
import org.junit.jupiter.api.Test;

/** Prompts of four blocks of four tokens and one token more; the pool gives half a block's credit for each of its. */
class SharedPoolPlacementTest {
    private static final int PROMPT = 1;

    private final CoreBench bench = new CoreBench();
    private final int near = bench.worker(0);
    private final int far = bench.worker(1);

    private static RouteRequest asking(int pageSize) {
        return asking(pageSize, 4);
    }

    private static RouteRequest asking(int pageSize, int blocks) {
        RouteRequest request = CoreBench.request(locals(PROMPT, blocks));
        int pages = blocks * CoreBench.BLOCK / pageSize;
        request.addPages(0, pageSize, pageKeys(PROMPT, pages), pages);
        return request;
    }

    private static int shared(Decision decision, int slot) {
        return decision.candidateShared[candidate(decision, slot)];
    }

    /** Blocks that the pool would give to the worker that holds nothing; the request is over, and forgotten as sent. */
    private int given(int pageSize) {
        Decision decision = bench.route(asking(pageSize));
        bench.core.finished(decision.ticket, -1);
        bench.later(2_001);
        return shared(decision, far);
    }

    private static int candidate(Decision decision, int slot) {
        for (int i = 0; i < decision.candidates; i++) {
            if (decision.candidateSlot[i] == slot) {
                return i;
            }
        }
        throw new AssertionError("no candidate: slot=" + slot);
    }

    @Test
    void shouldCreditOnlyWhatTheWorkerLacksWhenThePoolHasAll() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 4), 0, 2);
        bench.pool(4, PROMPT, 0, 1, 2, 3);
        Decision decision = bench.route(asking(4));
        // 17 tokens are 4.25 blocks, and 4 would be in flight: 4.25 - (2 + 0.5 * 2) + 4 and 4.25 - (0 + 0.5 * 4) + 4.
        assertEquals(near, decision.slot);
        assertEquals(5.25, decision.candidateCost[candidate(decision, near)], 1e-12);
        assertEquals(6.25, decision.candidateCost[candidate(decision, far)], 1e-12);
        assertEquals(2, shared(decision, near));
        assertEquals(4, shared(decision, far));
    }

    @Test
    void shouldExpectPagesOfThePoolToBeReportedAsCached() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 4), 0, 1);
        bench.pool(4, PROMPT, 0, 1, 2);
        // One block of its own and two of the pool, which the engine reports alike.
        assertEquals(12, bench.route(asking(4)).predictedCachedTokens);
        assertEquals(2, bench.count(Counter.POOL_PAGES_PROMISED));
    }

    @Test
    void shouldNotExpectTheLastTokenToBeCachedWhenThePoolHasThePageItIsIn() {
        bench.pool(4, PROMPT, 0, 1, 2, 3);
        RouteRequest request = asking(4);
        request.promptTokens = 16;
        assertEquals(12, bench.route(request).predictedCachedTokens);
        assertEquals(3, bench.count(Counter.POOL_PAGES_PROMISED));
    }

    @Test
    void shouldStopAtTheFirstHoleBehindTheWorkersPrefix() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 4), 0, 2);
        bench.pool(4, PROMPT, 0, 3);
        Decision decision = bench.route(asking(4));
        assertEquals(0, shared(decision, near));
        assertEquals(1, shared(decision, far));
        assertEquals(8, decision.predictedCachedTokens);
    }

    @Test
    void shouldGoOnWhereTheHostTierEnds() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 4), 0, 1);
        bench.store(near, Tier.HOST, locals(PROMPT, 4), 1, 3);
        bench.pool(4, PROMPT, 3);
        Decision decision = bench.route(asking(4));
        assertEquals(1, shared(decision, near));
        assertEquals(0, shared(decision, far));
        assertEquals(16, decision.predictedCachedTokens);
    }

    @Test
    void shouldCountPagesAfterAHoleWhenAskedToCountAll() {
        RoutingConfig d = RoutingConfig.defaults();
        CoreBench all = new CoreBench(
                new RoutingConfig(
                        PolicyKind.KV,
                        1,
                        0,
                        1,
                        0,
                        0.75,
                        0.25,
                        0.5,
                        0,
                        true,
                        BusyThresholds.defaults(),
                        1,
                        0,
                        d.staleTtlSeconds(),
                        SharedPoolCounting.ALL),
                CoreBench.config());
        int holder = all.worker(0);
        int other = all.worker(1);
        all.store(holder, Tier.DEVICE, locals(PROMPT, 4), 0, 1);
        all.pool(4, PROMPT, 0, 1, 3);
        Decision decision = all.route(asking(4));
        assertEquals(2, shared(decision, holder));
        assertEquals(3, shared(decision, other));
        // An engine stops at the hole, however it is counted.
        assertEquals(8, decision.predictedCachedTokens);
    }

    @Test
    void shouldCountWholeBlocksWhenPagesHaveAnotherSize() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 9), 0, 4);
        // Pages of 6 tokens, blocks of 4: the pool holds tokens 12 to 30 and 0 to 6.
        bench.pool(6, PROMPT, 0, 2, 3, 4);
        Decision decision = bench.route(asking(6, 9));
        // From token 16 on, within page 2, to token 30: blocks 4, 5 and 6, of block 7 only half. From 0 to 6: one
        // block.
        assertEquals(3, shared(decision, near));
        assertEquals(1, shared(decision, far));
        assertEquals(28, decision.predictedCachedTokens);
    }

    @Test
    void shouldCreditNothingBeforeTheFirstListingIsComplete() {
        bench.core.pagePools().layout(0, 4, 1);
        bench.objects(PROMPT, true, 0, 1);
        assertEquals(0, given(4));
        bench.core.pagePools().listing(0);
        bench.objects(PROMPT, true, 0, 1);
        assertEquals(0, given(4));
        bench.core.pagePools().listed(0);
        assertEquals(2, given(4));
    }

    @Test
    void shouldCreditNothingInDoubtWhenTheListingWasBegunBefore() {
        bench.pool(4, PROMPT, 0, 1);
        bench.core.pagePools().listing(0);
        bench.core.pagePools().doubted(0);
        bench.core.pagePools().listed(0);
        assertEquals(0, given(4));
        assertEquals(1, bench.count(Counter.POOL_LOOKUPS_BLIND));
        bench.core.pagePools().listing(0);
        bench.objects(PROMPT, true, 1);
        bench.core.pagePools().listed(0);
        // What the listing did not show is gone: page 1 alone begins with a hole.
        assertEquals(0, given(4));
        bench.objects(PROMPT, true, 0);
        assertEquals(2, given(4));
    }

    @Test
    void shouldForgetThePagesWhenTheLayoutBecomesAnother() {
        bench.pool(4, PROMPT, 0, 1);
        bench.core.pagePools().layout(0, 4, 1);
        assertEquals(2, given(4));
        bench.core.pagePools().layout(0, 4, 2);
        assertEquals(0, given(4));
        bench.core.pagePools().layout(0, 4, 0);
        bench.objects(PROMPT, true, 0, 1);
        assertEquals(2, bench.count(Counter.POOL_OBJECTS_WITHOUT_LAYOUT));
        assertEquals(0, given(4));
    }

    @Test
    void shouldNotCreditPagesOfAnotherSizeThanThePools() {
        bench.pool(4, PROMPT, 0, 1);
        assertEquals(0, given(2));
    }

    @Test
    void shouldNotCountPagesAnyMoreThatEnginesMissedTwice() {
        bench.pool(4, PROMPT, 0, 1, 2);
        for (int n = 0; n < 2; n++) {
            Decision decision = bench.route(asking(4));
            assertEquals(12, decision.predictedCachedTokens);
            // The engine found page 0, and pages 1 and 2 not.
            bench.core.finished(decision.ticket, 4);
            bench.later(2_001);
        }
        assertEquals(4, bench.count(Counter.POOL_PAGES_MISSED));
        assertEquals(1, given(4));
        bench.objects(PROMPT, true, 1);
        assertEquals(2, given(4));
    }

    @Test
    void shouldMissNoPagesThatTheEngineNeverCameTo() {
        bench.store(near, Tier.DEVICE, locals(PROMPT, 4), 0, 2);
        bench.pool(4, PROMPT, 2, 3);
        for (int n = 0; n < 2; n++) {
            RouteRequest request = asking(4);
            request.pinnedWorker = 0;
            Decision decision = bench.route(request);
            assertEquals(16, decision.predictedCachedTokens);
            bench.core.finished(decision.ticket, 4);
            bench.later(2_001);
        }
        assertEquals(0, bench.count(Counter.POOL_PAGES_MISSED));
    }

    @Test
    void shouldNotDistrustAWorkerForWhatThePoolDidNotGive() {
        RouteRequest request = asking(4);
        for (int n = 0; n < 20; n++) {
            bench.pool(4, PROMPT, 0, 1, 2, 3);
            Decision decision = bench.route(request);
            bench.core.finished(decision.ticket, 0);
            bench.later(2_001);
        }
        assertEquals(0, bench.count(Counter.OVERLAP_DISTRUSTED));
        assertEquals(80, bench.count(Counter.POOL_PAGES_MISSED));
    }
}
