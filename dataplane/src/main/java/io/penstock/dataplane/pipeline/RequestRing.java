package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import java.util.function.Supplier;

/**
 * Producers' side of the request ring. While the core is down, requests are answered on the caller's own thread.
 *
 * <p><b>Threading:</b> thread-safe; never blocks.
 */
final class RequestRing implements RequestPort {
    private final RingBuffer<RequestSlot> ring;
    private final Supplier<PipelineView.State> state;
    private final DegradedRouting degraded;
    private final Counting counters;

    RequestRing(
            RingBuffer<RequestSlot> ring,
            Supplier<PipelineView.State> state,
            DegradedRouting degraded,
            Counting counters) {
        this.ring = ring;
        this.state = state;
        this.degraded = degraded;
        this.counters = counters;
    }

    @Override
    public boolean route(RouteRequest request) {
        PipelineView.State now = state.get();
        if (now == PipelineView.State.CLOSED) {
            return false;
        }
        if (now == PipelineView.State.DEGRADED) {
            degraded.route(request);
            counters.increment(Counter.REQUESTS_DEGRADED);
            request.reply.decided(request);
            return true;
        }
        long at = claim(Counter.REQUEST_RING_FULL);
        if (at < 0) {
            return false;
        }
        RequestSlot slot = ring.get(at);
        slot.stamp(RequestSlot.ROUTE);
        slot.request = request;
        ring.publish(at);
        return true;
    }

    @Override
    public boolean firstToken(long ticket) {
        return DegradedRouting.isTicket(ticket) || lifeCycle(RequestSlot.FIRST_TOKEN, ticket, null, -1, -1);
    }

    @Override
    public boolean progress(long ticket, int outputTokens) {
        return DegradedRouting.isTicket(ticket) || lifeCycle(RequestSlot.PROGRESS, ticket, null, outputTokens, -1);
    }

    @Override
    public boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens) {
        if (DegradedRouting.isTicket(ticket)) {
            degraded.finished(DegradedRouting.slotOf(ticket));
            return true;
        }
        if (ticket >= 0 && state.get() == PipelineView.State.DEGRADED) {
            degraded.finished(RouterCore.slotOf(ticket));
            return true;
        }
        return lifeCycle(RequestSlot.FINISHED, ticket, outcome, outputTokens, cachedTokens);
    }

    /** Time goes on though nothing happens. */
    void tick() {
        long at = claim(Counter.TICKS_DROPPED);
        if (at >= 0) {
            ring.get(at).stamp(RequestSlot.TICK);
            ring.publish(at);
        }
    }

    private boolean lifeCycle(int kind, long ticket, Outcome outcome, int outputTokens, int cachedTokens) {
        long at = claim(Counter.LIFECYCLE_RING_FULL);
        if (at < 0) {
            return false;
        }
        RequestSlot slot = ring.get(at);
        slot.stamp(kind);
        slot.ticket = ticket;
        slot.outcome = outcome;
        slot.outputTokens = outputTokens;
        slot.cachedTokens = cachedTokens;
        ring.publish(at);
        return true;
    }

    private long claim(Counter ifFull) {
        try {
            return ring.tryNext();
        } catch (InsufficientCapacityException e) {
            counters.increment(ifFull);
            return -1;
        }
    }
}
