package io.penstock.dataplane.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.penstock.dataplane.hints.RequestHints;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.session.SessionTable;
import io.penstock.dataplane.tokens.PromptEncoder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The HTTP side of the router: the public port, the admin port, the connections to the engines.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class HttpFront implements AutoCloseable {
    private static final long LOOK_NS = 2_000_000;
    private static final long QUIET_MS = 1;
    private static final long END_MS = 2_000;

    private final HttpConfig config;
    private final FrontCounters counters;
    private final DecisionLog decisions;
    private final Front front;
    private final BodyBudget bodies;
    private final EventLoopGroup loops;
    private final HttpServer server;
    private final HttpServer admin;
    private boolean stopped;

    /**
     * What the front needs of the other rooms.
     *
     * @param requests takes requests for placement
     * @param encoder reads prompts
     * @param names knows models, adapters, workers, taints
     * @param health answers {@code /health} and {@code /ready}
     * @param admin does what the admin port is asked to
     * @param sessions what the admin port shows of sessions
     * @param payloads keeps bodies for traces, where that is asked for
     * @param hints makes hints that travel in requests
     * @param connectFailed hears of workers that could not be connected to, on an event loop
     * @param errors hears of failures that should not be; must be quick, may be told the same often
     * @param registry takes the front's own meters
     * @param metrics text of {@code /metrics}
     */
    public record Rooms(
            RequestPort requests,
            PromptEncoder encoder,
            FleetNames names,
            RouterHealth health,
            FleetAdmin admin,
            SessionTable sessions,
            PayloadCapture payloads,
            RequestHints hints,
            Consumer<String> connectFailed,
            Consumer<Throwable> errors,
            MeterRegistry registry,
            Supplier<String> metrics) {}

    private HttpFront(HttpConfig config, Rooms rooms, Transport transport) {
        this.config = config;
        bodies = new BodyBudget(config.maxInFlightBodyBytes());
        counters = new FrontCounters(rooms.registry(), bodies);
        decisions = new DecisionLog(config.decisionsKept());
        front = new Front(config, transport, rooms, counters, decisions);
        loops = transport.eventLoops(config.eventLoopThreads(), "penstock-http");
        try {
            Site site = new Site(
                    config,
                    new FrontResources(front, rooms.health(), rooms.metrics()),
                    counters,
                    bodies,
                    rooms.errors());
            server = new HttpServer(site, config.host(), config.port(), transport, loops);
            admin = config.adminPort() < 0 ? null : admin(config, rooms, transport);
        } catch (RuntimeException failed) {
            front.close();
            loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw failed;
        }
    }

    private HttpServer admin(HttpConfig settings, Rooms rooms, Transport transport) {
        Site site = new Site(
                settings,
                new AdminResources(rooms.admin(), decisions, rooms.sessions(), front.preparation()),
                counters,
                bodies,
                rooms.errors());
        return new HttpServer(site, settings.adminHost(), settings.adminPort(), transport, loops);
    }

    /**
     * Listens, from now on.
     *
     * @throws IllegalArgumentException if an address cannot be had
     */
    public static HttpFront start(HttpConfig config, Rooms rooms) {
        return start(config, rooms, Transport.best());
    }

    /** The same over a chosen transport. */
    static HttpFront start(HttpConfig config, Rooms rooms, Transport transport) {
        return new HttpFront(config, rooms, transport);
    }

    /** Public port in effect. */
    public int port() {
        return server.port();
    }

    /** Admin port in effect, or -1. */
    public int adminPort() {
        return admin == null ? -1 : admin.port();
    }

    /** The last decisions. */
    public DecisionLog decisions() {
        return decisions;
    }

    /** Requests being answered. */
    public long inFlight() {
        return counters.inFlight();
    }

    /** Takes nothing new, waits for the answers in flight as long as configured, then closes what is left. */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        server.stop();
        long until = System.nanoTime() + config.drainTimeoutMs() * 1_000_000L;
        while (counters.inFlight() > 0 && System.nanoTime() < until) {
            LockSupport.parkNanos(LOOK_NS);
        }
        if (admin != null) {
            admin.stop();
        }
        front.close();
        loops.shutdownGracefully(QUIET_MS, END_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    @Override
    public void close() {
        stop();
    }
}
