package io.penstock.dataplane.core;

import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.pipeline.PipelineView.SlotState;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The slots as other threads see them: who they are, and their figures at the last tick.
 *
 * <p>A figure is right by itself; two of them may be of different ticks.
 *
 * <p><b>Threading:</b> one writer (the core), many readers. <b>Cost:</b> 12 longs a slot; showing allocates only for
 * slots that changed hands.
 */
public final class SlotBoard {
    private static final int HEALTHY = 1;
    private static final int DRAINING = 2;
    private static final int PROVEN = 4;
    private static final int APPROXIMATE = 8;

    private static final int FLAGS = 0;
    private static final int ACTIVE = 1;
    private static final int PREFILL = 2;
    private static final int DECODE = 3;
    private static final int TIERS = 4;
    private static final int PREDICTED = TIERS + Tier.COUNT;
    private static final int ACTUAL = PREDICTED + 1;
    private static final int ERROR = ACTUAL + 1;
    private static final int TRUST = ERROR + 1;
    private static final int COLUMNS = TRUST + 1;

    private final AtomicReferenceArray<SlotInfo> infos;
    private final AtomicLongArray figures;

    /** Room for {@code slots} slots. */
    public SlotBoard(int slots) {
        infos = new AtomicReferenceArray<>(slots);
        figures = new AtomicLongArray(slots * COLUMNS);
    }

    /** Slots that fit. */
    public int capacity() {
        return infos.length();
    }

    /** Who has the slot, or null. */
    public SlotInfo info(int slot) {
        return infos.getAcquire(slot);
    }

    /** Whether the slot may be given requests, by health and drain. */
    public boolean takesRequests(int slot) {
        return (figures.getOpaque(slot * COLUMNS + FLAGS) & (HEALTHY | DRAINING)) == HEALTHY;
    }

    /** Requests in flight at the last tick. */
    public int activeRequests(int slot) {
        return (int) figures.getOpaque(slot * COLUMNS + ACTIVE);
    }

    /** Changes the health of a worker's slots while no core does. */
    public void setHealthy(int workerNumber, boolean healthy) {
        change(workerNumber, HEALTHY, healthy);
    }

    /** Drains a worker's slots while no core does. */
    public void drain(int workerNumber) {
        change(workerNumber, DRAINING, true);
    }

    private void change(int workerNumber, int flag, boolean on) {
        for (int slot = 0; slot < infos.length(); slot++) {
            SlotInfo info = infos.getAcquire(slot);
            if (info != null && info.workerNumber() == workerNumber) {
                long flags = figures.getOpaque(slot * COLUMNS + FLAGS);
                figures.setOpaque(slot * COLUMNS + FLAGS, on ? flags | flag : flags & ~flag);
            }
        }
    }

    void show(SlotTable slots, OverlapTrust trust) {
        for (int slot = 0; slot < slots.limit(); slot++) {
            SlotInfo info = infos.getPlain(slot);
            if (!slots.isOpen(slot)) {
                if (info != null) {
                    infos.setRelease(slot, null);
                }
                continue;
            }
            figures(slots, trust, slot);
            if (info == null || info.endpoint() != slots.endpoint[slot]) {
                // Release: pairs with the acquire in info(); the figures are there when the slot is.
                infos.setRelease(slot, infoOf(slots, slot));
            }
        }
    }

    private static SlotInfo infoOf(SlotTable slots, int slot) {
        return new SlotInfo(
                slot,
                slots.worker[slot],
                slots.name[slot],
                slots.dpRank[slot],
                slots.pool[slot].model,
                slots.pool[slot].blockSize,
                slots.endpoint[slot],
                slots.adapters[slot],
                slots.taints[slot]);
    }

    private void figures(SlotTable slots, OverlapTrust trust, int slot) {
        int at = slot * COLUMNS;
        long flags = (slots.healthy[slot] ? HEALTHY : 0)
                | (slots.draining[slot] ? DRAINING : 0)
                | (slots.proven[slot] ? PROVEN : 0)
                | (slots.approximate[slot] ? APPROXIMATE : 0);
        figures.setOpaque(at + FLAGS, flags);
        figures.setOpaque(at + ACTIVE, slots.activeRequests[slot]);
        figures.setOpaque(at + PREFILL, slots.prefillTokens[slot]);
        figures.setOpaque(at + DECODE, slots.decodeBlocks[slot]);
        PrefixIndex index = slots.pool[slot].index;
        for (int tier = 0; tier < Tier.COUNT; tier++) {
            figures.setOpaque(at + TIERS + tier, index.heldBlocks(slots.indexSlot[slot], tier));
        }
        figures.setOpaque(at + PREDICTED, trust.predictedTokens(slot));
        figures.setOpaque(at + ACTUAL, trust.actualTokens(slot));
        figures.setOpaque(at + ERROR, Double.doubleToRawLongBits(trust.error(slot)));
        figures.setOpaque(at + TRUST, Double.doubleToRawLongBits(trust.trust(slot)));
    }

    /** Figures of all slots that a worker has. */
    public List<SlotFigures> slots() {
        List<SlotFigures> all = new ArrayList<>();
        for (int slot = 0; slot < infos.length(); slot++) {
            SlotInfo info = infos.getAcquire(slot);
            if (info != null) {
                all.add(read(slot, info));
            }
        }
        return all;
    }

    private SlotFigures read(int slot, SlotInfo info) {
        int at = slot * COLUMNS;
        return new SlotFigures(
                slot,
                info.workerNumber(),
                info.worker(),
                info.dpRank(),
                info.model(),
                info.blockSize(),
                state(figures.getOpaque(at + FLAGS)),
                figures.getOpaque(at + ACTIVE),
                figures.getOpaque(at + PREFILL),
                figures.getOpaque(at + DECODE),
                figures.getOpaque(at + TIERS + Tier.DEVICE),
                figures.getOpaque(at + TIERS + Tier.HOST),
                figures.getOpaque(at + TIERS + Tier.DISK),
                figures.getOpaque(at + TIERS + Tier.EXTERNAL),
                figures.getOpaque(at + PREDICTED),
                figures.getOpaque(at + ACTUAL),
                Double.longBitsToDouble(figures.getOpaque(at + ERROR)),
                Double.longBitsToDouble(figures.getOpaque(at + TRUST)));
    }

    private static SlotState state(long flags) {
        if ((flags & DRAINING) != 0) {
            return SlotState.DRAINING;
        }
        if ((flags & HEALTHY) == 0) {
            return SlotState.UNHEALTHY;
        }
        if ((flags & APPROXIMATE) != 0) {
            return SlotState.APPROXIMATE;
        }
        return (flags & PROVEN) != 0 ? SlotState.PROVEN : SlotState.UNPROVEN;
    }
}
