package io.penstock.index.pages;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * Holds the pages of a file against their sums, on all processors: a file closed in order is read whole before it is
 * believed, and a new process should not wait for one processor to do that.
 *
 * <p><b>Threading:</b> owned by the opener; its threads end before {@link #hold} returns.
 */
final class PageSums {
    private final int from;
    private final int to;
    private final IntPredicate holds;
    private final AtomicInteger next;
    private final AtomicBoolean broken = new AtomicBoolean();

    /** Pages {@code from} to {@code to}, exclusive. */
    PageSums(int from, int to, IntPredicate holds) {
        this.from = from;
        this.to = to;
        this.holds = holds;
        next = new AtomicInteger(from);
    }

    /** Whether every page's sum holds. */
    boolean hold() {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), to - from);
        Thread[] others = new Thread[Math.max(0, threads - 1)];
        for (int i = 0; i < others.length; i++) {
            others[i] = Thread.ofPlatform().name("penstock-sums-" + i).daemon().start(this::run);
        }
        run();
        for (Thread other : others) {
            join(other);
        }
        return !broken.get();
    }

    private void run() {
        for (int page = next.getAndIncrement(); page < to && !broken.get(); page = next.getAndIncrement()) {
            // An error on a page (the file got shorter underneath) is damage as well.
            boolean sound = false;
            try {
                sound = holds.test(page);
            } finally {
                if (!sound) {
                    broken.set(true);
                }
            }
        }
    }

    private static void join(Thread other) {
        try {
            other.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an index file is read", stop);
        }
    }
}
