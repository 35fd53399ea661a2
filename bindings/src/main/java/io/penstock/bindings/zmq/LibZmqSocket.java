package io.penstock.bindings.zmq;

import io.penstock.ffi.zmq.LibZmq;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A socket of libzmq with the monitor of its connections.
 *
 * <p><b>Threading:</b> owned by the thread that made it. <b>Cost:</b> no allocation for receiving; a send allocates.
 */
final class LibZmqSocket implements ZmqSocket {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final Arena arena;
    private final MemorySegment capture;
    private final MemorySegment socket;
    private final MemorySegment monitor;
    private final MemorySegment part;
    private long connections;
    private boolean connected;
    private boolean closed;

    LibZmqSocket(Arena arena, MemorySegment capture, MemorySegment socket, MemorySegment monitor) {
        this.arena = arena;
        this.capture = capture;
        this.socket = socket;
        this.monitor = monitor;
        this.part = arena.allocate(LibZmq.MSG_BYTES, 8);
    }

    MemorySegment handle() {
        return socket;
    }

    @Override
    public boolean receive(ZmqMessage message) {
        message.clear();
        LibZmq.msgInit(part);
        int length = LibZmq.msgRecv(capture, part, socket, LibZmq.ZMQ_DONTWAIT);
        if (length < 0) {
            LibZmq.msgClose(part);
            return false;
        }
        boolean more = true;
        while (more) {
            more = take(message);
            if (more) {
                LibZmq.msgInit(part);
                // The parts of a message arrive together: this one does not wait.
                if (LibZmq.msgRecv(capture, part, socket, 0) < 0) {
                    LibZmq.msgClose(part);
                    message.append(Long.MAX_VALUE);
                    return true;
                }
            }
        }
        return true;
    }

    private boolean take(ZmqMessage message) {
        long length = LibZmq.msgSize(part);
        int at = message.append(length);
        if (at >= 0) {
            MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, LibZmq.msgData(part), message.bytes(), at, (int) length);
        }
        boolean more = LibZmq.msgMore(part);
        LibZmq.msgClose(part);
        return more;
    }

    @Override
    public boolean send(byte[] first, byte[] second) {
        try (Arena parts = Arena.ofConfined()) {
            MemorySegment one = parts.allocateFrom(ValueLayout.JAVA_BYTE, first);
            MemorySegment two = parts.allocateFrom(ValueLayout.JAVA_BYTE, second);
            int flags = LibZmq.ZMQ_DONTWAIT;
            return LibZmq.send(capture, socket, one, first.length, flags | LibZmq.ZMQ_SNDMORE) >= 0
                    && LibZmq.send(capture, socket, two, second.length, flags) >= 0;
        }
    }

    @Override
    public long connections() {
        if (monitor.address() == 0) {
            return connections;
        }
        while (true) {
            LibZmq.msgInit(part);
            int length = LibZmq.msgRecv(capture, part, monitor, LibZmq.ZMQ_DONTWAIT);
            if (length < 0) {
                LibZmq.msgClose(part);
                return connections;
            }
            // An event is two parts: event u16 and value u32 in host order, then the address.
            if (LibZmq.msgMore(part) && length >= 6) {
                int event = ALL.get(U16, LibZmq.msgData(part)) & 0xffff;
                connected = event == LibZmq.ZMQ_EVENT_CONNECTED;
                connections += connected ? 1 : 0;
            }
            LibZmq.msgClose(part);
        }
    }

    @Override
    public boolean connected() {
        return connected;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (monitor.address() != 0) {
            LibZmq.socketMonitor(capture, socket, MemorySegment.NULL, 0);
            LibZmq.close(monitor);
        }
        LibZmq.close(socket);
        arena.close();
    }
}
