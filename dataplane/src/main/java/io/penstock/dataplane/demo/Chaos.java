package io.penstock.dataplane.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills processes of the fleet at set times and starts them again.
 *
 * <p><b>Threading:</b> one thread of its own.
 */
final class Chaos implements AutoCloseable {
    private static final long ENGINE_AWAY_MS = 5_000;
    private static final long READY_MS = 30_000;
    private static final long POLL_MS = 20;
    private static final double MOST_WARM_SECONDS = 30;

    /** Share of the blocks known before the kill that makes the index warm: pools turn over meanwhile. */
    private static final double WARM = 0.8;

    private final LocalFleet fleet;
    private final Consumer<String> tell;
    private final ScheduledExecutorService thread = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().name("chaos-", 0).daemon().factory());
    private final List<Future<?>> planned = new ArrayList<>();

    /** Idle until something is planned. */
    Chaos(LocalFleet fleet, Consumer<String> tell) {
        this.fleet = fleet;
        this.tell = tell;
    }

    /** Plans what the settings ask for, counted from now. */
    void plan(DemoSettings settings) {
        plan(settings.killEngineAtSeconds(), this::killEngine);
        plan(settings.killRouterAtSeconds(), this::killRouter);
    }

    private void plan(double atSeconds, Callable<Void> what) {
        if (atSeconds >= 0) {
            planned.add(thread.schedule(what, (long) (atSeconds * 1_000), TimeUnit.MILLISECONDS));
        }
    }

    private Void killEngine() throws InterruptedException, IOException {
        fleet.killEngine(0);
        tell.accept("killed " + LocalFleet.engineName(0));
        Thread.sleep(ENGINE_AWAY_MS);
        fleet.restartEngine(0);
        tell.accept("started " + LocalFleet.engineName(0) + " again, empty");
        return null;
    }

    private Void killRouter() throws InterruptedException, IOException {
        long before = WorkersView.read(fleet.admin()).deviceBlocks();
        fleet.killRouter();
        tell.accept(format("killed the router; its index held %,d blocks", before));
        ChildProcess router = fleet.restartRouter();
        router.awaitReady(fleet.router().resolve("/ready"), READY_MS);
        tell.accept(format("router ready again %.2f s after its process was started", router.ageSeconds()));
        WorkersView now = WorkersView.read(fleet.admin());
        while (now.deviceBlocks() < WARM * before && router.ageSeconds() < MOST_WARM_SECONDS) {
            Thread.sleep(POLL_MS);
            now = WorkersView.read(fleet.admin());
        }
        tell.accept(format(
                "index %s %.2f s after its process was started: %,d blocks of %d proven engines",
                now.deviceBlocks() < WARM * before ? "still cold" : "warm",
                router.ageSeconds(),
                now.deviceBlocks(),
                now.proven()));
        return null;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Ends; throws when something that was planned went wrong. */
    @Override
    public void close() {
        thread.shutdownNow();
        for (Future<?> each : planned) {
            if (each.state() == Future.State.FAILED && !(each.exceptionNow() instanceof InterruptedException)) {
                Throwable cause = each.exceptionNow();
                throw new IllegalStateException(
                        "a process could not be killed or started again: " + cause.getMessage(), cause);
            }
        }
    }
}
