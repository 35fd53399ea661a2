package io.penstock.bindings.zmq;

import io.penstock.ffi.zmq.LibZmq;

/**
 * ZeroMQ as Penstock needs it: subscribers and dealers without high-water marks, whose connections can be watched, and a
 * place where others push to.
 *
 * <p><b>Threading:</b> thread-safe; what it makes belongs to the thread that asked for it.
 */
public interface ZmqTransport extends AutoCloseable {
    /** Name in configuration and metrics. */
    String name();

    /**
     * A subscriber.
     *
     * @throws IllegalArgumentException if the endpoint cannot be connected to
     */
    ZmqSocket subscriber(String endpoint, String topic);

    /**
     * A dealer.
     *
     * @throws IllegalArgumentException if the endpoint cannot be connected to
     */
    ZmqSocket dealer(String endpoint);

    /**
     * A socket that others push to. It keeps ZeroMQ's own high-water mark: a reader that is behind slows its senders.
     *
     * @throws IllegalArgumentException if the endpoint cannot be bound
     */
    ZmqSocket puller(String endpoint);

    /** A poll for sockets of this transport. */
    ZmqPoll poll();

    /** Ends the context; all sockets must be closed. */
    @Override
    void close();

    /**
     * Opens a transport by name: {@code libzmq}, {@code jeromq}, or {@code auto}, which takes libzmq where it is
     * installed.
     *
     * @throws IllegalArgumentException if there is no such transport, or libzmq is asked for and missing
     */
    static ZmqTransport open(String name) {
        return switch (name) {
            case "auto" -> LibZmq.isAvailable() ? new LibZmqTransport() : new JeroMqTransport();
            case "jeromq" -> new JeroMqTransport();
            case "libzmq" -> {
                if (!LibZmq.isAvailable()) {
                    throw new IllegalArgumentException("libzmq.so.5 is not installed ("
                            + LibZmq.unavailabilityCause().getMessage() + "): transport=libzmq");
                }
                yield new LibZmqTransport();
            }
            default ->
                throw new IllegalArgumentException("transport must be auto, libzmq or jeromq: transport=" + name);
        };
    }
}
