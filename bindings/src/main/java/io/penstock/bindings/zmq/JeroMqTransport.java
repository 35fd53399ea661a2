package io.penstock.bindings.zmq;

import java.util.concurrent.atomic.AtomicLong;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * ZeroMQ in pure Java: works everywhere, at some 900 bytes of garbage a message.
 *
 * <p><b>Threading:</b> thread-safe; sockets and polls belong to the thread that asked for them.
 */
final class JeroMqTransport implements ZmqTransport {
    private static final AtomicLong MONITORS = new AtomicLong();
    private static final int HEARTBEAT_MS = 5_000;
    /**
     * JeroMQ now and then leaves a peer's handshake unread that comes in one piece with the greeting (10 of 400
     * connections on a busy machine); without a short limit it connects again only after 30 seconds.
     */
    private static final int HANDSHAKE_MS = 500;

    private static final int HEARTBEAT_TIMEOUT_MS = 15_000;

    private final ZContext context = new ZContext(1);

    JeroMqTransport() {
        context.setLinger(0);
        context.getContext().setMaxSockets(65_535);
    }

    @Override
    public String name() {
        return "jeromq";
    }

    @Override
    public ZmqSocket subscriber(String endpoint, String topic) {
        return open(SocketType.SUB, endpoint, topic);
    }

    @Override
    public ZmqSocket dealer(String endpoint) {
        return open(SocketType.DEALER, endpoint, null);
    }

    @Override
    public ZmqSocket puller(String endpoint) {
        ZMQ.Socket socket = context.createSocket(SocketType.PULL);
        try {
            socket.setLinger(0);
            socket.setTCPKeepAlive(1);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.setIPv6(endpoint.contains("["));
            if (!socket.bind(endpoint)) {
                throw new IllegalArgumentException("cannot be bound");
            }
            return new JeroMqSocket(socket, null);
        } catch (ZMQException | IllegalArgumentException refused) {
            socket.close();
            throw new IllegalArgumentException(refused.getMessage() + ": endpoint=" + endpoint, refused);
        }
    }

    private ZmqSocket open(SocketType type, String endpoint, String topic) {
        ZMQ.Socket socket = context.createSocket(type);
        ZMQ.Socket monitor = null;
        try {
            socket.setLinger(0);
            socket.setRcvHWM(0);
            socket.setSndHWM(0);
            socket.setTCPKeepAlive(1);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.setHeartbeatIvl(HEARTBEAT_MS);
            socket.setHeartbeatTimeout(HEARTBEAT_TIMEOUT_MS);
            socket.setIPv6(endpoint.contains("["));
            if (topic != null) {
                socket.subscribe(topic.getBytes(ZMQ.CHARSET));
                String address = "inproc://penstock-monitor-" + MONITORS.incrementAndGet();
                socket.monitor(address, ZMQ.EVENT_CONNECTED | ZMQ.EVENT_DISCONNECTED);
                monitor = context.createSocket(SocketType.PAIR);
                monitor.connect(address);
            }
            if (!socket.connect(endpoint)) {
                throw new IllegalArgumentException("cannot be connected to: endpoint=" + endpoint);
            }
            return new JeroMqSocket(socket, monitor);
        } catch (ZMQException | IllegalArgumentException refused) {
            if (monitor != null) {
                monitor.close();
            }
            socket.close();
            throw new IllegalArgumentException(refused.getMessage() + ": endpoint=" + endpoint, refused);
        }
    }

    @Override
    public ZmqPoll poll() {
        return new JeroMqPoll(context);
    }

    @Override
    public void close() {
        context.close();
    }
}
