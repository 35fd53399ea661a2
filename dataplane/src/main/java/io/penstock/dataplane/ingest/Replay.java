package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.EventFrames;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;

/**
 * Asks an engine for its past and applies the answer: the first reply decides whether it is the engine known, every
 * further one must follow without a hole, up to the end marker.
 *
 * <p>Each request has a dealer of its own, so that late replies to an earlier one can never be taken for this one's.
 *
 * <p><b>Threading:</b> owned by a reader.
 */
final class Replay {
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

    /** What a reading has come to. */
    enum Step {
        /** No reply is there. */
        WAITING,
        /** A reply was taken, more may be there. */
        GOING_ON,
        /** The end marker came. */
        ENDED,
        /** A rebuild that does not reach back was given up. */
        GIVEN_UP
    }

    private final FeedTarget target;
    private final IngestConfig config;
    private final ZmqTransport transport;
    private final AppliedStream stream;
    private final FeedCounters counters;
    private final ZmqMessage incoming;

    private ZmqSocket socket;
    private Purpose purpose;
    private boolean answered;
    private int applied;
    private long progressMs;

    /** The engine's replay lacks a batch for good: asking for everything again brings no more than there is. */
    private boolean holed;

    /** The decoder knows salts and groups as far back as it can. */
    private boolean primed;

    Replay(
            FeedTarget target,
            IngestConfig config,
            ZmqTransport transport,
            AppliedStream stream,
            FeedCounters counters,
            ZmqMessage incoming) {
        this.target = target;
        this.config = config;
        this.transport = transport;
        this.stream = stream;
        this.counters = counters;
        this.incoming = incoming;
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

    /** Whether a replay is under way. */
    boolean running() {
        return socket != null;
    }

    ZmqSocket socket() {
        return socket;
    }

    Purpose purpose() {
        return purpose;
    }

    /** Whether the engine's past has a hole that nothing can fill. */
    boolean holed() {
        return holed;
    }

    /** Whether a reply was taken. */
    boolean answered() {
        return answered;
    }

    /** Whether no reply came for too long. */
    boolean overdue(long nowMs) {
        return nowMs - progressMs > config.replayTimeoutMs();
    }

    /** Time during which the pipeline took nothing is not the engine's. */
    void excuse(long nowMs) {
        progressMs = nowMs;
    }

    /**
     * Asks; an earlier request is forgotten.
     *
     * @throws IllegalArgumentException if the endpoint cannot be connected to
     */
    void ask(Purpose why, long nowMs) {
        end();
        counters.add(FeedCounter.REPLAYS);
        purpose = why;
        answered = false;
        applied = 0;
        progressMs = nowMs;
        boolean proof = asksForProof();
        long last = stream.sequence();
        long from = !proof ? 0 : primed ? last : Math.max(0, last - config.primeBatches());
        socket = transport.dealer(target.replay());
        socket.send(DELIMITER, EventFrames.replayRequest(from));
    }

    /** Ends the replay, whether or not it is complete. */
    void end() {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    /**
     * Takes one reply.
     *
     * @throws IllegalArgumentException if another request is needed and the endpoint cannot be connected to
     */
    Step read(long nowMs) {
        if (!socket.receive(incoming)) {
            return Step.WAITING;
        }
        progressMs = nowMs;
        long sequence = sequence(incoming);
        if (sequence == EventFrames.BAD) {
            // A lost reply is a hole, and the next one shows it.
            counters.add(FeedCounter.BAD_FRAMES);
        } else if (sequence == EventFrames.REPLAY_END) {
            return ended(nowMs);
        } else if (answered) {
            proceed(sequence, nowMs);
        } else if (!primed && asksForProof() && sequence < stream.sequence()) {
            stream.prime(incoming);
        } else {
            answered = true;
            primed = true;
            return first(sequence, nowMs);
        }
        return Step.GOING_ON;
    }

    private boolean asksForProof() {
        return purpose == Purpose.PROOF || purpose == Purpose.CHECK;
    }

    private Step ended(long nowMs) {
        if (!answered && purpose != Purpose.PAST) {
            startAgain(nowMs);
            return Step.GOING_ON;
        }
        // An engine without a past: there is nothing older to learn from.
        primed = true;
        end();
        return Step.ENDED;
    }

    private Step first(long sequence, long nowMs) {
        switch (purpose) {
            case PROOF, CHECK -> {
                if (stream.isLast(sequence, incoming)) {
                    counters.add(FeedCounter.PROVEN);
                    stream.proven();
                } else {
                    startAgain(nowMs);
                }
            }
            case PAST -> {
                if (sequence > 0) {
                    counters.add(FeedCounter.REPLAYS_TOO_SHORT);
                }
                apply(sequence, nowMs);
            }
            case REBUILD -> {
                if (sequence > 0) {
                    // What the engine has forgotten is worth more than what a rebuild would bring.
                    counters.add(FeedCounter.REPLAYS_TOO_SHORT);
                    end();
                    return Step.GIVEN_UP;
                }
                stream.becomeCold();
                apply(sequence, nowMs);
            }
        }
        return Step.GOING_ON;
    }

    private void proceed(long sequence, long nowMs) {
        if (sequence != stream.sequence() + 1) {
            counters.add(FeedCounter.REPLAYS_WITH_HOLES);
            if (applied > 0) {
                // A router drops replies beyond its high-water mark: what is missing may still come when asked again.
                ask(Purpose.PROOF, nowMs);
                return;
            }
            holed = true;
            stream.becomeCold();
        }
        apply(sequence, nowMs);
    }

    private void apply(long sequence, long nowMs) {
        applied++;
        stream.apply(sequence, incoming, true, nowMs);
    }

    private void startAgain(long nowMs) {
        holed = false;
        stream.becomeCold();
        ask(Purpose.PAST, nowMs);
    }
}
