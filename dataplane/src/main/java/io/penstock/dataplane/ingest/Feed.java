package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.EventFrames;
import io.penstock.bindings.events.KvEventCursor;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;
import io.penstock.dataplane.pipeline.EventPort;

/**
 * The events of one rank of one worker: no gap and no other life of the engine passes unnoticed.
 *
 * <p>Live events wait in their socket while a replay runs. A replay is asked for at every connection, at every gap or
 * step back in the sequence, and after silence:
 * <ul>
 *   <li>I1: the first reply must be the last batch known, identical in sequence, timestamp and payload; otherwise the
 *       engine is another one (or has forgotten): the slot becomes cold and everything is asked for from 0.
 *   <li>I2: batches are applied in sequence without a hole; where one cannot be had, the slot becomes cold first.
 *   <li>I3: a message is applied only if no connection was made since the last replay began.
 *   <li>I4: what the pipeline refuses is offered again before anything else is read.
 * </ul>
 *
 * <p>Without a replay socket nothing can be proven: every connection and every gap makes the slot cold.
 *
 * <p><b>Threading:</b> owned by a reader; {@link #status}, {@link #askRebuild} by any thread. <b>Cost:</b> no allocation
 * for a live batch; a replay makes a socket.
 */
final class Feed {
    private static final long FIRST_IDLE_PROOF_MS = 250;
    private static final long SOCKET_RETRY_MS = 1_000;
    private static final int UNPROVEN = -1;
    private static final long NEVER_MS = Long.MIN_VALUE / 2;

    final FeedTarget target;

    private final IngestConfig config;
    private final ZmqTransport transport;
    private final ZmqMessage incoming;
    private final KvEventCursor cursor;
    private final Delivery delivery;
    private final FeedCounters counters = new FeedCounters();

    private ZmqSocket events;
    private Replay replay;
    private ZmqMessage held;
    private boolean holding;

    private long lastSequence;
    private long lastTimestampBits;
    private long lastHash;
    private boolean applying;

    /** Nothing of the slot counts that was not applied since it became cold. */
    private boolean clean;

    /** The decoder knows salts and groups as far back as it can. */
    private boolean primed;

    /** The pipeline was told what the slot is: proven, or cold. */
    private boolean told;

    private long proofConnections = UNPROVEN;
    private long overlapEnd = -1;
    private int unanswered;
    private long nextIdleProofMs = Long.MAX_VALUE;
    private long idleDelayMs;
    private long nextSocketMs;
    private long stalledSinceMs;
    private long lastRebuildMs = NEVER_MS;

    private volatile FeedState state = FeedState.PROVING;
    private volatile boolean connected;
    private volatile boolean rebuildAsked;
    private volatile long publishedSequence;
    private volatile long lagMs = -1;
    private volatile long stalledMs;
    private volatile String lastError;

    Feed(
            FeedTarget target,
            IngestConfig config,
            ZmqTransport transport,
            EventPort port,
            EventDecoder decoder,
            ZmqMessage incoming) {
        this.target = target;
        this.config = config;
        this.transport = transport;
        this.incoming = incoming;
        cursor = decoder.cursor(target.engine());
        delivery = new Delivery(
                port, decoder, cursor, counters, target.slot(), target.blockSize(), target.rank(), target.ranks() <= 1);
        lastSequence = target.position().sequence();
        lastTimestampBits = target.position().timestampBits();
        lastHash = target.position().batchHash();
        publishedSequence = lastSequence;
    }

    /** The socket that the feed waits for; null if it waits for time or for the pipeline. */
    ZmqSocket interest() {
        if (delivery.pending()) {
            return null;
        }
        return replay != null ? replay.socket : proofConnections == UNPROVEN ? null : events;
    }

    /** Whether the pipeline has refused something that is to be offered again soon. */
    boolean stalled() {
        return delivery.pending();
    }

    /** What only time brings about; called every few milliseconds. */
    void tick(long nowMs) {
        if (events == null) {
            openEvents(nowMs);
            return;
        }
        if (!flush(nowMs)) {
            return;
        }
        long connections = events.connections();
        connected = events.connected();
        if (connections != 0 && connections != proofConnections) {
            reconnected(nowMs);
        } else if (replay != null) {
            if (nowMs - replay.progressMs > config.replayTimeoutMs()) {
                timedOut(nowMs);
            }
        } else if (proofConnections != UNPROVEN) {
            if (rebuildAsked) {
                rebuild(nowMs);
            } else if (nowMs >= nextIdleProofMs && connected && target.replay() != null) {
                idleDelayMs = Math.min(config.idleProofMs(), 2 * idleDelayMs);
                ask(lastSequence < 0 ? Replay.Purpose.PAST : Replay.Purpose.CHECK, nowMs);
            }
        }
    }

