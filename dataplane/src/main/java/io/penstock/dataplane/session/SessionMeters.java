package io.penstock.dataplane.session;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.bindings.harness.IdentitySource;
import java.util.function.ToDoubleFunction;

/**
 * Shows a {@link SessionTable} in {@code /metrics}.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class SessionMeters {
    private SessionMeters() {}

    /** Registers the table's figures. */
    public static void register(SessionTable table, MeterRegistry registry) {
        Gauge.builder("penstock.sessions", table, SessionTable::size)
                .description("Sessions of agents known")
                .register(registry);
        count(registry, table, "penstock.sessions.started", "Sessions seen first", SessionTable::started);
        count(registry, table, "penstock.sessions.expired", "Sessions forgotten, idle too long", SessionTable::expired);
        count(registry, table, "penstock.sessions.evicted", "Sessions forgotten: too many", SessionTable::evicted);
        count(
                registry,
                table,
                "penstock.sessions.too.long",
                "Records of sessions with too long names",
                SessionTable::tooLong);
        count(registry, table, "penstock.sessions.ended", "Markers of a session's end", SessionTable::finals);
        for (IdentitySource source : IdentitySource.values()) {
            FunctionCounter.builder("penstock.identified", table, t -> t.requests(source))
                    .description("Requests ended, by where the agent's name was found")
                    .tag("source", source.label())
                    .register(registry);
        }
    }

    private static void count(
            MeterRegistry registry,
            SessionTable table,
            String name,
            String description,
            ToDoubleFunction<SessionTable> value) {
        FunctionCounter.builder(name, table, value).description(description).register(registry);
    }
}
