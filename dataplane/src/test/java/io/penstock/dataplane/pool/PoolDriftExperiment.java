package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How far a pool's picture drifts from the truth when the master's events are lost on purpose or never published, how soon it
 * is true again, and what that cost the master. Prints a table, and one JSON object as its last line;
 * {@code perf/pool-drift.sh} runs it.
 */
@Tag("long")
class PoolDriftExperiment {
    private static final ObjectLayout LAYOUT =
            SglangPool.keysValues("llama", 64, 1).layout();
    private static final int LISTING_INTERVAL_S = 10;
    private static final int PATIENCE_MS = 2_000;
    private static final int LEASED = 64;
    private static final Map<String, Object> RESULTS = new LinkedHashMap<>();

    @TempDir
    Path folder;

    private final HeldPool port = new HeldPool(LAYOUT);
    private MasterProcess master;
    private StoreClient client;
    private LossyProxy proxy;
    private MooncakeAdmin admin;
    private PoolFeed feed;

    @AfterAll
    static void print() throws IOException {
        System.out.println(new ObjectMapper().writeValueAsString(RESULTS));
    }

    @AfterEach
    void close() {
        if (feed != null) {
            feed.close();
            admin.close();
            proxy.close();
        }
        if (client != null) {
            client.close();
        }
        if (master != null) {
            master.close();
        }
    }

    @Test
    void eventsLostWithMoreBehindThem() {
        start(0);
        puts(0, 1_000);
        synced();
        Set<String> counted = port.counted();
        loseTwoHundred();
        proxy.lose(false);
        measure("events lost, others follow", 3, counted, System.nanoTime(), () -> puts(1_100, 1_101));
    }

    @Test
    void eventsLostAtTheEnd() {
        start(0);
        puts(0, 1_000);
        synced();
        Set<String> counted = port.counted();
        // The feed may notice while the loss goes on.
        long from = System.nanoTime();
        loseTwoHundred();
        measure("events lost, none follow", 5, counted, from, () -> proxy.lose(false));
    }

    @Test
    void masterKilledBehindAProxy() {
        start(0);
        puts(0, 1_000);
        synced();
        client.close();
        client = null;
        int counted = port.counted().size();
        long killed = System.nanoTime();
        master.kill();
        until("nothing counts", () -> !port.counts());
        long noticed = ms(killed);
        master.restart();
        client = StoreClient.connect(master);
        puts(500, 600);
        long started = System.nanoTime();
        until("repaired", () -> port.counts() && port.counted().equals(truth()));
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("counted", counted);
        figures.put("stale", counted);
        figures.put("missing", 0);
        figures.put("noticedMs", noticed);
        figures.put("repairedMs", ms(started));
        figures.put("statedMs", 12_000);
        show("master killed, its socket behind a proxy", figures);
    }

    @Test
    void evictionsWithListingsAlone() {
        start(0, "--eviction_high_watermark_ratio=0.6", "--eviction_ratio=0.2");
        evictAndMeasure("evicted, unpublished; listings alone");
    }

    @Test
    void evictionsWithProbes() {
        start(256, "--eviction_high_watermark_ratio=0.6", "--eviction_ratio=0.2");
        evictAndMeasure("evicted, unpublished; 256 probes a second");
    }

    @Test
    void segmentLost() {
        start(0);
        synced();
        int objects = 0;
        try (StoreClient other = StoreClient.connect(master, 32L << 20)) {
            for (; objects < 200; objects++) {
                other.put(name(objects));
            }
            synced();
        }
        // Its objects may lie in either client's memory.
        long closed = System.nanoTime();
        int put = objects;
        until("segment gone", () -> truth().size() < put || ms(closed) > 20_000);
        if (truth().size() == put) {
            RESULTS.put("segment lost: still listed after 20 s", put);
            return;
        }
        measure("memory of a client that left; listings alone", LISTING_INTERVAL_S + 2, () -> {});
    }

    @Test
    void leases() {
        start(0);
        puts(0, 2 * LEASED);
        synced();
        refused("listing", 0, () -> {
            long before = feed.status().count(PoolCounter.LISTINGS);
            feed.relist();
            until("listed", () -> feed.status().count(PoolCounter.LISTINGS) > before);
        });
        refused("batch_query_keys", 16, () -> admin.probe(names(16, 32), new byte[16]));
        refused("batch_is_exist", 32, () -> client.batchIsExist(names(32, 48)));
        refused("nothing", 48, () -> {});
    }

    @Test
    void sizeOfAListing() {
        start(0);
        puts(0, 20_000);
        synced();
        feed.relist();
        until("doubted", () -> !port.counts());
        until("listed", port::counts);
        PoolFeedStatus status = feed.status();
        RESULTS.put("listingOf", status.listedNames());
        RESULTS.put("listingMs", status.listingMs());
    }

    /** Puts a hundred objects and removes others, and has all that is published of it lost, in however many messages. */
    private void loseTwoHundred() {
        long before = published();
        proxy.lose(true);
        puts(1_000, 1_100);
        removes(0, 100);
        long[] since = {System.nanoTime(), 0};
        until("lost", () -> {
            long lost = proxy.lost();
            if (lost != since[1] || lost == 0 || published() - before != lost) {
                since[0] = System.nanoTime();
                since[1] = lost;
            }
            return ms(since[0]) > 100;
        });
    }

