package io.penstock.bindings.zmq;

/**
 * Waits for several sockets of one transport.
 *
 * <p><b>Threading:</b> owned by the thread that owns the sockets.
 */
public interface ZmqPoll extends AutoCloseable {
    /** Forgets all sockets. */
    void clear();

    /** Adds a socket; its index is the number of sockets added before. */
    void add(ZmqSocket socket);

    /** Waits until one can be read or the time is over; false if none can. */
    boolean await(int timeoutMs);

    /** Whether the socket at the index could be read when {@link #await} returned. */
    boolean ready(int index);

    /** Frees what the poll holds. */
    @Override
    void close();
}
