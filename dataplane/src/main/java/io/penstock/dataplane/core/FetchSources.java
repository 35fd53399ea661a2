package io.penstock.dataplane.core;

import io.penstock.dataplane.pipeline.FetchOffer;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.HintWay;

/**
 * Finds whom the chosen slot could fetch a longer prefix from, by Dynamo's rule of {@code kv.fetch}: the chosen one takes
 * hints; the source is another of its kind with a control endpoint, and its prefix on device and host is strictly longer
 * than the chosen one's; the longest wins, of equal ones the lower slot.
 *
 * <p>A source need not be free to take requests: it may be busy or drained, but not ill, and not one that this request has
 * failed on. What the chosen one is about to compute counts as held; what a source only might hold does not.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> one look at the chosen slot where it takes no hints, else one pass over
 * the model's slots; nothing allocated.
 */
final class FetchSources {
    private final SlotTable slots;
    private final Placement placement;

    FetchSources(SlotTable slots, Placement placement) {
        this.slots = slots;
        this.placement = placement;
    }

    void find(RouteRequest request, Fleet fleet, Candidates c, int chosen, FetchOffer out) {
        int target = c.slot[chosen];
        HintSite hints = slots.endpoint[target].hints();
        if (hints.take() == HintWay.NONE || !request.exact) {
            return;
        }
        int held = c.device[chosen] + c.host[chosen];
        int most = held;
        for (int i = 0; i < fleet.size; i++) {
            int slot = fleet.slots[i];
            int blocks = slot == target || slots.pool[slot] != slots.pool[target] ? 0 : placement.prefix(slot);
            if (longer(blocks, most, slot, out.slot)
                    && hints.fetchesFrom(slots.endpoint[slot].hints())
                    && slots.healthy[slot]
                    && !excluded(request, slot)) {
                most = blocks;
                out.slot = slot;
            }
        }
        if (out.slot >= 0) {
            out.indexSlot = slots.indexSlot[out.slot];
            out.source = slots.endpoint[out.slot];
            out.blocks = most;
            out.held = held;
        }
    }

    private static boolean longer(int blocks, int most, int slot, int found) {
        return blocks > most || (blocks == most && found >= 0 && slot < found);
    }

    private static boolean excluded(RouteRequest request, int slot) {
        for (int excluded : request.excludedSlots) {
            if (excluded == slot) {
                return true;
            }
        }
        return false;
    }
}
