package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.journal.TraceRecord;
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
        return DegradedRouting.isTicket(ticket) || lifeCycle(RequestSlot.FIRST_TOKEN, ticket, null, -1, -1, null);
    }

    @Override
    public boolean progress(long ticket, int outputTokens) {
        return DegradedRouting.isTicket(ticket)
                || lifeCycle(RequestSlot.PROGRESS, ticket, null, outputTokens, -1, null);
    }

    @Override
    public boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        if (DegradedRouting.isTicket(ticket)) {
            degraded.finished(DegradedRouting.slotOf(ticket));
            return untold(trace);
        }
        if (ticket >= 0 && state.get() == PipelineView.State.DEGRADED) {
            degraded.finished(RouterCore.slotOf(ticket));
            return untold(trace);
        }
        return lifeCycle(RequestSlot.FINISHED, ticket, outcome, outputTokens, cachedTokens, trace);
    }

    @Override
    public boolean note(TraceRecord trace) {
        return state.get() == PipelineView.State.DEGRADED
                ? untold(trace)
                : lifeCycle(RequestSlot.NOTE, -1, null, -1, -1, trace);
    }

    /** Without a core nobody is told. */
    private boolean untold(TraceRecord trace) {
        if (trace != null) {
            counters.increment(Counter.TRACES_DROPPED);
        }
        return true;
    }

    /** Time goes on though nothing happens. */
    void tick() {
        long at = claim(Counter.TICKS_DROPPED);
        if (at >= 0) {
            ring.get(at).stamp(RequestSlot.TICK);
            ring.publish(at);
        }
    }

    private boolean lifeCycle(
            int kind, long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
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
        slot.trace = trace;
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