    private long published() {
        try (MooncakeAdmin asked = new MooncakeAdmin(master.adminUrl(), PATIENCE_MS)) {
            return asked.published().batches();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void evictAndMeasure(String row) {
        synced();
        byte[] value = new byte[64 << 10];
        int objects = 0;
        do {
            String name = name(objects++);
            until("stored", () -> client.putStatus(name, value) == StoreStatus.OK);
        } while (truth().size() == objects);
        measure(row, LISTING_INTERVAL_S + 2, () -> {});
    }

    private void start(int probesPerSecond, String... flags) {
        NativePackages.assumeStore();
        master = MasterProcess.start(folder, flags);
        client = StoreClient.connect(master, 32L << 20);
        proxy = new LossyProxy(master.eventsEndpoint());
        followThrough(probesPerSecond);
    }

    private void followThrough(int probesPerSecond) {
        PoolConfig defaults = PoolConfig.defaults();
        PoolConfig config = new PoolConfig(
                proxy.endpoint,
                master.adminUrl(),
                "",
                "default",
                List.of(PoolLayout.of("llama")),
                LISTING_INTERVAL_S,
                probesPerSecond,
                PATIENCE_MS,
                defaults.ttlS(),
                defaults.capacityPages());
        admin = new MooncakeAdmin(master.adminUrl(), PATIENCE_MS);
        feed = new PoolFeed(config, "auto", admin, admin, port, Throwable::printStackTrace);
        feed.layout(0, LAYOUT);
    }

    /** Until what counts is what is there, over an idle second, so that no listing of the start is still to come. */
    private void synced() {
        until("in step", () -> port.counted().equals(truth()) && feed.status().lastSequence() >= 0 && port.counts());
    }

    /** Notes how wrong the picture is, brings on what lets it be found, and waits until it is true. */
    private void measure(String row, int boundS, Runnable then) {
        measure(row, boundS, port.counted(), System.nanoTime(), then);
    }

    private void measure(String row, int boundS, Set<String> counted, long from, Runnable then) {
        PoolFeedStatus before = feed.status();
        Set<String> truth = truth();
        Set<String> stale = new HashSet<>(counted);
        stale.removeAll(truth);
        Set<String> missing = new HashSet<>(truth);
        missing.removeAll(counted);
        then.run();
        long[] noticed = {-1};
        until("repaired", () -> {
            boolean moved = !port.counted().equals(counted);
            noticed[0] = noticed[0] < 0 && moved ? ms(from) : noticed[0];
            return moved && port.counted().equals(truth());
        });
        long repaired = ms(from);
        PoolFeedStatus after = feed.status();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("counted", counted.size());
        figures.put("stale", stale.size());
        figures.put("missing", missing.size());
        figures.put("noticedMs", noticed[0]);
        figures.put("repairedMs", repaired);
        figures.put("statedMs", 1_000 * boundS);
        for (PoolCounter cost : List.of(PoolCounter.LISTINGS, PoolCounter.LISTED_OBJECTS, PoolCounter.PROBES)) {
            figures.put(cost.name().toLowerCase(Locale.ROOT), after.count(cost) - before.count(cost));
        }
        show(row, figures);
        assertEquals(truth(), port.counted());
    }

    private static void show(String row, Map<String, Object> figures) {
        RESULTS.put(row, figures);
        System.out.printf(Locale.ROOT, "%-46s %s%n", row, figures);
    }

    /** Asks for 16 objects whose lease is over, and counts which of them cannot be removed at once: its lease was renewed. */
    private void refused(String way, int from, Runnable ask) {
        List<String> names = names(from, from + 16);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2L * MasterProcess.LEASE_MS));
        ask.run();
        int refused = 0;
        for (String name : names) {
            int status = client.removeStatus(name, false);
            assertTrue(status == StoreStatus.OK || status == -706, name + ": " + StoreStatus.text(status));
            refused += status == StoreStatus.OK ? 0 : 1;
        }
        RESULTS.put("leasesRenewed of 16 by " + way, refused);
        System.out.printf(Locale.ROOT, "leases renewed by %-28s %d of 16%n", way, refused);
    }

    private void puts(int from, int to) {
        names(from, to).forEach(name -> client.put(name));
    }

    private void removes(int from, int to) {
        names(from, to).forEach(name -> client.remove(name));
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

    private static List<String> names(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int i = from; i < to; i++) {
            names.add(name(i));
        }
        return names;
    }

    private static String name(int number) {
        return "llama_" + String.format("%064x", number / 2 + 1) + "_0_" + (number % 2 == 0 ? "k" : "v");
    }

    private static long ms(long fromNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNs);
    }

    private void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() < deadline,
                    () -> "not within 60 s: " + what + "; " + port.words() + " " + feed.status());
            LockSupport.parkNanos(2_000_000);
        }
    }
}
