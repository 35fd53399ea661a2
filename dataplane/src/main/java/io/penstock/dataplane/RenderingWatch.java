package io.penstock.dataplane;

import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.WorkerState;
import io.penstock.dataplane.workers.WorkerStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tells the encoder when an engine has become healthy, so that this process's rendering is held against the engine's.
 *
 * <p><b>Threading:</b> one thread of its own.
 */
final class RenderingWatch implements AutoCloseable {
    private static final long INTERVAL_MS = 250;

    private final Fleet fleet;
    private final PromptEncoder encoder;
    private final Map<String, Long> seen = new HashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("penstock-watch").factory());

    RenderingWatch(Fleet fleet, PromptEncoder encoder) {
        this.fleet = fleet;
        this.encoder = encoder;
        thread.scheduleWithFixedDelay(this::look, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        for (WorkerStatus worker : fleet.list()) {
            if (worker.state() == WorkerState.HEALTHY) {
                Long before = seen.put(worker.name(), worker.transitions());
                if (before == null || before != worker.transitions()) {
                    encoder.workerReady(worker.model());
                }
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
