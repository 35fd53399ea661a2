package io.penstock.dataplane.http;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.hints.RequestHints;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.tokens.PromptEncoder;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What all requests of a router share.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class Front implements AutoCloseable {
    private final HttpConfig config;
    private final Transport transport;
    private final HttpFront.Rooms rooms;
    private final FrontCounters counters;
    private final DecisionLog decisions;
    private final ThreadPoolExecutor preparation;
    private final HostAddresses addresses;
    private final RequestIds ids = new RequestIds();
    private final Map<EventLoop, UpstreamPool> pools = new ConcurrentHashMap<>();

    Front(
            HttpConfig config,
            Transport transport,
            HttpFront.Rooms rooms,
            FrontCounters counters,
            DecisionLog decisions) {
        this.config = config;
        this.transport = transport;
        this.rooms = rooms;
        this.counters = counters;
        this.decisions = decisions;
        int threads = config.preparationThreadsInEffect();
        this.preparation = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(config.preparationQueue()),
                Thread.ofPlatform().daemon().name("penstock-prepare-", 1).factory());
        this.addresses = new HostAddresses(preparation);
    }

    HttpConfig config() {
        return config;
    }

    RequestPort requests() {
        return rooms.requests();
    }

    FleetNames names() {
        return rooms.names();
    }

    FrontCounters counters() {
        return counters;
    }

    /** Begins the trace of a request. */
    RequestTrace trace(ApiKind kind, HttpHeaders headers) {
        return new RequestTrace(kind, headers, ids.next(), rooms.payloads().begin(), counters);
    }

    PayloadCapture payloads() {
        return rooms.payloads();
    }

    RequestHints hints() {
        return rooms.hints();
    }

    DecisionLog decisions() {
        return decisions;
    }

    /** Runs what is too heavy for an event loop; refuses when its queue is full. */
    ThreadPoolExecutor preparation() {
        return preparation;
    }

    /** Hands a prompt to the encoder's own workers. */
    PromptEncoder encoder() {
        return rooms.encoder();
    }

    /** A worker could not be connected to. */
    void connectFailed(String worker) {
        rooms.connectFailed().accept(worker);
    }

    /** Something failed that should not. */
    void failed(Throwable failure) {
        rooms.errors().accept(failure);
    }

    /** Engine connections of an event loop; called on it. */
    UpstreamPool pool(EventLoop loop) {
        UpstreamPool pool = pools.get(loop);
        if (pool == null) {
            pool = new UpstreamPool(loop, transport, config, addresses);
            pools.put(loop, pool);
        }
        return pool;
    }

    @Override
    public void close() {
        pools.forEach((loop, pool) -> loop.execute(pool::close));
        preparation.shutdownNow();
    }
}
