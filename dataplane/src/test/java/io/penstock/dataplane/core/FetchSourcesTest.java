package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.BLOCK;
import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.dataplane.pipeline.FetchOffer;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.HintWay;
import io.penstock.index.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who the chosen worker may fetch from: the emission rule of kv.fetch. */
class FetchSourcesTest {
    private static final HintSite TAKES = new HintSite(HintWay.NIXL, "a", null, "agent", "h", 1);

    private final CoreBench bench = new CoreBench();
    private final long[] prompt = locals(1, 20);

    private static HintSite source(String type, int number) {
        return new HintSite(HintWay.NONE, type, "tcp://h:" + number, null, null, 0);
    }

    /** What is offered when the worker gets the prompt; the request is over and forgotten after it. */
    private FetchOffer offeredTo(int worker) {
        RouteRequest request = placedOn(worker);
        bench.core.finished(request.decision.ticket, -1);
        bench.later(10_000);
        return request.decision.fetch;
    }

    private RouteRequest placedOn(int worker) {
        RouteRequest request = request(prompt);
        request.pinnedWorker = worker;
        bench.route(request);
        return request;
    }

    @Test
    void shouldOfferTheLongestPrefixOnDeviceAndHost() {
        int target = bench.worker(1, TAKES);
        int shorter = bench.worker(2, source("a", 2));
        int longer = bench.worker(3, source("a", 3));
        bench.store(target, Tier.DEVICE, prompt, 0, 4);
        bench.store(shorter, Tier.DEVICE, prompt, 0, 9);
        bench.store(longer, Tier.DEVICE, prompt, 0, 6);
        bench.store(longer, Tier.HOST, prompt, 6, 12);
        bench.store(longer, Tier.DISK, prompt, 12, 18);
        FetchOffer offer = offeredTo(1);
        assertEquals(longer, offer.slot);
        assertEquals(12, offer.blocks);
        assertEquals(4, offer.held);
        assertEquals("tcp://h:3", offer.source.hints().source());
        assertEquals(2, offer.indexSlot);
    }

    @Test
    void shouldOfferNothingThatIsNotStrictlyLonger() {
        int target = bench.worker(1, TAKES);
        int equal = bench.worker(2, source("a", 2));
        bench.store(target, Tier.DEVICE, prompt, 0, 4);
        bench.store(target, Tier.HOST, prompt, 4, 8);
        bench.store(equal, Tier.DEVICE, prompt, 0, 8);
        assertFalse(offeredTo(1).there());
        bench.store(equal, Tier.DEVICE, prompt, 8, 9);
        assertEquals(equal, offeredTo(1).slot);
    }

    @Test
    void shouldTakeTheLowerSlotOfEqualSources() {
        bench.worker(1, TAKES);
        int first = bench.worker(2, source("a", 2));
        int second = bench.worker(3, source("a", 3));
        bench.store(second, Tier.DEVICE, prompt, 0, 8);
        bench.store(first, Tier.DEVICE, prompt, 0, 8);
        assertEquals(Math.min(first, second), offeredTo(1).slot);
    }

    @Test
    void shouldOfferNothingToWhomTakesNoHints() {
        bench.worker(1, source("a", 1));
        bench.store(bench.worker(2, source("a", 2)), Tier.DEVICE, prompt, 0, 8);
        assertFalse(offeredTo(1).there());
    }

    @Test
    void shouldPassOverSourcesOfAnotherKindAndWithoutAnEndpoint() {
        bench.worker(1, TAKES);
        bench.store(bench.worker(2, source("b", 2)), Tier.DEVICE, prompt, 0, 12);
        bench.store(bench.worker(3, TAKES), Tier.DEVICE, prompt, 0, 11);
        bench.store(bench.worker(4), Tier.DEVICE, prompt, 0, 10);
        assertFalse(offeredTo(1).there());
        int right = bench.worker(5, source("a", 5));
        bench.store(right, Tier.DEVICE, prompt, 0, 2);
        assertEquals(right, offeredTo(1).slot);
    }

    @Test
    void shouldTakeADrainedSourceButNoIllOneAndNoneThatFailed() {
        bench.worker(1, TAKES);
        int busy = bench.worker(2, source("a", 2));
        bench.store(busy, Tier.DEVICE, prompt, 0, 8);
        bench.core.drain(2);
        assertEquals(busy, offeredTo(1).slot);
        bench.core.setHealthy(2, false);
        assertFalse(offeredTo(1).there());
        bench.core.setHealthy(2, true);
        RouteRequest failed = request(prompt);
        failed.exclude(busy);
        assertFalse(bench.route(failed).fetch.there());
    }

    @Test
    void shouldNotNameASourceWhoseEngineIsInDoubt() {
        bench.worker(1, TAKES);
        int doubted = bench.worker(2, source("a", 2));
        bench.store(doubted, Tier.DEVICE, prompt, 0, 8);
        bench.core.doubted(doubted);
        assertFalse(offeredTo(1).there());
        bench.core.proven(doubted);
        assertEquals(doubted, offeredTo(1).slot);
    }

    @Test
    void shouldCountWhatTheTargetIsAboutToComputeAsHeld() {
        bench.worker(1, TAKES);
        bench.store(bench.worker(2, source("a", 2)), Tier.DEVICE, prompt, 0, 8);
        assertEquals(8, placedOn(1).decision.fetch.blocks);
        assertFalse(placedOn(1).decision.fetch.there(), "the first request brings all 20 blocks there");
    }

    @Test
    void shouldForgetAnOfferWhenARequestIsPlacedAgain() {
        bench.worker(1, TAKES);
        bench.store(bench.worker(2, source("a", 2)), Tier.DEVICE, prompt, 0, 8);
        RouteRequest request = request(prompt);
        request.pinnedWorker = 1;
        assertEquals(1, bench.route(request).fetch.slot);
        request.pinnedWorker = 2;
        assertFalse(bench.route(request).fetch.there());
        request.pinnedWorker = 9;
        assertFalse(bench.route(request).fetch.there());
    }

    @Test
    void shouldLookOnlyAtRanksOfTheSameBlockSize() {
        bench.worker(1, TAKES);
        int[] other = bench.worker(2, 0, BLOCK * 2, true, List.of(), 0);
        bench.store(other[0], Tier.DEVICE, prompt, 0, 8);
        assertFalse(offeredTo(1).there());
    }
}
