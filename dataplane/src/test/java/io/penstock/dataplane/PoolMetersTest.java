package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.dataplane.pool.PoolCounter;
import io.penstock.dataplane.pool.PoolFeedStatus;
import io.penstock.dataplane.pool.PoolState;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolMetersTest {
    @Test
    void shouldGoOnShowingTheFeedWhenMemoryWasCollected() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicInteger messages = new AtomicInteger(1);
        PoolMeters.register(() -> status(messages.get()), registry);
        WeakReference<Object> witness = new WeakReference<>(new Object());
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (witness.get() != null) {
            assertTrue(System.nanoTime() < deadline, "nothing is collected");
            System.gc();
        }
        messages.set(7);
        assertEquals(1, registry.get("penstock.pool.feed.live").gauge().value());
        assertEquals(
                7, registry.get("penstock.pool.feed.messages").functionCounter().count());
    }

    private static PoolFeedStatus status(int messages) {
        long[] counters = new long[PoolCounter.values().length];
        counters[PoolCounter.MESSAGES.ordinal()] = messages;
        return new PoolFeedStatus("master", PoolState.LIVE, null, true, 1, 0, 0, -1, 0, 0, counters);
    }
}
