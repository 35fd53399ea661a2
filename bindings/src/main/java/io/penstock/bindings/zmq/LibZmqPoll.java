package io.penstock.bindings.zmq;

import io.penstock.ffi.zmq.LibZmq;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code zmq_poll} over an array that is rebuilt only when the set of sockets changes.
 *
 * <p><b>Threading:</b> owned by the thread that owns the sockets. <b>Cost:</b> 16 bytes a socket; waiting allocates
 * nothing.
 */
final class LibZmqPoll implements ZmqPoll {
    private final MemorySegment capture = Arena.ofAuto().allocate(LibZmq.CAPTURE);
    private MemorySegment items = Arena.ofAuto().allocate(LibZmq.POLLITEM_BYTES * 64L, 8);
    private int count;

    @Override
    public void clear() {
        count = 0;
    }

    @Override
    public void add(ZmqSocket socket) {
        long at = (long) count * LibZmq.POLLITEM_BYTES;
        if (at == items.byteSize()) {
            items = Arena.ofAuto().allocate(2 * at, 8).copyFrom(items);
        }
        items.set(ValueLayout.JAVA_LONG, at, ((LibZmqSocket) socket).handle().address());
        items.set(ValueLayout.JAVA_INT, at + LibZmq.POLLITEM_FD, 0);
        items.set(ValueLayout.JAVA_SHORT, at + LibZmq.POLLITEM_EVENTS, LibZmq.ZMQ_POLLIN);
        items.set(ValueLayout.JAVA_SHORT, at + LibZmq.POLLITEM_REVENTS, (short) 0);
        count++;
    }

    @Override
    public boolean await(int timeoutMs) {
        if (LibZmq.poll(capture, items, count, timeoutMs) > 0) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            items.set(ValueLayout.JAVA_SHORT, revents(i), (short) 0);
        }
        return false;
    }

    @Override
    public boolean ready(int index) {
        return items.get(ValueLayout.JAVA_SHORT, revents(index)) != 0;
    }

    private static long revents(int index) {
        return (long) index * LibZmq.POLLITEM_BYTES + LibZmq.POLLITEM_REVENTS;
    }

    @Override
    public void close() {
        count = 0;
    }
}
