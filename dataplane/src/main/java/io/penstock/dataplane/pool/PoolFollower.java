package io.penstock.dataplane.pool;

import io.penstock.bindings.events.EventFrames;
import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;
import java.util.Objects;

/**
 * Follows a shared pool: its master's events as they come, and listings of all objects for what events do not tell.
 *
 * <ul>
 *   <li>F1: after a lost connection, a missing or undecodable message, or a step back, the pipeline is told that the pool is
 *       doubted before it is told anything else, and that it is listed only when a listing that began later is complete.
 *   <li>F2: the stream's position is asked for before a listing, and the first message beyond it must be the next one; so
 *       nothing falls between the listing and the events.
 *   <li>F3: events are told as they come, also during a listing. A listed object is passed over if an event said since the
 *       listing began that it is gone: a listing is older than the events that come while it is read.
 *   <li>F4: what the pipeline refuses is offered again before anything else is read.
 * </ul>
 *
 * <p><b>Threading:</b> owned by the feed's thread; {@link #figures} by any.
 */
final class PoolFollower {
    private static final int MESSAGES_PER_TURN = 64;
    private static final int ANSWERS_PER_TURN = 32;
    private static final long SOCKET_RETRY_MS = 1_000;
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final PoolConfig config;
    private final FeedTimes times;
    private final ZmqTransport transport;
    private final StoreErrands errands;
    private final PoolCounts counts;
    private final PoolOutbox outbox;
    private final PoolProbes probes;
    private final ListingPlan plan;
    private final EventSequence sequence = new EventSequence();
    private final ZmqMessage incoming;
    private final PoolContents contents;
    private final PoolFigures figures = new PoolFigures();

    private ZmqSocket events;
    private long nextSocketMs;
    private long connections;
    private boolean baseWanted = true;
    private long nextStatusMs;
    private int statusFailures;
    private long expected = -1;
    private long expectedSinceMs;
    private ListingRun running;
    private boolean counting;
    private boolean idle;
    private long stalledSinceMs;

    PoolFollower(
            PoolConfig config,
            FeedTimes times,
            ZmqTransport transport,
            PoolPort port,
            StoreErrands errands,
            PoolProbes probes,
            PoolCounts counts) {
        this.config = config;
        this.times = times;
        this.transport = transport;
        this.errands = errands;
        this.counts = counts;
        this.probes = probes;
        outbox = new PoolOutbox(port, counts);
        plan = new ListingPlan(times);
        incoming = new ZmqMessage(MAX_MESSAGE_BYTES);
        contents = new PoolContents(config.tenant(), config.layouts().size(), outbox, probes, counts);
    }

    /** The socket to wait for, or null. */
    ZmqSocket interest() {
        return outbox.pending() ? null : events;
    }

    /** Whether something waits that no socket tells of. */
    boolean eager() {
        return outbox.pending() || errands.answered();
    }

    /** A pool's layout; null: not known, or the engines disagree. Nothing of any pool counts before the next listing. */
    void layout(int pool, ObjectLayout layout) {
        if (!Objects.equals(layout, contents.names().layout(pool))) {
            contents.layout(pool, layout);
            doubt("the layout of pool " + pool + " is " + (layout == null ? "not known" : layout.describe()));
            outbox.mark(PoolOutbox.DOUBTED, pool);
        }
    }

    /** A page that an engine did not find. */
    void suspect(int pool, long[] pageKey) {
        probes.suspect(pool, pageKey);
    }

    /** One turn: what waits, what time brings about, what has come. */
    void turn(long nowMs) {
        if (flush(nowMs)) {
            watch(nowMs);
            readEvents(nowMs);
            readAnswers(nowMs);
            if (!errands.busy() && flush(nowMs)) {
                order(nowMs);
            }
        }
        publish(nowMs);
    }

    /** Something that should not have happened did: start over, as with a master never heard. */
    void fail(RuntimeException error, long nowMs) {
        counts.add(PoolCounter.INTERNAL_FAILURES);
        doubt(error.toString());
        close();
        nextSocketMs = nowMs + SOCKET_RETRY_MS;
    }

    void close() {
        if (events != null) {
            events.close();
            events = null;
            connections = 0;
            figures.connected(false);
        }
    }

    PoolFigures figures() {
        return figures;
    }

