package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.RouterCore;

/**
 * Gives one input to the core, and to the tap before it.
 *
 * <p><b>Threading:</b> owned by the core's thread. <b>Cost:</b> nothing allocated.
 */
final class TappedInputs {
    private final CoreTap tap;
    private final CoreSeq seq;

    TappedInputs(CoreTap tap, CoreSeq seq) {
        this.tap = tap;
        this.seq = seq;
    }

    void request(RequestSlot event, RouterCore core) {
        long now = seq.next();
        core.time(event.timeNs);
        switch (event.kind) {
            case RequestSlot.ROUTE -> route(now, event, core);
            case RequestSlot.FIRST_TOKEN -> {
                tap.firstToken(now, event.timeNs, event.ticket);
                core.firstToken(event.ticket);
            }
            case RequestSlot.PROGRESS -> {
                tap.progress(now, event.timeNs, event.ticket, event.outputTokens);
                core.progress(event.ticket, event.outputTokens);
            }
            case RequestSlot.FINISHED -> {
                tap.finished(now, event.timeNs, event.ticket, event.cachedTokens);
                core.finished(event.ticket, event.cachedTokens);
            }
            case RequestSlot.NOTE -> tap.time(now, event.timeNs, false);
            default -> {
                tap.time(now, event.timeNs, true);
                core.tick();
            }
        }
    }

    private void route(long now, RequestSlot event, RouterCore core) {
        RouteRequest request = event.request;
        core.match(request);
        tap.route(now, event.timeNs, request);
        core.route(request);
        request.decision.seq = now;
        request.decision.waitNs = System.nanoTime() - event.timeNs;
        tap.decided(now, request);
    }

    /** Begins a KV event with blocks; {@link RouterCore#advance} with {@code mostSteps} must follow. */
    void blocks(EventSlot event, int mostSteps, RouterCore core) {
        long now = seq.next();
        if (event.kind == EventSlot.STORED) {
            tap.stored(now, event.timeNs, event.number, event.tier, event.flag, event.first, event.blocks, mostSteps);
            core.stored(event.number, event.tier, event.flag, event.first, event.blocks);
        } else {
            tap.removed(now, event.timeNs, event.number, event.tier, event.blocks, mostSteps);
            core.removed(event.number, event.tier, event.blocks);
        }
    }

    /** Goes on with the KV event in hand; answers the steps used. */
    int goOn(int mostSteps, RouterCore core) {
        tap.advanced(seq.next(), mostSteps);
        return core.advance(mostSteps);
    }

    int sweep(int mostSteps, RouterCore core) {
        int used = core.sweep(mostSteps);
        if (used > 0) {
            tap.swept(seq.next(), mostSteps, used);
        }
        return used;
    }

    void slotEvent(EventSlot event, RouterCore core) {
        long now = seq.next();
        switch (event.kind) {
            case EventSlot.CLEARED -> {
                tap.cleared(now, event.timeNs, event.number);
                core.cleared(event.number);
            }
            case EventSlot.BATCH_END -> {
                tap.batchEnd(now, event.timeNs, event.number, event.first, event.second, event.third);
                core.batchEnd(event.number, event.first, event.second, event.third);
            }
            case EventSlot.PROVEN -> {
                tap.proven(now, event.timeNs, event.number);
                core.proven(event.number);
            }
            case EventSlot.COLD -> {
                tap.cold(now, event.timeNs, event.number);
                core.cold(event.number);
            }
            default -> {
                tap.doubted(now, event.timeNs, event.number);
                core.doubted(event.number);
            }
        }
    }

    void atRest(RouterCore core) {
        tap.atRest(seq.last(), core);
    }

    void started(int life) {
        tap.started(seq.next(), life);
    }

    void ended() {
        tap.ended();
    }

    void failed() {
        tap.failed(seq.next());
    }
}