    /** Reads what is there, up to the turn's share. */
    void read(long nowMs) {
        for (int i = 0; i < config.batchesPerTurn() && flush(nowMs); i++) {
            boolean more = replay != null ? readReplay(nowMs) : proofConnections != UNPROVEN && readLive(nowMs);
            if (!more) {
                return;
            }
        }
    }

    void askRebuild() {
        rebuildAsked = true;
    }

    FeedStatus status() {
        return new FeedStatus(
                target.worker(),
                target.rank(),
                target.slot(),
                state,
                connected,
                publishedSequence,
                lagMs,
                stalledMs,
                lastError,
                counters.snapshot());
    }

    /** Something that should not have happened did: start over, as with an engine never heard. */
    void fail(RuntimeException error, long nowMs) {
        counters.add(FeedCounter.INTERNAL_FAILURES);
        lastError = error.toString();
        close();
        delivery.abandon();
        applying = false;
        holding = false;
        told = false;
        proofConnections = UNPROVEN;
        lastSequence = -1;
        nextSocketMs = nowMs + SOCKET_RETRY_MS;
        state = FeedState.PROVING;
    }

    void close() {
        endReplay();
        if (events != null) {
            events.close();
            events = null;
        }
    }

    private void openEvents(long nowMs) {
        if (nowMs < nextSocketMs) {
            return;
        }
        try {
            events = transport.subscriber(target.events(), target.topic());
        } catch (IllegalArgumentException refused) {
            counters.add(FeedCounter.SOCKET_FAILURES);
            lastError = refused.getMessage();
            nextSocketMs = nowMs + SOCKET_RETRY_MS;
        }
    }

    private void reconnected(long nowMs) {
        if (proofConnections > 0) {
            counters.add(FeedCounter.RECONNECTS);
        }
        told = false;
        idleDelayMs = FIRST_IDLE_PROOF_MS;
        unanswered = 0;
        recover(nowMs);
    }

    /** Continuity is in doubt: prove it, or start again. */
    private void recover(long nowMs) {
        endReplay();
        proofConnections = events.connections();
        overlapEnd = -1;
        if (target.replay() == null) {
            becomeCold();
            goLive(nowMs);
            return;
        }
        state = FeedState.PROVING;
        if (lastSequence < 0) {
            becomeCold();
            ask(Replay.Purpose.PAST, nowMs);
        } else {
            ask(Replay.Purpose.PROOF, nowMs);
        }
    }

    private void ask(Replay.Purpose purpose, long nowMs) {
        endReplay();
        counters.add(FeedCounter.REPLAYS);
        boolean proof = purpose == Replay.Purpose.PROOF || purpose == Replay.Purpose.CHECK;
        long from = !proof ? 0 : primed ? lastSequence : Math.max(0, lastSequence - config.primeBatches());
        try {
            replay = new Replay(transport, target.replay(), purpose, from, nowMs);
        } catch (IllegalArgumentException refused) {
            counters.add(FeedCounter.SOCKET_FAILURES);
            lastError = refused.getMessage();
            becomeCold();
            goLive(nowMs);
        }
    }

