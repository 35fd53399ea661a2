package io.penstock.dataplane.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The shared pool that the engines keep pages of KV cache in: a Mooncake store. Without layouts there is none.
 *
 * <p>The number of a layout in {@code layouts} is the number of its pool in {@link PoolPort} and in requests.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param eventsEndpoint where the master publishes its KV events, {@code tcp://host:port}; empty: none, listings alone tell
 * @param adminUrl the master's admin port, {@code http://host:port}; empty: none, then nothing counts
 * @param masterAddress the master's own port, {@code host:port}, for probes through the C library; empty: probes go to the
 *     admin port, where they lengthen no object's life
 * @param tenant objects of other tenants are not ours
 * @param layouts one per model
 * @param listingIntervalS seconds from one listing of all objects to the next
 * @param probesPerSecond most objects asked for in a second between two listings; 0: none
 * @param timeoutMs how long the master may take for an answer, milliseconds
 * @param ttlS seconds after which a page that nothing has confirmed no longer counts
 * @param capacityPages pages of one layout that are remembered; then the page confirmed longest ago gives way
 */
public record PoolConfig(
        String eventsEndpoint,
        String adminUrl,
        String masterAddress,
        String tenant,
        List<PoolLayout> layouts,
        int listingIntervalS,
        int probesPerSecond,
        int timeoutMs,
        int ttlS,
        long capacityPages) {
    private static final int DAY_SECONDS = 86_400;
    private static final long MOST_PAGES = 1L << 28;

    /** Fills what was left out, refuses what cannot work. */
    public PoolConfig {
        eventsEndpoint = eventsEndpoint == null ? "" : eventsEndpoint;
        adminUrl = adminUrl == null ? "" : adminUrl;
        masterAddress = masterAddress == null ? "" : masterAddress;
        tenant = tenant == null ? "default" : tenant;
        layouts = layouts == null ? List.of() : List.copyOf(layouts);
        if (!eventsEndpoint.isEmpty() && !eventsEndpoint.startsWith("tcp://")) {
            throw new IllegalArgumentException("not a tcp:// address: pool.eventsEndpoint=" + eventsEndpoint);
        }
        if (!adminUrl.isEmpty() && !adminUrl.startsWith("http://") && !adminUrl.startsWith("https://")) {
            throw new IllegalArgumentException("not an http:// address: pool.adminUrl=" + adminUrl);
        }
        range("listingIntervalS", listingIntervalS, 1, DAY_SECONDS);
        range("probesPerSecond", probesPerSecond, 0, 1_000_000);
        range("timeoutMs", timeoutMs, 1, 600_000);
        range("ttlS", ttlS, 1, 30 * DAY_SECONDS);
        range("capacityPages", capacityPages, 1, MOST_PAGES);
        if (!layouts.isEmpty() && adminUrl.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing counts without a listing of the pool's objects: pool.adminUrl=" + adminUrl);
        }
        Set<String> models = new HashSet<>();
        for (PoolLayout layout : layouts) {
            if (!models.add(layout.model())) {
                throw new IllegalArgumentException("two layouts of one model: pool.layouts.model=" + layout.model());
            }
        }
    }

    /** No pool; listings each minute, 256 probes a second, a day's life, a million pages. */
    public static PoolConfig defaults() {
        return new PoolConfig("", "", "", "default", List.of(), 60, 256, 2_000, DAY_SECONDS, 1_000_000);
    }

    /** Whether there is a pool at all. */
    public boolean enabled() {
        return !layouts.isEmpty();
    }

    private static void range(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException("out of " + low + ".." + high + ": pool." + name + "=" + value);
        }
    }
}
