package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangPool;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** A feed between a master that does as it is told and a port that holds what it is told. */
abstract class PoolFeedScene {
    static final ObjectLayout LAYOUT = SglangPool.replicated("m", 64).layout();

    final HeldPool port = new HeldPool(LAYOUT);
    final ScriptedMaster master = new ScriptedMaster();
    final AtomicReference<Throwable> error = new AtomicReference<>();
    PoolFeed feed;

    @AfterEach
    void close() {
        feed.close();
        master.close();
        assertEquals(null, error.get());
        assertEquals(0, port.lent());
    }

    void start(FeedTimes times) {
        PoolConfig defaults = PoolConfig.defaults();
        PoolConfig config = new PoolConfig(
                master.endpoint,
                "http://127.0.0.1:1",
                "",
                "default",
                List.of(PoolLayout.of("m")),
                defaults.listingIntervalS(),
                defaults.probesPerSecond(),
                defaults.timeoutMs(),
                defaults.ttlS(),
                defaults.capacityPages());
        feed = new PoolFeed(config, times, "jeromq", master, master, port, error::set);
        feed.layout(0, LAYOUT);
    }

    /** Until the subscription stands: what is published from here on is heard. */
    void heard() {
        until("heard", () -> {
            master.publish("default", "stored", "hello");
            return feed.status().count(PoolCounter.MESSAGES) > 0 && port.counts();
        });
    }

    static FeedTimes quick() {
        return new FeedTimes(3_600_000, 10, 50, 20, 20, 20, 7_200_000, 0, 0, 5);
    }

    /** Puts an object whose message is lost, and page 99, whose message shows it. */
    void loseOne(String name) {
        master.putUnheard(name);
        master.put(page(99));
    }

    void holds(String... names) {
        until("held: " + List.of(names), () -> port.counts() && port.counted().equals(Set.of(names)));
    }

    static String page(int number) {
        return "m_" + String.format("%064x", number + 1) + "__k";
    }

    void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() < deadline,
                    () -> "not within 20 s: " + what + "; held " + port.held() + " " + port.words() + " "
                            + feed.status());
            LockSupport.parkNanos(1_000_000);
        }
    }
}
