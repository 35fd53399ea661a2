package io.penstock.dataplane.sinks;

import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqPoll;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.sinks.SinkCounts.ToolEvent;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes tool events from agents: a ZMQ PULL socket that harnesses' plugins push to. What cannot be used is dropped, counted
 * by its reason, and told once for each reason.
 *
 * <p>An endpoint that cannot be bound is an error in the log; the router serves on.
 *
 * <p><b>Threading:</b> runs the thread {@code penstock-tools}, which owns the socket; made and closed by one thread.
 */
final class ToolEventIngress implements AutoCloseable, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolEventIngress.class);
    private static final int WAIT_MS = 50;
    private static final int MAX_BYTES = 1 << 20;
    private static final long JOIN_SECONDS = 10;

    private final String endpoint;
    private final String transport;
    private final RequestPort port;
    private final SinkCounts counts;
    private final ToolEventDecoder decoder;
    private final ZmqMessage message = new ZmqMessage(MAX_BYTES);
    private final Set<ToolEvent> told = EnumSet.of(ToolEvent.TAKEN, ToolEvent.TOPIC);
    private final Thread thread;
    private volatile boolean ending;
    private volatile boolean taking = true;

    ToolEventIngress(String endpoint, String topic, String transport, RequestPort port, SinkCounts counts) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.port = port;
        this.counts = counts;
        decoder = new ToolEventDecoder(topic.getBytes(StandardCharsets.UTF_8));
        thread = Thread.ofPlatform().name("penstock-tools").daemon(true).start(this);
    }

    @Override
    public void run() {
        try (ZmqTransport zmq = ZmqTransport.open(transport);
                ZmqPoll poll = zmq.poll();
                ZmqSocket socket = zmq.puller(endpoint)) {
            LOG.info("tool events are taken: endpoint={}", endpoint);
            poll.add(socket);
            while (!ending) {
                if (poll.await(WAIT_MS)) {
                    read(socket);
                }
            }
        } catch (IllegalArgumentException unbound) {
            LOG.error("tool events are not taken: {}", unbound.getMessage());
        } finally {
            taking = false;
        }
    }

    /** False once the endpoint could not be bound, or the end has come. */
    boolean isTaking() {
        return taking;
    }

    private void read(ZmqSocket socket) {
        while (!ending && socket.receive(message)) {
            ToolEvent result = decoder.read(message);
            if (result == ToolEvent.TAKEN && !port.note(decoder.record())) {
                result = ToolEvent.RING_FULL;
            }
            counts.of(result).increment();
            if (told.add(result)) {
                LOG.warn("a tool event is dropped, further ones are counted only: reason={}", result);
            }
        }
    }

    @Override
    public void close() {
        ending = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
