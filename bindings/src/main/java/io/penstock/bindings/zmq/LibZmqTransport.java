package io.penstock.bindings.zmq;

import io.penstock.ffi.zmq.LibZmq;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * ZeroMQ through the native library: no allocation for a message.
 *
 * <p><b>Threading:</b> thread-safe; sockets and polls belong to the thread that asked for them.
 */
final class LibZmqTransport implements ZmqTransport {
    private static final AtomicLong MONITORS = new AtomicLong();
    private static final int HEARTBEAT_MS = 5_000;
    private static final int HEARTBEAT_TIMEOUT_MS = 15_000;

    private final MemorySegment context = LibZmq.ctxNew();

    LibZmqTransport() {
        // The default of 1,023 sockets would end at some five hundred engines.
        LibZmq.ctxSet(context, 2, 65_535);
    }

    @Override
    public String name() {
        return "libzmq";
    }

    @Override
    public ZmqSocket subscriber(String endpoint, String topic) {
        return open(LibZmq.ZMQ_SUB, endpoint, topic);
    }

    @Override
    public ZmqSocket dealer(String endpoint) {
        return open(LibZmq.ZMQ_DEALER, endpoint, null);
    }

    // The socket takes the arena over and closes it.
    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public ZmqSocket puller(String endpoint) {
        Arena arena = Arena.ofConfined();
        MemorySegment capture = arena.allocate(LibZmq.CAPTURE);
        MemorySegment socket = LibZmq.socket(capture, context, LibZmq.ZMQ_PULL);
        try {
            check(socket.address() == 0 ? -1 : 0, capture, endpoint);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_LINGER, 0);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_TCP_KEEPALIVE, 1);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_IPV6, endpoint.contains("[") ? 1 : 0);
            check(LibZmq.bindTo(capture, socket, arena.allocateFrom(endpoint)), capture, endpoint);
            return new LibZmqSocket(arena, capture, socket, MemorySegment.NULL);
        } catch (RuntimeException refused) {
            if (socket.address() != 0) {
                LibZmq.close(socket);
            }
            arena.close();
            throw refused;
        }
    }

    // The socket takes the arena over and closes it.
    @SuppressWarnings("MustBeClosedChecker")
    private ZmqSocket open(int type, String endpoint, String topic) {
        Arena arena = Arena.ofConfined();
        MemorySegment capture = arena.allocate(LibZmq.CAPTURE);
        MemorySegment socket = LibZmq.socket(capture, context, type);
        MemorySegment monitor = MemorySegment.NULL;
        try {
            check(socket.address() == 0 ? -1 : 0, capture, endpoint);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_LINGER, 0);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_RCVHWM, 0);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_SNDHWM, 0);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_TCP_KEEPALIVE, 1);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS);
            set(arena, capture, socket, endpoint, LibZmq.ZMQ_IPV6, endpoint.contains("[") ? 1 : 0);
            if (topic != null) {
                MemorySegment prefix = arena.allocateFrom(topic);
                long length = prefix.byteSize() - 1;
                check(LibZmq.setsockopt(capture, socket, LibZmq.ZMQ_SUBSCRIBE, prefix, length), capture, endpoint);
                monitor = watch(arena, capture, socket, endpoint);
            }
            check(LibZmq.connect(capture, socket, arena.allocateFrom(endpoint)), capture, endpoint);
            return new LibZmqSocket(arena, capture, socket, monitor);
        } catch (RuntimeException refused) {
            if (monitor.address() != 0) {
                LibZmq.close(monitor);
            }
            if (socket.address() != 0) {
                LibZmq.close(socket);
            }
            arena.close();
            throw refused;
        }
    }

    private MemorySegment watch(Arena arena, MemorySegment capture, MemorySegment socket, String endpoint) {
        MemorySegment address = arena.allocateFrom("inproc://penstock-monitor-" + MONITORS.incrementAndGet());
        int events = LibZmq.ZMQ_EVENT_CONNECTED | LibZmq.ZMQ_EVENT_DISCONNECTED;
        check(LibZmq.socketMonitor(capture, socket, address, events), capture, endpoint);
        MemorySegment pair = LibZmq.socket(capture, context, LibZmq.ZMQ_PAIR);
        check(pair.address() == 0 ? -1 : 0, capture, endpoint);
        try {
            set(arena, capture, pair, endpoint, LibZmq.ZMQ_LINGER, 0);
            check(LibZmq.connect(capture, pair, address), capture, endpoint);
            return pair;
        } catch (RuntimeException refused) {
            LibZmq.close(pair);
            throw refused;
        }
    }

    private static void set(
            Arena arena, MemorySegment capture, MemorySegment socket, String endpoint, int option, int value) {
        MemorySegment number = arena.allocateFrom(ValueLayout.JAVA_INT, value);
        check(LibZmq.setsockopt(capture, socket, option, number, Integer.BYTES), capture, endpoint);
    }

    private static void check(int rc, MemorySegment capture, String endpoint) {
        if (rc < 0) {
            throw new IllegalArgumentException(LibZmq.strerror(LibZmq.errno(capture)) + ": endpoint=" + endpoint);
        }
    }

    @Override
    public ZmqPoll poll() {
        return new LibZmqPoll();
    }

    @Override
    public void close() {
        LibZmq.ctxTerm(context);
    }
}
