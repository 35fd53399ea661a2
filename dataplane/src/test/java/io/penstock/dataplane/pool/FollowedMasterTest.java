package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangPool;
import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.NativePackages;
import io.penstock.ffi.mooncake.StoreClient;
import io.penstock.ffi.mooncake.StoreStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed that follows a real master. */
class FollowedMasterTest {
    private static final ObjectLayout LAYOUT =
            SglangPool.keysValues("llama", 64, 1).layout();
    private static final int PATIENCE_MS = 2_000;
    private static final int NEVER_MS = 3_600_000;

    @TempDir
    Path folder;

    private final HeldPool port = new HeldPool(LAYOUT);
    private final AtomicReference<Throwable> error = new AtomicReference<>();
    private MasterProcess master;
    private StoreClient client;
    private MooncakeAdmin admin;
    private PoolFeed feed;

    @AfterEach
    void close() {
        if (feed != null) {
            feed.close();
            admin.close();
        }
        if (client != null) {
            client.close();
        }
        if (master != null) {
            master.close();
        }
        assertEquals(null, error.get());
    }

    @Test
    void shouldHoldWhatTheMasterHoldsWhenItStartsLaterThanTheObjects() {
        start();
        client.put(page(1), page(2), "llama_of_another_model");
        follow(times(NEVER_MS, 0));
        holds(page(1), page(2));
        client.put(page(3));
        holds(page(1), page(2), page(3));
        client.remove(page(2));
        holds(page(1), page(3));
        client.removeAll();
        holds();
        PoolFeedStatus status = feed.status();
        assertEquals(PoolState.LIVE, status.state());
        assertEquals(0, status.count(PoolCounter.GAPS));
    }

    @Test
    void shouldCountNothingWhileTheMasterIsGoneWhenItIsKilledAndStartedAgain() {
        start();
        follow(times(NEVER_MS, 0));
        client.put(page(1), page(2));
        holds(page(1), page(2));
        client.close();
        client = null;
        master.kill();
        until("nothing counts", () -> !port.counts());
        // The socket notices, or a question does; each says so when it does.
        String alert = feed.status().alert();
        assertTrue(alert.contains("not connected") || alert.contains("does not answer"), alert);
        master.restart();
        client = StoreClient.connect(master);
        client.put(page(2), page(3));
        holds(page(2), page(3));
        assertEquals(PoolState.LIVE, feed.status().state());
    }

    @Test
    void shouldFindWhatWasEvictedWhenListingsComeFromTimeToTime() {
        start("--eviction_high_watermark_ratio=0.5", "--eviction_ratio=0.3");
        follow(times(200, 0));
        until("listed", port::counts);
        fill(60, 256 << 10);
        int put = port.held().size() + (int) port.stale();
        until("evicted", () -> truth().size() < put || truth().size() < 60);
        until("agreed", () -> port.stale() > 0 && port.counted().equals(truth()));
        assertEquals(0, feed.status().count(PoolCounter.REMOVED_EVENTS));
    }

    @Test
    void shouldFindWhatWasEvictedWhenItOnlyProbes() {
        start("--eviction_high_watermark_ratio=0.5", "--eviction_ratio=0.3");
        follow(times(NEVER_MS, 1_000));
        until("listed", port::counts);
        fill(60, 256 << 10);
        until("agreed", () -> truth().size() < 60 && port.counted().equals(truth()));
        PoolFeedStatus status = feed.status();
        assertTrue(status.count(PoolCounter.PROBES_STALE) > 0);
        assertEquals(0, status.count(PoolCounter.REMOVED_EVENTS));
    }

    @Test
    void shouldAgreeWithTheMasterWhenEventsAndListingsInterleave() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        start();
        follow(times(20, 2_000));
        List<String> there = new ArrayList<>();
        for (int step = 0; step < 1_500; step++) {
            if (there.isEmpty() || random.nextInt(3) > 0) {
                String name = page(random.nextInt(400));
                if (!there.contains(name)) {
                    client.put(name);
                    there.add(name);
                }
            } else {
                client.remove(there.remove(random.nextInt(there.size())));
            }
        }
        until("agreed", () -> port.counted().equals(Set.copyOf(there)));
        assertEquals(Set.copyOf(there), truth());
        PoolFeedStatus status = feed.status();
        assertTrue(status.count(PoolCounter.LISTINGS) > 1, "listings");
        assertEquals(0, status.count(PoolCounter.GAPS));
        assertFalse(port.words().subList(3, port.words().size()).contains("cleared"));
    }

    private void start(String... flags) {
        NativePackages.assumeStore();
        master = MasterProcess.start(folder, flags);
        client = StoreClient.connect(master);
    }

    private void follow(FeedTimes times) {
        PoolConfig defaults = PoolConfig.defaults();
        PoolConfig config = new PoolConfig(
                master.eventsEndpoint(),
                master.adminUrl(),
                "",
                "default",
                List.of(PoolLayout.of("llama")),
                defaults.listingIntervalS(),
                defaults.probesPerSecond(),
                PATIENCE_MS,
                defaults.ttlS(),
                defaults.capacityPages());
        admin = new MooncakeAdmin(master.adminUrl(), PATIENCE_MS);
        feed = new PoolFeed(config, times, "auto", admin, admin, port, error::set);
        feed.layout(0, LAYOUT);
    }

    private static FeedTimes times(int listingMs, int probesPerSecond) {
        return new FeedTimes(listingMs, 10, 200, 100, 200, 200, NEVER_MS, 0, probesPerSecond, 5);
    }

    /** Stores objects, more than there is room for, the next as soon as one fits. */
    private void fill(int objects, int bytes) {
        byte[] value = new byte[bytes];
        for (int i = 0; i < objects; i++) {
            String name = page(i);
            until("stored", () -> client.putStatus(name, value) == StoreStatus.OK);
        }
    }

    private Set<String> truth() {
        Set<String> all = new TreeSet<>();
        try (MooncakeAdmin asked = new MooncakeAdmin(master.adminUrl(), PATIENCE_MS)) {
            asked.list((bytes, from, length) -> all.add(new String(bytes, from, length, StandardCharsets.US_ASCII)));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void holds(String... names) {
        until("held: " + List.of(names), () -> port.counts() && port.counted().equals(Set.of(names)));
    }

    private static String page(int number) {
        return "llama_" + String.format("%064x", number / 2 + 1) + "_0_" + (number % 2 == 0 ? "k" : "v");
    }

    private void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() < deadline,
                    () -> "not within 30 s: " + what + "; held " + port.held().size() + " " + port.words() + " "
                            + (feed == null ? "" : feed.status()));
            LockSupport.parkNanos(2_000_000);
        }
    }
}
