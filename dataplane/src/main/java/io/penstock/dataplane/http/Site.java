package io.penstock.dataplane.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One server's part of the world: what it answers, to whom, and whether it still does.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class Site {
    private final HttpConfig config;
    private final Resources resources;
    private final FrontCounters counters;
    private final BodyBudget bodies;
    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();
    private final Consumer<Throwable> errors;
    private volatile boolean stopping;

    Site(
            HttpConfig config,
            Resources resources,
            FrontCounters counters,
            BodyBudget bodies,
            Consumer<Throwable> errors) {
        this.errors = errors;
        this.config = config;
        this.resources = resources;
        this.counters = counters;
        this.bodies = bodies;
    }

    HttpConfig config() {
        return config;
    }

    Resources resources() {
        return resources;
    }

    FrontCounters counters() {
        return counters;
    }

    /** Room for request bodies. */
    BodyBudget bodies() {
        return bodies;
    }

    /** Something failed that should not. */
    void failed(Throwable failure) {
        counters.refused(Refusal.INTERNAL);
        errors.accept(failure);
    }

    boolean stopping() {
        return stopping;
    }

    void opened(ClientConnection connection) {
        open.add(connection);
        if (stopping) {
            connection.stop();
        }
    }

    void closed(ClientConnection connection) {
        open.remove(connection);
    }

    int connections() {
        return open.size();
    }

    /** Idle connections go now, busy ones after their answer. */
    void stop() {
        stopping = true;
        for (ClientConnection connection : open) {
            connection.context().executor().execute(connection::stop);
        }
    }
}
