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
    private static final long POLL_MS = 10;
    private static final long MOST_WARM_MS = 30_000;

    /** Share of the blocks known before the kill that makes the index warm: engines drop some meanwhile. */
    private static final double WARM = 0.95;

    private final LocalFleet fleet;
    private final Consumer<String> tell;
    private final ScheduledExecutorService thread = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().name("chaos-", 0).daemon().factory());
    private final List<Future<?>> planned = new ArrayList<>();
    private volatile RouterRestart restart;

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
        WorkersView before = WorkersView.read(fleet.admin());
        fleet.killRouter();
        tell.accept(format("killed the router; its index held %,d blocks", before.deviceBlocks()));
        ChildProcess router = fleet.restartRouter();
        long firstAnswerMs = 0;
        int status = ChildProcess.status(fleet.router().resolve("/ready"));
        while (status != 200 && router.ageMs() < READY_MS) {
            firstAnswerMs = firstAnswerMs == 0 && status != 0 ? router.ageMs() : firstAnswerMs;
            Thread.sleep(POLL_MS);
            status = ChildProcess.status(fleet.router().resolve("/ready"));
        }
        if (status != 200) {
            throw new IllegalStateException("the router is not ready after " + READY_MS / 1_000 + " s");
        }
        long readyMs = router.ageMs();
        tell.accept(format("router ready again %.2f s after its process was started", readyMs / 1e3));
        WorkersView now = WorkersView.read(fleet.admin());
        while (!warm(now, before) && router.ageMs() < MOST_WARM_MS) {
            Thread.sleep(POLL_MS);
            now = WorkersView.read(fleet.admin());
        }
        long warmMs = router.ageMs();
        boolean warm = warm(now, before);
        restart = new RouterRestart(
                firstAnswerMs == 0 ? readyMs : firstAnswerMs,
                readyMs,
                warm ? warmMs : -1,
                before.deviceBlocks(),
                now.deviceBlocks());
        tell.accept(format(
                "index %s %.2f s after its process was started: %,d blocks of %d proven engines",
                warm ? "warm" : "still cold", warmMs / 1e3, now.deviceBlocks(), now.proven()));
        return null;
    }

    private static boolean warm(WorkersView now, WorkersView before) {
        return now.proven() >= before.proven() && now.deviceBlocks() >= WARM * before.deviceBlocks();
    }

    /** How the killed router came back; null when none was killed, or it is not back yet. */
    RouterRestart restart() {
        return restart;
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
