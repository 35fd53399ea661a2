package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
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
 *   <li>F3: events are told as they come, also during a listing ({@link PoolContents}).
 *   <li>F4: what the pipeline refuses is offered again before anything else is read.
 * </ul>
 *
 * <p><b>Threading:</b> owned by the feed's thread; {@link #figures} by any.
 */
final class PoolFollower {
    private static final int MESSAGES_PER_TURN = 64;
    private static final int ANSWERS_PER_TURN = 32;

    /** Questions without an answer, one after the other, after which the master is held to be gone. */
    private static final int SILENCE = 2;

    private final FeedTimes times;
    private final EventSocket socket;
    private final StoreErrands errands;
    private final PoolCounts counts;
    private final PoolOutbox outbox;
    private final PoolProbes probes;
    private final PoolContents contents;
    private final ListingPlan plan;
    private final EventSequence sequence = new EventSequence();
    private final PoolFigures figures = new PoolFigures();

    private boolean baseWanted = true;
    private long nextStatusMs;
    private int statusFailures;
    private ListingRun running;
    private boolean counting;
    private boolean publishing = true;
    private boolean drained;
    private String failure;
    private long stalledSinceMs;

    PoolFollower(
            PoolConfig config,
            FeedTimes times,
            ZmqTransport transport,
            PoolPort port,
            StoreErrands errands,
            PoolProbes probes,
            PoolCounts counts) {
        this.times = times;
        this.errands = errands;
        this.counts = counts;
        this.probes = probes;
        socket = new EventSocket(transport, config.eventsEndpoint(), counts);
        outbox = new PoolOutbox(port, counts);
        contents = new PoolContents(config.tenant(), config.layouts().size(), outbox, probes, counts);
        plan = new ListingPlan(times);
    }

