package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.EventFrames;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;

/**
 * One replay: a dealer of its own, so that late replies of an earlier one can never be taken for this one's.
 *
 * <p><b>Threading:</b> owned by a reader.
 */
final class Replay implements AutoCloseable {
    private static final byte[] DELIMITER = {};

    /** Why a replay is asked for. */
    enum Purpose {
        /** Is the engine the one we knew? Asked from the last batch known, inclusive. */
        PROOF,
        /** The same question after silence, without any reason to doubt. */
        CHECK,
        /** Nothing is known: everything from the start. */
        PAST,
        /** Something is wrong with what is known: everything from the start, if the engine still has it. */
        REBUILD
    }

    final Purpose purpose;
    final ZmqSocket socket;

    /** Whether a reply was taken: the first one decides. */
    boolean answered;

    /** Batches taken out of it. */
    int applied;

    /** Last sign of life, milliseconds. */
    long progressMs;

    /**
     * Asks.
     *
     * @throws IllegalArgumentException if the endpoint cannot be connected to
     */
    Replay(ZmqTransport transport, String endpoint, Purpose purpose, long from, long nowMs) {
        this.purpose = purpose;
        this.progressMs = nowMs;
        socket = transport.dealer(endpoint);
        socket.send(DELIMITER, EventFrames.replayRequest(from));
    }

    /** Sequence number of a message: of its last two parts. */
    static long sequence(ZmqMessage message) {
        int parts = message.parts();
        if (!message.intact() || parts < 2) {
            return EventFrames.BAD;
        }
        return EventFrames.sequence(
                message.bytes(), message.start(parts - 2), message.length(parts - 2), message.length(parts - 1));
    }

    @Override
    public void close() {
        socket.close();
    }
}
