package io.penstock.dataplane.workers;

import io.penstock.bindings.pool.SglangStorage;
import io.penstock.dataplane.pool.PoolLayouts;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks engines how they name what they keep in the shared pool: each that becomes healthy, where the configuration leaves it
 * open. An engine that does not answer is asked again, and one that keeps nothing there, since SGLang takes a storage up while it
 * runs; one that is removed no longer disagrees.
 *
 * <p><b>Threading:</b> one thread of its own, which waits for the answers.
 */
public final class LayoutWatch implements AutoCloseable {
    private static final long INTERVAL_MS = 250;
    private static final long AGAIN_NS = 15_000_000_000L;

    /** What was asked, and when it is to be asked again though nothing has changed. */
    private record Asked(long transitions, boolean again, long atNs) {
        boolean isDue(WorkerStatus worker) {
            return transitions != worker.transitions() || (again && System.nanoTime() - atNs >= AGAIN_NS);
        }
    }

    private final Fleet fleet;
    private final PoolLayouts layouts;
    private final Map<String, Asked> asked = new HashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("penstock-layouts").factory());

    /** Begins to ask. */
    public LayoutWatch(Fleet fleet, PoolLayouts layouts) {
        this.fleet = fleet;
        this.layouts = layouts;
        thread.scheduleWithFixedDelay(this::look, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        Set<String> there = new HashSet<>();
        for (WorkerStatus worker : fleet.list()) {
            there.add(worker.name());
            Asked before = asked.get(worker.name());
            boolean due = before == null || before.isDue(worker);
            if (worker.state() == WorkerState.HEALTHY && due && layouts.asks(worker.model())) {
                ask(worker);
            }
        }
        asked.keySet().removeIf(name -> {
            boolean gone = !there.contains(name);
            if (gone) {
                layouts.left(name);
            }
            return gone;
        });
    }

    private void ask(WorkerStatus worker) {
        try {
            SglangStorage storage = storage(worker);
            layouts.said(worker.name(), worker.model(), storage);
            asked.put(worker.name(), new Asked(worker.transitions(), storage.problem() != null, System.nanoTime()));
        } catch (IOException e) {
            // It is still due, and asked again at the next look; whether it lives is watched elsewhere.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An answer that cannot be taken must not end the watch. */
    private SglangStorage storage(WorkerStatus worker) throws IOException, InterruptedException {
        try {
            return fleet.storage(worker);
        } catch (RuntimeException e) {
            return SglangStorage.none("its answer cannot be taken (" + e.getMessage() + "): url=" + worker.url());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