    private void endReplay() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
    }

    private void becomeCold() {
        lastSequence = -1;
        overlapEnd = -1;
        if (!clean || !told) {
            delivery.cold();
            state = FeedState.COLD;
        }
        clean = true;
        told = true;
    }

    private void rebuild(long nowMs) {
        rebuildAsked = false;
        if (target.replay() == null || nowMs - lastRebuildMs < config.minReplayIntervalMs()) {
            counters.add(FeedCounter.REPLAY_REQUESTS_IGNORED);
            return;
        }
        lastRebuildMs = nowMs;
        ask(Replay.Purpose.REBUILD, nowMs);
    }

    private boolean readReplay(long nowMs) {
        if (!replay.socket.receive(incoming)) {
            return false;
        }
        replay.progressMs = nowMs;
        long sequence = Replay.sequence(incoming);
        if (sequence == EventFrames.BAD) {
            // A lost reply is a hole, and the next one shows it.
            counters.add(FeedCounter.BAD_FRAMES);
        } else if (sequence == EventFrames.REPLAY_END) {
            replayEnded(nowMs);
        } else if (replay.answered) {
            continueReplay(sequence, nowMs);
        } else if (isBefore(sequence)) {
            int payload = incoming.parts() - 1;
            delivery.prime(incoming.bytes(), incoming.start(payload), incoming.length(payload));
        } else {
            replay.answered = true;
            firstReply(sequence, nowMs);
        }
        return true;
    }

    /** A batch in front of the last known one: the index has it, but not what the decoder learns from it. */
    private boolean isBefore(long sequence) {
        return !primed && replay.purpose == Replay.Purpose.PROOF && sequence < lastSequence;
    }

    private void firstReply(long sequence, long nowMs) {
        primed = true;
        switch (replay.purpose) {
            case PROOF, CHECK -> {
                if (isLast(sequence, incoming)) {
                    counters.add(FeedCounter.PROVEN);
                    if (!told) {
                        delivery.proven();
                        told = true;
                    }
                    flush(nowMs);
                } else {
                    startAgain(nowMs);
                }
            }
            case PAST -> {
                if (sequence > 0) {
                    counters.add(FeedCounter.REPLAYS_TOO_SHORT);
                }
                replay.applied++;
                apply(sequence, incoming, true, nowMs);
            }
            case REBUILD -> {
                if (sequence > 0) {
                    // What the engine has forgotten is worth more than what a rebuild would bring.
                    counters.add(FeedCounter.REPLAYS_TOO_SHORT);
                    endReplay();
                    goLive(nowMs);
                } else {
                    becomeCold();
                    replay.applied++;
                    apply(sequence, incoming, true, nowMs);
                }
            }
        }
    }

    private void continueReplay(long sequence, long nowMs) {
        if (sequence != lastSequence + 1) {
            counters.add(FeedCounter.REPLAYS_WITH_HOLES);
            if (replay.applied > 0) {
                // A router drops replies beyond its high-water mark: what is missing may still come when asked again.
                ask(Replay.Purpose.PROOF, nowMs);
                return;
            }
            becomeCold();
        }
        replay.applied++;
        apply(sequence, incoming, true, nowMs);
    }

    private void startAgain(long nowMs) {
        becomeCold();
        ask(Replay.Purpose.PAST, nowMs);
    }

    private void replayEnded(long nowMs) {
        if (!replay.answered && replay.purpose != Replay.Purpose.PAST) {
            startAgain(nowMs);
            return;
        }
        boolean answered = replay.answered;
        endReplay();
        goLive(nowMs);
        if (holding) {
            release(answered, nowMs);
        }
    }

    private void goLive(long nowMs) {
        state = FeedState.LIVE;
        overlapEnd = lastSequence;
        unanswered = 0;
        idleDelayMs = Math.max(FIRST_IDLE_PROOF_MS, idleDelayMs);
        nextIdleProofMs = nowMs + idleDelayMs;
    }

    /** The message that raised the doubt, now that the replay is over. */
    private void release(boolean answered, long nowMs) {
        holding = false;
        long sequence = Replay.sequence(held);
        if (lastSequence >= 0 && sequence <= lastSequence) {
            counters.add(FeedCounter.DUPLICATE_BATCHES);
        } else if (sequence == lastSequence + 1) {
            apply(sequence, held, false, nowMs);
        } else if (answered) {
            // The engine sends a batch before it takes a request for it: one that its replay lacks is not its own.
            counters.add(FeedCounter.FOREIGN_BATCHES);
        } else {
            becomeCold();
            apply(sequence, held, false, nowMs);
        }
    }

    private void timedOut(long nowMs) {
        counters.add(FeedCounter.REPLAY_TIMEOUTS);
        Replay.Purpose purpose = replay.purpose;
        boolean begun = replay.answered;
        unanswered++;
        if (!begun && (purpose == Replay.Purpose.CHECK || purpose == Replay.Purpose.REBUILD)) {
            // Nothing speaks against the engine: the live sequence is whole.
            if (purpose == Replay.Purpose.REBUILD) {
                rebuildAsked = true;
                lastRebuildMs = NEVER_MS;
            }
            endReplay();
            goLive(nowMs);
        } else if (unanswered >= config.replayAttempts() && (holding || hold())) {
            // The engine speaks but does not replay: its past cannot be had.
            endReplay();
            becomeCold();
            goLive(nowMs);
            release(false, nowMs);
        } else if (begun) {
            recover(nowMs);
        } else {
            ask(purpose, nowMs);
        }
    }

    /** Takes a live message aside, if there is one. */
    private boolean hold() {
        while (events.receive(incoming)) {
            if (Replay.sequence(incoming) >= 0) {
                holdIncoming();
                return true;
            }
            counters.add(FeedCounter.BAD_FRAMES);
        }
        return false;
    }

    private void holdIncoming() {
        if (held == null) {
            held = new ZmqMessage(config.maxBatchBytes());
        }
        held.copyOf(incoming);
        holding = true;
    }

    private boolean readLive(long nowMs) {
        if (!events.receive(incoming)) {
            return false;
        }
        long sequence = Replay.sequence(incoming);
        // Asked after the message was received: it may have come over a connection that is not proven.
        boolean doubted = events.connections() != proofConnections;
        if (sequence < 0) {
            counters.add(FeedCounter.BAD_FRAMES);
            if (doubted) {
                reconnected(nowMs);
            }
        } else if (doubted) {
            doubt(nowMs, true);
        } else if (sequence == lastSequence + 1) {
            apply(sequence, incoming, false, nowMs);
        } else if (sequence > lastSequence) {
            gap(sequence, nowMs);
        } else if (isKnown(sequence)) {
            counters.add(FeedCounter.DUPLICATE_BATCHES);
        } else {
            doubt(nowMs, false);
        }
        return true;
    }

    private void gap(long sequence, long nowMs) {
        if (lastSequence >= 0) {
            counters.add(FeedCounter.GAPS);
        } else if (target.replay() == null) {
            apply(sequence, incoming, false, nowMs);
            return;
        }
        doubt(nowMs, false);
    }

    /** Puts the message aside and has the engine proven; without a replay socket goes on from the message, cold. */
    private void doubt(long nowMs, boolean connection) {
        holdIncoming();
        if (connection) {
            reconnected(nowMs);
        } else {
            recover(nowMs);
        }
        if (replay == null && holding) {
            release(false, nowMs);
        }
    }

    private boolean isLast(long sequence, ZmqMessage message) {
        int payload = message.parts() - 1;
        return sequence == lastSequence
                && lastHash
                        == EventDecoder.batchHash(message.bytes(), message.start(payload), message.length(payload))
                && lastTimestampBits == timestampBits(message);
    }

    private long timestampBits(ZmqMessage message) {
        int payload = message.parts() - 1;
        cursor.wrap(message.bytes(), message.start(payload), message.length(payload));
        return cursor.timestampBits();
    }

    /** A batch at or before the last: the replay brought it before the event socket did, or it came twice. */
    private boolean isKnown(long sequence) {
        return sequence <= overlapEnd
                        && Double.longBitsToDouble(timestampBits(incoming))
                                <= Double.longBitsToDouble(lastTimestampBits)
                || isLast(sequence, incoming);
    }

    private void apply(long sequence, ZmqMessage message, boolean replayed, long nowMs) {
        int payload = message.parts() - 1;
        delivery.batch(sequence, message.bytes(), message.start(payload), message.length(payload), replayed);
        applying = true;
        clean = false;
        nextIdleProofMs = nowMs + config.idleProofMs();
        flush(nowMs);
    }

    private boolean flush(long nowMs) {
        if (!delivery.pending()) {
            return true;
        }
        if (!delivery.flush()) {
            stalledSinceMs = stalledSinceMs == 0 ? nowMs : stalledSinceMs;
            stalledMs = Math.max(1, nowMs - stalledSinceMs);
            return false;
        }
        if (stalledSinceMs != 0) {
            stalledSinceMs = 0;
            stalledMs = 0;
            if (replay != null) {
                replay.progressMs = nowMs;
            }
        }
        if (applying) {
            applying = false;
            lastSequence = delivery.sequence();
            lastTimestampBits = delivery.timestampBits();
            lastHash = delivery.batchHash();
            publishedSequence = lastSequence;
            lagMs = nowMs - (long) (1000 * Double.longBitsToDouble(lastTimestampBits));
        }
        return true;
    }
}
