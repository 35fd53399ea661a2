package io.penstock.dataplane.pool;

import io.penstock.bindings.mooncake.StoreEventSkip;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of one pool's feed.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class PoolCounts {
    private final AtomicLongArray values = new AtomicLongArray(PoolCounter.values().length);

    void add(PoolCounter counter, long amount) {
        values.getAndAdd(counter.ordinal(), amount);
    }

    void add(PoolCounter counter) {
        add(counter, 1);
    }

    void add(StoreEventSkip reason) {
        add(
                switch (reason) {
                    case NOT_A_MAP -> PoolCounter.SKIPPED_NOT_A_MAP;
                    case UNKNOWN_TYPE -> PoolCounter.SKIPPED_UNKNOWN_TYPE;
                    case KEYLESS -> PoolCounter.SKIPPED_KEYLESS;
                });
    }

    long of(PoolCounter counter) {
        return values.get(counter.ordinal());
    }

    long[] snapshot() {
        long[] copy = new long[values.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = values.get(i);
        }
        return copy;
    }
}