    private boolean flush(long nowMs) {
        boolean done = outbox.flush();
        stalledSinceMs = done ? 0 : stalledSinceMs == 0 ? nowMs : stalledSinceMs;
        return done;
    }

    private boolean silent() {
        return config.eventsEndpoint().isEmpty();
    }

    // ---- the connection

    private void watch(long nowMs) {
        if (counting && plan.unchecked(nowMs)) {
            doubt("no complete listing for long");
        }
        if (silent()) {
            // Listings alone tell.
            baseWanted = false;
            return;
        }
        if (events == null) {
            open(nowMs);
            return;
        }
        long made = events.connections();
        boolean connected = events.connected();
        if (figures.connected() && !connected) {
            doubt("the master's event socket is not connected");
        }
        figures.connected(connected);
        if (made != connections) {
            if (connections > 0) {
                counts.add(PoolCounter.RECONNECTS);
                doubt("connected anew");
            }
            connections = made;
            startOver();
        }
    }

    private void open(long nowMs) {
        if (nowMs < nextSocketMs) {
            return;
        }
        try {
            events = transport.subscriber(config.eventsEndpoint(), "");
            connections = 0;
        } catch (IllegalArgumentException refused) {
            counts.add(PoolCounter.SOCKET_FAILURES);
            figures.cause(refused.getMessage());
            nextSocketMs = nowMs + SOCKET_RETRY_MS;
        }
    }

    /** The stream is to be taken up from where the master says it is. */
    private void startOver() {
        sequence.forget();
        expected = -1;
        baseWanted = true;
        nextStatusMs = 0;
    }

    /** Nothing counts until a listing that begins from now on is complete. */
    private void doubt(String cause) {
        figures.cause(cause);
        if (counting) {
            counting = false;
            counts.add(PoolCounter.DOUBTED);
            contents.mark(PoolOutbox.DOUBTED);
        }
        abandon();
        plan.urgent();
    }

    private void abandon() {
        if (running != null) {
            running.abandon();
            running = null;
            counts.add(PoolCounter.LISTINGS_ABANDONED);
        }
    }

    // ---- events

    private void readEvents(long nowMs) {
        idle = events == null;
        for (int i = 0; i < MESSAGES_PER_TURN && !idle && flush(nowMs); i++) {
            if (events.receive(incoming)) {
                message(nowMs);
            } else {
                idle = true;
            }
        }
    }

    private void message(long nowMs) {
        counts.add(PoolCounter.MESSAGES);
        // Asked after the message was received: it may have come over a connection that is not known yet.
        if (events.connections() != connections) {
            watch(nowMs);
        }
        int payload = incoming.parts() - 1;
        long number = !incoming.intact() || payload < 1
                ? EventFrames.BAD
                : EventFrames.sequence(
                        incoming.bytes(),
                        incoming.start(payload - 1),
                        incoming.length(payload - 1),
                        incoming.length(payload));
        if (number < 0) {
            counts.add(PoolCounter.BAD_FRAMES);
            return;
        }
        switch (sequence.take(number)) {
            case NEXT -> apply(payload, nowMs);
            case DUPLICATE -> counts.add(PoolCounter.DUPLICATE_MESSAGES);
            case GAP -> {
                counts.add(PoolCounter.GAPS);
                doubt("messages are missing before number " + number);
                apply(payload, nowMs);
            }
            case BACK -> {
                counts.add(PoolCounter.STEPS_BACK);
                doubt("the numbers stepped back to " + number + ": the master is another");
                startOver();
                apply(payload, nowMs);
            }
        }
    }

    private void apply(int payload, long nowMs) {
        if (!contents.events(incoming.bytes(), incoming.start(payload), incoming.length(payload))) {
            counts.add(PoolCounter.MALFORMED_BATCHES);
            doubt("a message does not decode");
            return;
        }
        figures.lagMs(nowMs - contents.timestampMs());
        if (running != null && contents.spoiled()) {
            abandon();
            plan.urgent();
        }
    }

    // ---- listings, the master's state, probes

    private void readAnswers(long nowMs) {
        for (int i = 0; i < ANSWERS_PER_TURN && flush(nowMs); i++) {
            switch (errands.poll()) {
                case Answer.Listed chunk -> {
                    if (chunk.run() == running) {
                        contents.listed(chunk);
                    }
                }
                case Answer.ListingEnd end -> listingEnd(end, nowMs);
                case Answer.Status status -> status(status, nowMs);
                case Answer.Probed probed -> {
                    if (probes.answered(probed.batch(), outbox, times.earlyStalePercent()) && counting) {
                        counts.add(PoolCounter.LISTINGS_EARLY);
                        plan.urgent();
                    }
                }
                case null -> {
                    return;
                }
            }
        }
    }

