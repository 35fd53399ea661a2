package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.SlotBoard;
import io.penstock.dataplane.core.SlotInfo;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Least-loaded routing without core and index: health and requests in flight, counted on from the last tick before the
 * core failed.
 *
 * <p>Tickets of this mode have bit 62 set; the counts are as good as the callers' {@code finished} calls.
 *
 * <p><b>Threading:</b> thread-safe. <b>Cost:</b> one pass over the slots a request.
 */
final class DegradedRouting {
    private static final long TICKET = 1L << 62;

    private final SlotBoard board;
    private final AtomicIntegerArray inFlight;
    private final AtomicInteger turn = new AtomicInteger();

    DegradedRouting(SlotBoard board) {
        this.board = board;
        inFlight = new AtomicIntegerArray(board.capacity());
    }

    static boolean isTicket(long ticket) {
        return ticket >= 0 && (ticket & TICKET) != 0;
    }

    /** The core has failed: its last figures are where counting begins. */
    void begin() {
        for (int slot = 0; slot < inFlight.length(); slot++) {
            inFlight.set(slot, board.info(slot) == null ? 0 : board.activeRequests(slot));
        }
    }

    void route(RouteRequest request) {
        Decision decision = request.decision;
        decision.mode = Decision.Mode.DEGRADED;
        decision.seq = -1;
        decision.ticket = -1;
        decision.slot = -1;
        decision.endpoint = null;
        decision.blockSize = 0;
        decision.predictedCachedTokens = 0;
        decision.waitNs = 0;
        decision.candidates = 0;
        decision.fetch.clear();
        boolean any = false;
        SlotInfo best = null;
        int least = Integer.MAX_VALUE;
        // Equal slots are taken in turn.
        int from = Math.floorMod(turn.getAndIncrement(), inFlight.length());
        for (int n = 0; n < inFlight.length(); n++) {
            int slot = from + n < inFlight.length() ? from + n : from + n - inFlight.length();
            SlotInfo info = board.info(slot);
            if (info == null || info.model() != request.model) {
                continue;
            }
            any = true;
            if (eligible(request, info) && inFlight.get(slot) < least) {
                least = inFlight.get(slot);
                best = info;
            }
        }
        if (best == null) {
            boolean pinned = request.pinnedWorker >= 0 || request.pinnedRank >= 0;
            decision.status = pinned
                    ? Decision.Status.PINNED_UNAVAILABLE
                    : any ? Decision.Status.NONE_ELIGIBLE : Decision.Status.NO_WORKER;
            return;
        }
        inFlight.incrementAndGet(best.slot());
        decision.status = Decision.Status.ROUTED;
        decision.slot = best.slot();
        decision.endpoint = best.endpoint();
        decision.blockSize = best.blockSize();
        decision.ticket = TICKET | best.slot();
    }

    private boolean eligible(RouteRequest request, SlotInfo info) {
        if (!board.takesRequests(info.slot())
                || (request.pinnedWorker >= 0 && request.pinnedWorker != info.workerNumber())
                || (request.pinnedRank >= 0 && request.pinnedRank != info.dpRank())
                || (request.requiredTaints & ~info.taints()) != 0
                || !info.serves(request.adapter)) {
            return false;
        }
        for (int excluded : request.excludedSlots) {
            if (excluded == info.slot()) {
                return false;
            }
        }
        return true;
    }

    /** A request left the slot, whichever mode had placed it there. */
    void finished(int slot) {
        if (slot >= 0 && slot < inFlight.length()) {
            inFlight.updateAndGet(slot, n -> Math.max(0, n - 1));
        }
    }

    static int slotOf(long degradedTicket) {
        return (int) degradedTicket;
    }
}
