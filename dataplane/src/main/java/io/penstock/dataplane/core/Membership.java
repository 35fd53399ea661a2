package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Workers coming and going: slots, fleets, pools.
 *
 * <p><b>Threading:</b> owned by the core; allocates, since workers seldom come.
 */
final class Membership {
    final List<Pool> pools = new ArrayList<>();

    private final CoreConfig config;
    private final RoutingConfig routing;
    private final PrefixIndexFactory factory;
    private final SlotTable slots;
    private final OverlapTrust trust;
    private final HolderLeases predicted;
    private final HolderLeases recent;
    private final Counting counters;
    private Fleet[] fleets = new Fleet[16];

    Membership(
            CoreConfig config,
            RoutingConfig routing,
            PrefixIndexFactory factory,
            SlotTable slots,
            OverlapTrust trust,
            HolderLeases predicted,
            HolderLeases recent,
            Counting counters) {
        this.config = config;
        this.routing = routing;
        this.factory = factory;
        this.slots = slots;
        this.trust = trust;
        this.predicted = predicted;
        this.recent = recent;
        this.counters = counters;
    }

    /** The fleet of a model, or null when it never had a worker. */
    Fleet fleet(int model) {
        return model >= 0 && model < fleets.length ? fleets[model] : null;
    }

    /** Takes a worker in; {@code wanted} gives the slot numbers to take again after a failure, or null. */
    void add(WorkerAddition worker, int[] wanted, long nowNs) {
        int[] known = slotsOf(worker.number());
        if (known.length > 0) {
            if (sameShape(worker, known)) {
                for (int rank = 0; rank < known.length; rank++) {
                    slots.describe(known[rank], worker, rank);
                }
                worker.reply().added(worker.number(), positions(known));
                return;
            }
            remove(worker.number(), nowNs);
        }
        Fleet fleet = fleetFor(worker.model());
        Pool pool = fleet.pool(worker.blockSize());
        if (pool == null) {
            PrefixIndex index;
            try {
                index = factory.open(worker);
            } catch (RuntimeException e) {
                refuse(worker, "index cannot be opened: " + e.getMessage());
                return;
            }
            pool = new Pool(pools.size(), worker.model(), worker.blockSize(), index);
            pools.add(pool);
            counters.add(Counter.SLOTS_TORN, index.tornSlots());
            fleet.pools.add(pool);
        }
        int[] given = new int[worker.dpSize()];
        for (int rank = 0; rank < given.length; rank++) {
            int slot = wanted == null ? slots.free(nowNs) : wanted[rank];
            int inIndex = slot < 0 ? PrefixIndex.NO_SLOT_LEFT : pool.index.openSlot(worker.name(), rank);
            if (inIndex < 0) {
                for (int i = 0; i < rank; i++) {
                    close(given[i], nowNs);
                }
                refuse(worker, slot < 0 ? "no slot left: maxSlots=" + config.maxSlots() : "no slot left in the index");
                return;
            }
            given[rank] = slot;
            open(slot, worker, rank, pool, inIndex, nowNs);
            fleet.add(slot);
        }
        worker.reply().added(worker.number(), positions(given));
    }

    private void open(int slot, WorkerAddition worker, int rank, Pool pool, int inIndex, long nowNs) {
        slots.open(slot, worker, rank, pool, inIndex);
        pool.bind(inIndex, slot);
        trust.reset(slot);
        if (!worker.kvEvents()) {
            // Nothing proves or removes what a former configuration left there.
            pool.index.clearSlot(inIndex);
            pool.sweepDue = true;
        }
        slots.proven[slot] = held(pool, inIndex) == 0;
        slots.staleUntilNs[slot] = nowNs + routing.staleTtlSeconds() * 1_000_000_000L;
    }

    private void refuse(WorkerAddition worker, String why) {
        counters.increment(Counter.WORKERS_REFUSED);
        worker.reply().refused(worker.number(), why);
    }

    void drain(int worker) {
        int[] of = slotsOf(worker);
        for (int slot : of) {
            slots.draining[slot] = true;
        }
        known(of);
    }

