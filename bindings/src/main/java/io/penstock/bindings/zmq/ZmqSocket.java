package io.penstock.bindings.zmq;

/**
 * A connected socket that never waits.
 *
 * <p><b>Threading:</b> owned by the thread that made it.
 */
public interface ZmqSocket extends AutoCloseable {
    /** Reads a whole message into {@code message}; false if none is there. */
    boolean receive(ZmqMessage message);

    /** Sends a message of two parts; false if it cannot be queued. */
    boolean send(byte[] first, byte[] second);

    /**
     * Connections made so far. Asked after a message was received, it has counted the connection that the message came
     * on.
     */
    long connections();

    /** Whether a connection stands, as of the last {@link #connections}. */
    boolean connected();

    /** Drops the connection and what is queued. */
    @Override
    void close();
}
