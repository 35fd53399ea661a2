package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.SlotBoard;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.routing.BusyThresholds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers as they were last told to the core, so that a new core can be told the same, with the same slots.
 *
 * <p><b>Threading:</b> owned by the core's thread; allocates, since workers seldom come.
 */
final class Roster {
    private static final class Entry {
        final WorkerAddition worker;
        int[] slots;
        boolean healthy = true;
        boolean draining;

        Entry(WorkerAddition worker) {
            this.worker = worker;
        }
    }

    private final Map<Integer, Entry> workers = new LinkedHashMap<>();
    private final Map<Integer, BusyThresholds> thresholds = new LinkedHashMap<>();
    private final Counting counters;

    Roster(Counting counters) {
        this.counters = counters;
    }

    void apply(EventSlot event, TappedMembers core) {
        Entry entry = workers.get(event.number);
        switch (event.kind) {
            case EventSlot.ADD_WORKER -> add(event.worker, entry, core);
            case EventSlot.DRAIN -> {
                core.drain(event.number);
                if (entry != null) {
                    entry.draining = true;
                }
            }
            case EventSlot.REMOVE -> {
                core.remove(event.number);
                workers.remove(event.number);
            }
            case EventSlot.HEALTH -> {
                core.setHealthy(event.number, event.flag);
                if (entry != null) {
                    entry.healthy = event.flag;
                }
            }
            default -> {
                core.setBusyThresholds(event.number, event.thresholds);
                thresholds.put(event.number, event.thresholds);
            }
        }
    }

    private void add(WorkerAddition worker, Entry before, TappedMembers core) {
        Entry entry = new Entry(worker);
        entry.healthy = before == null || before.healthy;
        workers.put(worker.number(), entry);
        core.addWorker(told(entry), null);
        if (entry.slots == null) {
            workers.remove(worker.number());
        } else {
            // A worker that came back in another shape is healthy until told otherwise, as a new one is.
            core.setHealthy(worker.number(), entry.healthy);
        }
    }

    /** What can be done for a membership event while no core is there. */
    void applyDegraded(EventSlot event, SlotBoard board) {
        Entry entry = workers.get(event.number);
        switch (event.kind) {
            case EventSlot.ADD_WORKER -> told(new Entry(event.worker)).reply().refused(event.number, "the core failed");
            case EventSlot.DRAIN, EventSlot.REMOVE -> board.drain(event.number);
            case EventSlot.HEALTH -> board.setHealthy(event.number, event.flag);
            default -> thresholds.put(event.number, event.thresholds);
        }
        if (entry != null && event.kind == EventSlot.HEALTH) {
            entry.healthy = event.flag;
        }
    }

    /** Tells a new core all there is. */
    void tell(TappedMembers core) {
        thresholds.forEach(core::setBusyThresholds);
        for (Entry entry : List.copyOf(workers.values())) {
            int number = entry.worker.number();
            core.addWorker(told(entry), entry.slots);
            if (entry.draining) {
                core.drain(number);
            }
            core.setHealthy(number, entry.healthy);
        }
    }

    /** The worker with a reply that notes the slots first and keeps the core from the receiver's failures. */
    private WorkerAddition told(Entry entry) {
        WorkerAddition w = entry.worker;
        WorkerReply receiver = w.reply();
        WorkerReply reply = new WorkerReply() {
            @Override
            public void added(int workerNumber, List<SlotPosition> ranks) {
                entry.slots = ranks.stream().mapToInt(SlotPosition::slot).toArray();
                guarded(() -> receiver.added(workerNumber, ranks));
            }

            @Override
            public void refused(int workerNumber, String why) {
                guarded(() -> receiver.refused(workerNumber, why));
            }

            @Override
            public void replayWanted(int slot) {
                guarded(() -> receiver.replayWanted(slot));
            }
        };
        return new WorkerAddition(
                w.number(),
                w.name(),
                w.model(),
                w.blockSize(),
                w.kvEvents(),
                w.endpoints(),
                w.adapters(),
                w.taints(),
                w.totalKvBlocks(),
                w.maxBatchedTokens(),
                reply);
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            counters.increment(Counter.REPLIES_FAILED);
        }
    }
}
