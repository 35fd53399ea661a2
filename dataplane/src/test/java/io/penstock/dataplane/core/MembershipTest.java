package io.penstock.dataplane.core;

import static io.penstock.dataplane.core.CoreBench.BLOCK;
import static io.penstock.dataplane.core.CoreBench.locals;
import static io.penstock.dataplane.core.CoreBench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private final CoreBench bench = new CoreBench();

    @Test
    void shouldKeepSlotsAndBlocksWhenAWorkerIsToldAgain() {
        int[] ranks = bench.worker(1, 0, BLOCK, 3, true, List.of(), 0);
        assertEquals(3, ranks.length);
        bench.store(ranks[2], Tier.DEVICE, locals(1, 9), 0, 9);
        bench.core.drain(1);
        assertEquals(
                List.of(ranks[0], ranks[1], ranks[2]),
                java.util.Arrays.stream(bench.worker(1, 0, BLOCK, 3, true, List.of(4), 1))
                        .boxed()
                        .toList());
        RouteRequest request = request(locals(1, 9));
        request.adapter = 4;
        assertEquals(ranks[2], bench.route(request).slot);
    }

    @Test
    void shouldBeginAnewWhenAWorkerComesBackInAnotherShape() {
        int before = bench.worker(1);
        bench.store(before, Tier.DEVICE, locals(1, 9), 0, 9);
        int[] after = bench.worker(1, 0, BLOCK, 2, true, List.of(), 0);
        assertEquals(2, after.length);
        assertNotEquals(before, after[0]);
        assertEquals(0, bench.route(locals(1, 9)).predictedCachedTokens);
    }

    @Test
    void shouldNotGiveASlotAgainWhileItsRequestsOrEventsMayCome() {
        int first = bench.worker(1);
        Decision old = bench.route(locals(1, 9));
        bench.core.remove(1);
        bench.later(61_000);
        int second = bench.worker(2);
        assertNotEquals(first, second, "a request is still there");
        bench.core.finished(old.ticket, -1);
        assertEquals(0, bench.count(Counter.TICKETS_STALE));
        int third = bench.worker(3);
        assertEquals(first, third);
        bench.core.remove(3);
        assertNotEquals(first, bench.worker(4), "late events may still come");
        bench.store(first, Tier.DEVICE, locals(1, 9), 0, 9);
        assertEquals(1, bench.count(Counter.EVENTS_UNKNOWN_SLOT));
    }

    @Test
    void shouldRefuseAWorkerWhenItsIndexCannotBeOpened() {
        CoreBench other = new CoreBench();
        RouterCore core = new RouterCore(
                CoreBench.config(),
                RoutingConfig.defaults(),
                (model, blockSize) -> {
                    throw new IllegalArgumentException("file is for another block size: blockSize=16");
                },
                other.counting,
                0);
        core.time(1);
        core.addWorker(CoreBench.addition(1, 0, BLOCK, 1, true, List.of(), 0, other), null);
        assertEquals(List.of("index cannot be opened: file is for another block size: blockSize=16"), other.refusals);
        assertEquals(1, other.count(Counter.WORKERS_REFUSED));
    }

    @Test
    void shouldTakeBackAllRanksWhenTheLastFindsNoSlot() {
        bench.worker(1, 0, BLOCK, 60, true, List.of(), 0);
        assertEquals(0, bench.worker(2, 0, BLOCK, 8, true, List.of(), 0).length);
        assertEquals(List.of("no slot left: maxSlots=64"), bench.refusals);
        assertEquals(60, bench.board().slots().size());
    }

    @Test
    void shouldCountAndAskForAReplayWhenAParentIsUnknown() {
        int one = bench.worker(1);
        bench.store(one, Tier.DEVICE, locals(1, 9), 5, 9);
        bench.store(one, Tier.DEVICE, locals(1, 9), 6, 9);
        assertEquals(2, bench.count(Counter.STORED_UNKNOWN_PARENT));
        assertEquals(List.of(one), bench.replays);
        bench.later(1_000);
        bench.store(one, Tier.DEVICE, locals(1, 9), 6, 9);
        assertEquals(List.of(one, one), bench.replays);
    }

    @Test
    void shouldCountEventsThatMakeNoSense() {
        int one = bench.worker(1);
        BlockBuffer buffer = bench.buffers.acquire(4);
        buffer.count = 4;
        bench.core.stored(one, 9, true, 0, buffer);
        bench.core.stored(one, -1, true, 0, buffer);
        bench.core.stored(-1, 0, true, 0, buffer);
        bench.core.removed(4_000, 0, buffer);
        bench.core.cleared(99);
        bench.core.proven(-7);
        bench.core.cold(64);
        bench.core.batchEnd(1, 2, 3, 4);
        buffer.count = 1_000;
        bench.core.removed(one, 0, buffer);
        assertEquals(3, bench.count(Counter.EVENTS_INVALID));
        assertEquals(6, bench.count(Counter.EVENTS_UNKNOWN_SLOT));
        assertTrue(!bench.core.isPending());
        bench.core.drain(5);
        bench.core.remove(5);
        bench.core.setHealthy(5, true);
        assertEquals(3, bench.count(Counter.WORKERS_UNKNOWN));
        bench.remove(one, Tier.DEVICE, locals(3, 5), 0, 5);
        assertEquals(5, bench.count(Counter.BLOCKS_REMOVED_UNKNOWN));
    }
}
