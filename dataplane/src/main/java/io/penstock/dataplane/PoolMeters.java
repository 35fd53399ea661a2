package io.penstock.dataplane;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.dataplane.pool.PoolCounter;
import io.penstock.dataplane.pool.PoolFeedStatus;
import io.penstock.dataplane.pool.PoolState;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What a shared pool's feed counts, for {@code /metrics}; there only where a pool is configured.
 *
 * <p><b>Threading:</b> stateless.
 */
final class PoolMeters {
    private final Supplier<PoolFeedStatus> status;
    private final MeterRegistry registry;

    private PoolMeters(Supplier<PoolFeedStatus> status, MeterRegistry registry) {
        this.status = status;
        this.registry = registry;
    }

    /** Registers all of it. */
    static void register(Supplier<PoolFeedStatus> status, MeterRegistry registry) {
        PoolMeters meters = new PoolMeters(status, registry);
        meters.gauge(
                "live",
                "1 while what the master tells is applied as it comes",
                s -> s.state() == PoolState.LIVE ? 1 : 0);
        meters.gauge("connected", "1 while the master's event socket is connected", s -> s.connected() ? 1 : 0);
        meters.gauge(
                "lag.ms",
                "Wall clock minus the timestamp of the last message when it was taken",
                PoolFeedStatus::lagMs);
        meters.gauge("stalled.ms", "How long the pipeline has refused what the feed tells", PoolFeedStatus::stalledMs);
        meters.gauge("listed.ms", "When the last complete listing ended, ms since 1970", PoolFeedStatus::listedAtMs);
        meters.gauge("listing.ms", "How long the last complete listing took", PoolFeedStatus::listingMs);
        for (PoolCounter counter : PoolCounter.values()) {
            String name = counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
            // A meter holds its object weakly, its function for good; the supplier as its object would soon be
            // collected.
            FunctionCounter.builder(
                            "penstock.pool.feed." + name,
                            registry,
                            r -> status.get().count(counter))
                    .description("Shared pool's feed: " + name.replace('.', ' '))
                    .register(registry);
        }
    }

    private void gauge(String name, String description, ToDoubleFunction<PoolFeedStatus> value) {
        Gauge.builder("penstock.pool.feed." + name, () -> value.applyAsDouble(status.get()))
                .description(description)
                .register(registry);
    }
}
