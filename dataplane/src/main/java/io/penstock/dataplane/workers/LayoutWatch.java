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
 * open. An engine that does not answer is asked again; one that is removed no longer disagrees.
 *
 * <p><b>Threading:</b> one thread of its own, which waits for the answers.
 */
public final class LayoutWatch implements AutoCloseable {
    private static final long INTERVAL_MS = 250;

    private final Fleet fleet;
    private final PoolLayouts layouts;
    private final Map<String, Long> told = new HashMap<>();
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
            Long before = told.get(worker.name());
            boolean news = before == null || before != worker.transitions();
            if (worker.state() == WorkerState.HEALTHY && news && layouts.asks(worker.model())) {
                ask(worker);
            }
        }
        told.keySet().removeIf(name -> {
            boolean gone = !there.contains(name);
            if (gone) {
                layouts.left(name);
            }
            return gone;
        });
    }

    private void ask(WorkerStatus worker) {
        try {
            layouts.said(worker.name(), worker.model(), storage(worker));
            told.put(worker.name(), worker.transitions());
        } catch (IOException e) {
            // Asked again at the next look: its health is watched elsewhere.
            told.remove(worker.name());
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
