package io.penstock.dataplane.ingest;

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
    private final AppliedStream stream;
    private final Replay replay;
    private final FeedCounters counters = new FeedCounters();

    private ZmqSocket events;
    private ZmqMessage held;
    private boolean holding;

    private long proofConnections = UNPROVEN;
    private int unanswered;
    private long nextIdleProofMs = Long.MAX_VALUE;
    private long idleDelayMs = FIRST_IDLE_PROOF_MS;
    private long nextSocketMs;
    private long lastRebuildMs = NEVER_MS;

    private volatile FeedState state = FeedState.PROVING;
    private volatile boolean connected;
    private volatile boolean rebuildAsked;
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
        stream = new AppliedStream(target, port, decoder, counters);
        replay = new Replay(target, config, transport, stream, counters, incoming);
    }

    /** The socket that the feed waits for; null if it waits for time or for the pipeline. */
    ZmqSocket interest() {
        if (stream.pending()) {
            return null;
        }
        return replay.running() ? replay.socket() : proofConnections == UNPROVEN ? null : events;
    }

    /** Whether the pipeline has refused something that is to be offered again soon. */
    boolean stalled() {
        return stream.pending();
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
        if (connections != 0 && !connected) {
            // What the engine does now is not heard.
            stream.doubt();
        }
        if (connections != 0 && connections != proofConnections) {
            reconnected(nowMs);
        } else if (replay.running()) {
            if (replay.overdue(nowMs)) {
                timedOut(nowMs);
            }
        } else if (proofConnections != UNPROVEN) {
            if (rebuildAsked) {
                rebuild(nowMs);
            } else if (nowMs >= nextIdleProofMs && connected && target.replay() != null) {
                idleDelayMs = Math.min(config.idleProofMs(), 2 * idleDelayMs);
                ask(stream.sequence() < 0 ? Replay.Purpose.PAST : Replay.Purpose.CHECK, nowMs);
            }
        }
    }

    /** Reads what is there, up to the turn's share. */
    void read(long nowMs) {
        for (int i = 0; i < config.batchesPerTurn() && flush(nowMs); i++) {
            boolean more = replay.running() ? readReplay(nowMs) : proofConnections != UNPROVEN && readLive(nowMs);
            if (!more) {
                return;
            }
        }
    }

    private boolean flush(long nowMs) {
        boolean waited = stream.pending();
        boolean done = stream.flush(nowMs);
        if (waited && done) {
            replay.excuse(nowMs);
        }
        return done;
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
                stream.publishedSequence(),
                stream.lagMs(),
                stream.stalledMs(),
                lastError,
                counters.snapshot());
    }

    /** Something that should not have happened did: start over, as with an engine never heard. */
    void fail(RuntimeException error, long nowMs) {
        counters.add(FeedCounter.INTERNAL_FAILURES);
        lastError = error.toString();
        close();
        stream.abandon();
        holding = false;
        proofConnections = UNPROVEN;
        nextSocketMs = nowMs + SOCKET_RETRY_MS;
        state = FeedState.PROVING;
    }

    void close() {
        replay.end();
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
        stream.doubt();
        idleDelayMs = FIRST_IDLE_PROOF_MS;
        unanswered = 0;
        recover(nowMs);
    }

    /** Continuity is in doubt: prove it, or start again. */
    private void recover(long nowMs) {
        replay.end();
        proofConnections = events.connections();
        if (target.replay() == null) {
            becomeCold();
            goLive(nowMs);
            return;
        }
        state = FeedState.PROVING;
        if (stream.sequence() < 0) {
            becomeCold();
            ask(Replay.Purpose.PAST, nowMs);
        } else {
            ask(Replay.Purpose.PROOF, nowMs);
        }
    }

    private void ask(Replay.Purpose purpose, long nowMs) {
        try {
            replay.ask(purpose, nowMs);
        } catch (IllegalArgumentException refused) {
            replayRefused(refused, nowMs);
        }
    }

    private void replayRefused(IllegalArgumentException refused, long nowMs) {
        counters.add(FeedCounter.SOCKET_FAILURES);
        lastError = refused.getMessage();
        becomeCold();
        goLive(nowMs);
    }

    private void becomeCold() {
        if (stream.becomeCold()) {
            state = FeedState.COLD;
        }
    }

    private void rebuild(long nowMs) {
        rebuildAsked = false;
        if (target.replay() == null || replay.holed() || nowMs - lastRebuildMs < config.minReplayIntervalMs()) {
            counters.add(FeedCounter.REPLAY_REQUESTS_IGNORED);
            return;
        }
        lastRebuildMs = nowMs;
        ask(Replay.Purpose.REBUILD, nowMs);
    }

    private boolean readReplay(long nowMs) {
        Replay.Step step;
        try {
            step = replay.read(nowMs);
        } catch (IllegalArgumentException refused) {
            replayRefused(refused, nowMs);
            return true;
        }
        if (step == Replay.Step.ENDED || step == Replay.Step.GIVEN_UP) {
            goLive(nowMs);
            if (holding) {
                release(replay.answered(), nowMs);
            }
        }
        return step != Replay.Step.WAITING;
    }

    private void goLive(long nowMs) {
        state = FeedState.LIVE;
        stream.beginOverlap();
        unanswered = 0;
        nextIdleProofMs = nowMs + idleDelayMs;
    }

    /** The message that raised the doubt, now that the replay is over. */
    private void release(boolean answered, long nowMs) {
        holding = false;
        long sequence = Replay.sequence(held);
        if (stream.sequence() >= 0 && sequence <= stream.sequence()) {
            counters.add(FeedCounter.DUPLICATE_BATCHES);
        } else if (sequence == stream.sequence() + 1) {
            apply(sequence, held, nowMs);
        } else if (answered) {
            // The engine sends a batch before it takes a request for it: one that its replay lacks is not its own.
            counters.add(FeedCounter.FOREIGN_BATCHES);
        } else {
            becomeCold();
            state = FeedState.LIVE;
            apply(sequence, held, nowMs);
        }
    }

    private void timedOut(long nowMs) {
        counters.add(FeedCounter.REPLAY_TIMEOUTS);
        Replay.Purpose purpose = replay.purpose();
        unanswered++;
        if (!replay.answered() && (purpose == Replay.Purpose.CHECK || purpose == Replay.Purpose.REBUILD)) {
            // Nothing speaks against the engine: the live sequence is whole.
            if (purpose == Replay.Purpose.REBUILD) {
                rebuildAsked = true;
                lastRebuildMs = NEVER_MS;
            }
            replay.end();
            goLive(nowMs);
        } else if (unanswered >= config.replayAttempts() && (holding || hold())) {
            // The engine speaks but does not replay: its past cannot be had.
            replay.end();
            becomeCold();
            goLive(nowMs);
            release(false, nowMs);
        } else if (replay.answered()) {
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
            doubt(true, nowMs);
        } else if (sequence == stream.sequence() + 1) {
            apply(sequence, incoming, nowMs);
        } else if (sequence > stream.sequence()) {
            gap(sequence, nowMs);
        } else if (stream.isKnown(sequence, incoming)) {
            counters.add(FeedCounter.DUPLICATE_BATCHES);
        } else {
            doubt(false, nowMs);
        }
        return true;
    }

    private void gap(long sequence, long nowMs) {
        if (stream.sequence() >= 0) {
            counters.add(FeedCounter.GAPS);
        } else if (target.replay() == null) {
            apply(sequence, incoming, nowMs);
            return;
        }
        doubt(false, nowMs);
    }

    /** Puts the message aside and has the engine proven; without a replay socket goes on from the message, cold. */
    private void doubt(boolean connection, long nowMs) {
        holdIncoming();
        if (connection) {
            reconnected(nowMs);
        } else {
            stream.doubt();
            recover(nowMs);
        }
        if (!replay.running() && holding) {
            release(false, nowMs);
        }
    }

    private void apply(long sequence, ZmqMessage message, long nowMs) {
        nextIdleProofMs = nowMs + config.idleProofMs();
        stream.apply(sequence, message, false, nowMs);
    }
}
