package io.penstock.dataplane.workers;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the workers.
 *
 * <p><b>Threading:</b> thread-safe. Tasks that come after the end are dropped: there is nothing left that they concern.
 */
final class ControlThread {
    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);

    private final ScheduledThreadPoolExecutor thread;

    ControlThread() {
        thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("penstock-fleet").factory());
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task on the thread. */
    void onControl(Runnable task) {
        later(task, 0);
    }

    /** Runs a task on the thread after a pause. */
    void later(Runnable task, long ms) {
        try {
            thread.schedule(() -> guarded(task), ms, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("The fleet is closed", closed);
        }
    }

    /** The executor would keep a defect to itself. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A task of the fleet failed; the others go on", e);
        }
    }

    /** Ends the thread; false when it did not end within the time. */
    boolean stop(long timeoutMs) throws InterruptedException {
        thread.shutdownNow();
        return thread.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    }
}
