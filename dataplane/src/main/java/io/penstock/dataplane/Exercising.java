package io.penstock.dataplane;

import io.penstock.index.Exercise;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Runs the index's code once a process, beside the rest of the start, so that the first requests do not find it cold.
 *
 * <p><b>Threading:</b> a thread of its own, {@code penstock-exercise}, that ends with it.
 */
final class Exercising implements AutoCloseable {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private final Thread thread;
    private volatile boolean done;

    /**
     * Begins, unless this process has exercised before or {@code budgetMs} is 0.
     *
     * @param folder for the scratch file
     */
    Exercising(Path folder, int budgetMs, Consumer<Throwable> onFailure) {
        if (budgetMs == 0 || !BEGUN.compareAndSet(false, true)) {
            done = true;
            thread = null;
            return;
        }
        thread = Thread.ofPlatform().daemon().name("penstock-exercise").start(() -> {
            try {
                Exercise.run(folder, TimeUnit.MILLISECONDS.toNanos(budgetMs));
            } catch (RuntimeException failed) {
                // Only speed is lost.
                onFailure.accept(failed);
            } finally {
                done = true;
            }
        });
    }

    /** Waits for its end: it writes in the data folder. */
    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        try {
            thread.join(TimeUnit.MINUTES.toMillis(2));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it is over. */
    boolean done() {
        return done;
    }
}
