package io.penstock.dataplane;

import io.penstock.index.OffHeapIndex;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes a checkpoint image of each open index at intervals; one that fails is reported, and the former stays.
 *
 * <p><b>Threading:</b> a thread of its own, {@code penstock-images}.
 */
final class IndexImages implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_WAIT_MS = 10_000;

    private final Supplier<List<OffHeapIndex>> indexes;
    private final long intervalNs;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private volatile boolean closed;

    IndexImages(Supplier<List<OffHeapIndex>> indexes, int intervalSeconds, Consumer<Throwable> onFailure) {
        this.indexes = indexes;
        this.onFailure = onFailure;
        intervalNs = TimeUnit.SECONDS.toNanos(intervalSeconds);
        thread = Thread.ofPlatform().daemon().name("penstock-images").start(this::run);
    }

    private void run() {
        long next = System.nanoTime() + intervalNs;
        while (!closed) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            for (OffHeapIndex index : indexes.get()) {
                take(index);
            }
            next = System.nanoTime() + intervalNs;
        }
    }

    private void take(OffHeapIndex index) {
        try {
            index.checkpoint(PATIENCE_NS);
        } catch (IOException | RuntimeException failed) {
            onFailure.accept(failed);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