    /** The socket to wait for, or null. */
    ZmqSocket interest() {
        return outbox.pending() ? null : socket.socket();
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

    /** The pipeline has lost what it was told. */
    void relist() {
        doubt("the pipeline has started over");
    }

    /** One turn: what waits, what time brings about, what has come. */
    void turn(long nowMs) {
        if (flush(nowMs)) {
            watch(nowMs);
            readEvents(nowMs);
            readAnswers(nowMs);
            if (!errands.busy() && flush(nowMs)) {
                lostTail(nowMs);
                order(nowMs);
            }
        }
        publish(nowMs);
    }

    /** Something that should not have happened did: start over, as with a master never heard. */
    void fail(RuntimeException error, long nowMs) {
        counts.add(PoolCounter.INTERNAL_FAILURES);
        doubt(error.toString());
        startOver();
        socket.close(nowMs);
    }

    void close() {
        socket.close(0);
    }

    PoolFigures figures() {
        return figures;
    }

    private boolean flush(long nowMs) {
        boolean done = outbox.flush();
        stalledSinceMs = done ? 0 : stalledSinceMs == 0 ? nowMs : stalledSinceMs;
        return done;
    }

    private void watch(long nowMs) {
        if (counting && running == null && plan.unchecked(nowMs)) {
            doubt("no complete listing for long" + (failure == null ? "" : ": " + failure));
        }
        if (socket.silent()) {
            // Listings alone tell.
            baseWanted = false;
        } else if (socket.open(nowMs)) {
            connection();
        } else if (socket.refusal() != null) {
            figures.cause(socket.refusal());
        }
    }

    private void connection() {
        boolean before = socket.connected();
        if (socket.connectedAnew()) {
            doubt("connected anew");
            startOver();
        } else if (before && !socket.connected()) {
            doubt("the master's event socket is not connected");
        }
    }

    /** The stream is to be taken up from where the master says it is. */
    private void startOver() {
        sequence.forget();
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
    }

    /** The listing that runs is of no use; one is due. */
    private void abandon() {
        if (running != null) {
            running.abandon();
            running = null;
            counts.add(PoolCounter.LISTINGS_ABANDONED);
        }
        plan.urgent();
    }

    private void failed(String cause) {
        failure = cause;
        if (!counting) {
            figures.cause(cause);
        }
    }

    private void readEvents(long nowMs) {
        drained = false;
        for (int i = 0; i < MESSAGES_PER_TURN && !drained && flush(nowMs); i++) {
            if (socket.receive()) {
                message(nowMs);
            } else {
                drained = true;
            }
        }
    }

    private void message(long nowMs) {
        counts.add(PoolCounter.MESSAGES);
        // Asked after the message was received: it may have come over a connection that is not known yet.
        connection();
        long number = socket.sequence();
        if (number < 0) {
            counts.add(PoolCounter.BAD_FRAMES);
            return;
        }
        switch (sequence.take(number)) {
            case NEXT -> apply(nowMs);
            case DUPLICATE -> counts.add(PoolCounter.DUPLICATE_MESSAGES);
            case GAP -> {
                counts.add(PoolCounter.GAPS);
                doubt("messages are missing before number " + number);
                apply(nowMs);
            }
            case BACK -> {
                another("the numbers stepped back to " + number);
                apply(nowMs);
            }
        }
    }

    private void another(String sign) {
        counts.add(PoolCounter.STEPS_BACK);
        doubt(sign + ": the master is another");
        startOver();
    }

    private void apply(long nowMs) {
        if (!socket.tell(contents)) {
            counts.add(PoolCounter.MALFORMED_BATCHES);
            doubt("a message does not decode");
            return;
        }
        figures.lagMs(nowMs - contents.timestampMs());
        if (running != null && contents.spoiled()) {
            abandon();
        }
    }

    private void readAnswers(long nowMs) {
        for (int i = 0; i < ANSWERS_PER_TURN && flush(nowMs); i++) {
            switch (errands.poll()) {
                case Answer.Listed chunk -> {
                    if (chunk.run() == running) {
                        contents.listed(chunk);
                    }
                }
                case Answer.ListingEnd end -> {
                    if (end.run() == running) {
                        listingEnd(end, nowMs);
                    }
                }
                case Answer.Status status -> status(status, nowMs);
                case Answer.Probed probed -> probed(probed.batch());
                case null -> {
                    return;
                }
            }
        }
    }

    private void listingEnd(Answer.ListingEnd end, long nowMs) {
        running = null;
        if (end.error() != null) {
            counts.add(PoolCounter.LISTINGS_FAILED);
            failed("the master gives no listing: " + end.error());
            plan.failed(nowMs);
            return;
        }
        counts.add(PoolCounter.LISTINGS);
        counts.add(PoolCounter.LISTED_FOREIGN_NAMES, end.foreign());
        counts.add(PoolCounter.LISTED_UNKNOWN_PARTS, end.unknownParts());
        contents.mark(PoolOutbox.LISTED);
        counting = true;
        failure = null;
        figures.listed(nowMs, nowMs - end.run().startMs, end.names());
        plan.done(nowMs);
    }

    private void probed(ProbeBatch batch) {
        if (probes.answered(batch, outbox, times.earlyStalePercent()) && counting) {
            counts.add(PoolCounter.LISTINGS_EARLY);
            plan.urgent();
        }
    }

    private void status(Answer.Status status, long nowMs) {
        if (status.error() != null) {
            counts.add(PoolCounter.MASTER_SILENT);
            String cause = "the master does not answer: " + status.error();
            failed(cause);
            if (counting && statusFailures >= SILENCE) {
                // Its event socket may stand behind another's and look well.
                doubt(cause);
                startOver();
            }
            long waitMs = (long) times.statusMs() << Math.min(statusFailures++, 16);
            nextStatusMs = nowMs + Math.min(times.maxBackoffMs(), waitMs);
            return;
        }
        statusFailures = 0;
        nextStatusMs = nowMs + times.statusMs();
        PoolMaster.Published published = status.published();
        if (published == null) {
            // Nothing is known of the stream's position: only time tells that the subscription stands.
            plan.notBefore(nowMs + (baseWanted ? times.settleMs() : 0));
            baseWanted = false;
            return;
        }
        boolean nameless = published.keyless() > 0 && !contents.named();
        publishing = published.enabled() && !nameless;
        if (!publishing) {
            doubt(
                    nameless
                            ? "the master leaves the objects' names out: start it with --kv_events_emit_object_key=true"
                            : "the master publishes no events: start it with --enable_kv_events=true");
        } else if (baseWanted) {
            sequence.base(published.highest());
            baseWanted = false;
        } else if (published.highest() < status.known()) {
            another("fewer messages were published than are known");
        } else {
            sequence.expect(published.batches(), nowMs);
        }
    }

    /** A message that was published and has not come, though nothing waits in the socket. */
    private void lostTail(long nowMs) {
        if (drained && sequence.overdue(nowMs, times.graceMs())) {
            counts.add(PoolCounter.LOST_TAILS);
            doubt("a message was published and has not come");
            startOver();
        }
    }

    private void order(long nowMs) {
        boolean heard = socket.silent() || socket.connected() && publishing && !baseWanted;
        if (!contents.names().any()) {
            return;
        }
        if (!socket.silent() && nowMs >= nextStatusMs) {
            errands.status(sequence.known());
        } else if (heard && plan.due(nowMs)) {
            running = new ListingRun(contents.names(), counting ? times.listedPerSecond() : 0, nowMs);
            contents.listing();
            contents.layoutsAgain();
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
        figures.connected(socket.connected());
        figures.state(state());
    }

    private PoolState state() {
        if (!contents.names().any()) {
            return PoolState.NO_LAYOUT;
        }
        if (counting) {
            return PoolState.LIVE;
        }
        if (socket.silent() || socket.connected()) {
            return publishing ? PoolState.DOUBTED : PoolState.NO_EVENTS;
        }
        return publishing ? PoolState.OFFLINE : PoolState.NO_EVENTS;
    }
}
