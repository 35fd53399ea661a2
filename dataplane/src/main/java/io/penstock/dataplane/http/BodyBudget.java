package io.penstock.dataplane.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of request bodies that all connections together may hold, so that many large ones cannot fill the heap.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class BodyBudget {
    private final long limit;
    private final AtomicLong held = new AtomicLong();

    /** Room for {@code limit} bytes. */
    BodyBudget(long limit) {
        this.limit = limit;
    }

    /** Takes room for bytes; false, and nothing taken, where there is not enough. */
    boolean take(long bytes) {
        if (held.addAndGet(bytes) <= limit) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Gives back what was taken. */
    void give(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Whether so many bytes would find room now. */
    boolean hasRoom(long bytes) {
        return held.get() + bytes <= limit;
    }

    /** Bytes held. */
    long held() {
        return held.get();
    }
}
