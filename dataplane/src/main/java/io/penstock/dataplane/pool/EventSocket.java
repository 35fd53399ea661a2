package io.penstock.dataplane.pool;

import io.penstock.bindings.events.EventFrames;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;

/**
 * The master's event socket: made again where it could not be, and watched for connections that came or went.
 *
 * <p><b>Threading:</b> owned by the feed's thread.
 */
final class EventSocket {
    private static final long RETRY_MS = 1_000;
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final ZmqTransport transport;
    private final String endpoint;
    private final PoolCounts counts;
    private final ZmqMessage message = new ZmqMessage(MAX_MESSAGE_BYTES);
    private ZmqSocket socket;
    private long nextMs;
    private long connections;
    private boolean connected;
    private String refusal;

    /** {@code endpoint} may be empty: then nothing is heard. */
    EventSocket(ZmqTransport transport, String endpoint, PoolCounts counts) {
        this.transport = transport;
        this.endpoint = endpoint;
        this.counts = counts;
    }

    /** Whether there is nothing to hear. */
    boolean silent() {
        return endpoint.isEmpty();
    }

    /** To wait for, or null. */
    ZmqSocket socket() {
        return socket;
    }

    /** Makes the socket where there is none; false if there is still none. */
    boolean open(long nowMs) {
        if (socket == null && !silent() && nowMs >= nextMs) {
            try {
                socket = transport.subscriber(endpoint, "");
                connections = 0;
                refusal = null;
            } catch (IllegalArgumentException refused) {
                counts.add(PoolCounter.SOCKET_FAILURES);
                refusal = refused.getMessage();
                nextMs = nowMs + RETRY_MS;
            }
        }
        return socket != null;
    }

    /** Why there is no socket, or null. */
    String refusal() {
        return refusal;
    }

    /** Whether a connection was made since the last question. What was heard before it is of another life, for all we know. */
    boolean connectedAnew() {
        long made = socket.connections();
        connected = socket.connected();
        boolean anew = made != connections;
        if (anew && connections > 0) {
            counts.add(PoolCounter.RECONNECTS);
        }
        connections = made;
        return anew;
    }

    /** Whether a connection stood at the last question. */
    boolean connected() {
        return connected;
    }

    /** Takes the next message; false if none is there. */
    boolean receive() {
        return socket != null && socket.receive(message);
    }

    /** The message's sequence number, or a negative number if it is none of the protocol's. */
    long sequence() {
        int payload = message.parts() - 1;
        return !message.intact() || payload < 1
                ? EventFrames.BAD
                : EventFrames.sequence(
                        message.bytes(),
                        message.start(payload - 1),
                        message.length(payload - 1),
                        message.length(payload));
    }

    /** Gives the message's payload to {@code contents}; false if it does not decode. */
    boolean tell(PoolContents contents) {
        int payload = message.parts() - 1;
        return contents.events(message.bytes(), message.start(payload), message.length(payload));
    }

    /** Drops the connection; another is made after a while. */
    void close(long nowMs) {
        if (socket != null) {
            socket.close();
            socket = null;
            connected = false;
            nextMs = nowMs + RETRY_MS;
        }
    }
}