    void healthy(int worker, boolean healthy) {
        int[] of = slotsOf(worker);
        for (int slot : of) {
            slots.healthy[slot] = healthy;
        }
        known(of);
    }

    void remove(int worker, long nowNs) {
        int[] of = slotsOf(worker);
        for (int slot : of) {
            close(slot, nowNs);
        }
        known(of);
    }

    void thresholds(int model, BusyThresholds thresholds) {
        fleetFor(model).busy = thresholds;
    }

    private void close(int slot, long nowNs) {
        Pool pool = slots.pool[slot];
        pool.index.removeSlot(slots.indexSlot[slot]);
        pool.sweepDue = true;
        pool.unbind(slots.indexSlot[slot]);
        predicted.drop(slot);
        recent.drop(slot);
        fleets[pool.model].remove(slot);
        slots.close(slot, nowNs + config.slotReuseSeconds() * 1_000_000_000L);
    }

    private void known(int[] of) {
        if (of.length == 0) {
            counters.increment(Counter.WORKERS_UNKNOWN);
        }
    }

    private boolean sameShape(WorkerAddition worker, int[] known) {
        Pool pool = slots.pool[known[0]];
        return known.length == worker.dpSize()
                && pool.model == worker.model()
                && pool.blockSize == worker.blockSize()
                && slots.approximate[known[0]] == !worker.kvEvents()
                && Objects.equals(slots.name[known[0]], worker.name());
    }

    /** Slots of a worker in the order of its ranks. */
    private int[] slotsOf(int worker) {
        int[] of = new int[4];
        int size = 0;
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.worker[slot] == worker) {
                of = size == of.length ? Arrays.copyOf(of, size * 2) : of;
                of[size++] = slot;
            }
        }
        int[] byRank = new int[size];
        for (int i = 0; i < size; i++) {
            byRank[slots.dpRank[of[i]]] = of[i];
        }
        return byRank;
    }

    private List<SlotPosition> positions(int[] of) {
        List<SlotPosition> positions = new ArrayList<>(of.length);
        for (int slot : of) {
            PrefixIndex index = slots.pool[slot].index;
            int at = slots.indexSlot[slot];
            positions.add(new SlotPosition(
                    slot,
                    slots.dpRank[slot],
                    index.positionSequence(at),
                    index.positionTimestampBits(at),
                    index.positionHash(at),
                    held(slots.pool[slot], at)));
        }
        return List.copyOf(positions);
    }

    private static long held(Pool pool, int indexSlot) {
        long held = 0;
        for (int tier = 0; tier < Tier.COUNT; tier++) {
            held += pool.index.heldBlocks(indexSlot, tier);
        }
        return held;
    }

    private Fleet fleetFor(int model) {
        if (model >= fleets.length) {
            fleets = Arrays.copyOf(fleets, Math.max(model + 1, fleets.length * 2));
        }
        if (fleets[model] == null) {
            fleets[model] = new Fleet(model, routing.busy());
        }
        return fleets[model];
    }

    /**
     * Carries pools, slots and fleets.
     *
     * @param indexes the index of a pool by its number, for reading
     */
    void carry(StateTape tape, IntFunction<PrefixIndex> indexes) {
        int count = tape.carry(pools.size());
        for (int i = 0; i < count; i++) {
            Pool pool = tape.isReading() ? null : pools.get(i);
            int model = tape.carry(pool == null ? 0 : pool.model);
            int blockSize = tape.carry(pool == null ? 0 : pool.blockSize);
            if (pool == null) {
                pool = new Pool(i, model, blockSize, indexes.apply(i));
                pools.add(pool);
            }
            pool.carry(tape);
        }
        slots.carry(tape, pools);
        trust.carry(tape, slots.limit());
        int models = tape.carry(fleets.length);
        for (int model = 0; model < models; model++) {
            boolean there = tape.carry(!tape.isReading() && fleets[model] != null);
            if (there) {
                (tape.isReading() ? fleetFor(model) : fleets[model]).carry(tape, pools);
            }
        }
    }
}