    private void listingEnd(Answer.ListingEnd end, long nowMs) {
        if (end.run() != running) {
            return;
        }
        running = null;
        if (end.error() != null) {
            counts.add(PoolCounter.LISTINGS_FAILED);
            figures.cause("the master gives no listing: " + end.error());
            plan.failed(nowMs);
            return;
        }
        counts.add(PoolCounter.LISTINGS);
        counts.add(PoolCounter.LISTED_FOREIGN_NAMES, end.foreign());
        contents.mark(PoolOutbox.LISTED);
        counting = true;
        figures.listed(nowMs, nowMs - end.run().startMs, end.names());
        plan.done(nowMs);
    }

    private void status(Answer.Status status, long nowMs) {
        nextStatusMs = nowMs + times.statusMs();
        if (status.error() != null) {
            counts.add(PoolCounter.MASTER_SILENT);
            figures.cause("the master does not answer: " + status.error());
            long wait = (long) times.statusMs() << Math.min(statusFailures++, 16);
            nextStatusMs = nowMs + Math.min(times.maxBackoffMs(), wait);
            return;
        }
        statusFailures = 0;
        PoolMaster.Published published = status.published();
        if (published == null) {
            // Nothing is known of the stream's position: only time tells that the subscription stands.
            plan.notBefore(nowMs + (baseWanted ? times.settleMs() : 0));
            baseWanted = false;
            nextStatusMs = Long.MAX_VALUE;
            return;
        }
        figures.publishing(published.enabled() && published.keyless() == 0);
        if (!published.enabled() || published.keyless() > 0) {
            doubt(
                    published.enabled()
                            ? "the master leaves the objects' names out: start it with --kv_events_emit_object_key=true"
                            : "the master publishes no events: start it with --enable_kv_events=true");
            return;
        }
        if (baseWanted) {
            sequence.base(published.highest());
            baseWanted = false;
        } else if (published.highest() < status.heard()) {
            counts.add(PoolCounter.STEPS_BACK);
            doubt("the master has published less than was heard: it is another");
            startOver();
        } else if (published.batches() > sequence.known()) {
            expect(published.batches(), nowMs);
        }
    }

    private void expect(long number, long nowMs) {
        if (expected <= sequence.known()) {
            expected = number;
            expectedSinceMs = nowMs;
        }
    }

    /** A message that was published and has not come, though nothing waits in the socket. */
    private void lostTail(long nowMs) {
        if (idle && expected > sequence.known() && nowMs - expectedSinceMs >= times.graceMs()) {
            counts.add(PoolCounter.LOST_TAILS);
            doubt("message " + expected + " was published and has not come");
            startOver();
        }
    }

    private void order(long nowMs) {
        lostTail(nowMs);
        if (!contents.names().any()) {
            return;
        }
        boolean heard = silent() || figures.connected() && figures.publishing();
        if (!silent() && nowMs >= nextStatusMs) {
            errands.status(sequence.last());
        } else if (heard && !baseWanted && plan.due(nowMs)) {
            running = new ListingRun(contents.names(), counting ? times.listedPerSecond() : 0, nowMs);
            contents.listing();
            contents.mark(PoolOutbox.LISTING);
            plan.begun(nowMs);
            errands.list(running);
        } else if (counting) {
            ProbeBatch batch = probes.next(nowMs, contents.names());
            if (batch != null) {
                errands.probe(batch);
            }
        }
    }

    private void publish(long nowMs) {
        figures.stalledMs(stalledSinceMs == 0 ? 0 : Math.max(1, nowMs - stalledSinceMs));
        figures.sequence(sequence.known());
        figures.state(state());
    }

    private PoolState state() {
        if (!contents.names().any()) {
            return PoolState.NO_LAYOUT;
        }
        if (counting) {
            return PoolState.LIVE;
        }
        if (!silent() && !figures.publishing()) {
            return PoolState.NO_EVENTS;
        }
        return silent() || figures.connected() ? PoolState.DOUBTED : PoolState.OFFLINE;
    }
}
