package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.core.SlotBoard;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The core's thread: requests first, then a slice of KV events, then rest.
 *
 * <p>An exception out of the core is the core's end: requests are answered without it, its indexes are given up, a new
 * core is made once. The second time {@code onFatal} is told and the loop goes on answering without a core.
 *
 * <p><b>Threading:</b> runs on one thread; {@link #state}, {@link #indexes} and {@link #stop} from any.
 */
final class CoreLoop implements Runnable {
    private static final int SWEEP_STEPS = 256;

    private final PipelineConfig config;
    private final CoreIntake intake;
    private final EventPoller.Handler<RequestSlot> requestHandler = this::onRequest;
    private final EventPoller.Handler<EventSlot> eventHandler = this::onEvent;
    private final BooleanSupplier hasWork = this::hasWork;
    private final CoreWait wait;
    private final BlockBuffers buffers;
    private final SlotBoard board;
    private final DegradedRouting degraded;
    private final CounterFile counters;
    private final Roster roster;
    private final PoolRoster pools = new PoolRoster();
    private final IntFunction<RouterCore> cores;
    private final Runnable onReopened;
    private final Consumer<Throwable> onFatal;
    private final DecisionTeller teller;
    private final TappedInputs inputs;
    private final TappedMembers members;

    private RouterCore core;
    private int failures;
    private boolean reopenDue;
    private int budget;
    private BlockBuffer inHand;
    private volatile boolean running = true;
    private volatile PipelineView.State state = PipelineView.State.NORMAL;
    private volatile boolean indexesWanted;
    private volatile List<PipelineView.IndexFigures> indexes = List.of();
    private volatile List<PipelineView.PoolFigures> poolFigures = List.of();

    CoreLoop(
            PipelineConfig config,
            CoreIntake intake,
            RingBuffer<DecisionRecord> decisions,
            boolean tellsDecisions,
            CoreWait wait,
            BlockBuffers buffers,
            SlotBoard board,
            DegradedRouting degraded,
            CounterFile counters,
            IntFunction<RouterCore> cores,
            CoreTap tap,
            Runnable onReopened,
            Consumer<Throwable> onFatal) {
        this.config = config;
        this.intake = intake;
        teller = new DecisionTeller(decisions, tellsDecisions, counters);
        this.wait = wait;
        this.buffers = buffers;
        this.board = board;
        this.degraded = degraded;
        this.counters = counters;
        this.roster = new Roster(counters);
        this.cores = cores;
        this.onReopened = onReopened;
        this.onFatal = onFatal;
        CoreSeq seq = new CoreSeq(tap.firstSeq());
        inputs = new TappedInputs(tap, seq);
        members = new TappedMembers(tap, seq);
        core = cores.apply(0);
        inputs.started(0);
    }

    PipelineView.State state() {
        return state;
    }

    /** Figures of the last tick after somebody asked. */
    List<PipelineView.IndexFigures> indexes() {
        indexesWanted = true;
        return indexes;
    }

    /** Figures of shared pools, as of the last tick after somebody asked. */
    List<PipelineView.PoolFigures> pools() {
        indexesWanted = true;
        return poolFigures;
    }

    void stop() {
        running = false;
        wait.signalAllWhenBlocking();
    }

    @Override
    public void run() {
        wait.coreIs(Thread.currentThread());
        while (running) {
            boolean worked = poll(intake.requestPoller(), requestHandler);
            if (reopenDue) {
                reopen();
            } else {
                worked |= slice();
            }
            if (!worked) {
                wait.idle(hasWork);
            }
        }
        state = PipelineView.State.CLOSED;
        // What was published before is answered.
        poll(intake.requestPoller(), requestHandler);
        if (core != null) {
            try {
                inputs.ended();
                core.close();
            } catch (RuntimeException e) {
                counters.error(e);
            }
        }
    }

    private boolean hasWork() {
        return !running || intake.waits();
    }

    private static <E> boolean poll(EventPoller<E> poller, EventPoller.Handler<E> handler) {
        try {
            return poller.poll(handler) == EventPoller.PollState.PROCESSING;
        } catch (Exception e) {
            throw new IllegalStateException("a handler let an exception through", e);
        }
    }

    private boolean onRequest(RequestSlot event, long sequence, boolean endOfBatch) {
        RouteRequest request = event.request;
        if (core == null) {
            degraded(event);
        } else {
            try {
                decide(event);
            } catch (Throwable e) {
                fail(e);
                degraded(event);
            }
        }
        if (request != null) {
            event.request = null;
            try {
                request.reply.decided(request);
            } catch (RuntimeException e) {
                counters.increment(Counter.REPLIES_FAILED);
                counters.error(e);
            }
        }
        return true;
    }

    private void decide(RequestSlot event) {
        inputs.request(event, core);
        switch (event.kind) {
            case RequestSlot.ROUTE, RequestSlot.FINISHED, RequestSlot.NOTE ->
                teller.tell(event, core.pagePools().missed());
            case RequestSlot.TICK -> {
                teller.letGo();
                show();
                atRest();
            }
            default -> {}
        }
    }

    private void atRest() {
        if (inHand == null) {
            inputs.atRest(core);
        }
    }

    private void show() {
        core.show(board);
        if (indexesWanted) {
            indexesWanted = false;
            indexes = core.indexes();
            poolFigures = core.pagePools().figures();
        }
    }

    private void degraded(RequestSlot event) {
        if (event.kind == RequestSlot.ROUTE) {
            degraded.route(event.request);
            counters.increment(Counter.REQUESTS_DEGRADED);
        } else if (event.kind == RequestSlot.FINISHED && event.ticket >= 0) {
            degraded.finished(RouterCore.slotOf(event.ticket));
        }
        if (event.trace != null) {
            counters.increment(Counter.TRACES_DROPPED);
            event.trace = null;
        }
    }

    /** At most one slice of block steps; every event counts for one at least. */
    private boolean slice() {
        budget = config.sliceBlocks();
        if (inHand != null) {
            advance(true);
        }
        boolean worked = budget < config.sliceBlocks();
        if (budget > 0 && !reopenDue) {
            worked |= poll(intake.eventPoller(), eventHandler);
        }
        if (core != null && budget > 0) {
            try {
                worked |= inputs.sweep(Math.min(budget, SWEEP_STEPS), core) > 0;
                worked |= core.sweepPages(Math.min(budget, SWEEP_STEPS)) > 0;
            } catch (Throwable e) {
                fail(e);
            }
        }
        return worked || reopenDue;
    }

    private boolean onEvent(EventSlot event, long sequence, boolean endOfBatch) {
        budget--;
        if (core == null) {
            dropped(event);
        } else {
            try {
                core.time(event.timeNs);
                apply(event);
            } catch (Throwable e) {
                fail(e);
            }
        }
        event.clear();
        return budget > 0 && inHand == null && !reopenDue;
    }

    private void apply(EventSlot event) {
        switch (event.kind) {
            case EventSlot.STORED, EventSlot.REMOVED -> {
                inHand = event.blocks;
                // A budget used up by this very event leaves it for the next slice.
                inputs.blocks(event, budget, core);
                advance(false);
            }
            case EventSlot.CLEARED, EventSlot.BATCH_END, EventSlot.PROVEN, EventSlot.COLD, EventSlot.DOUBTED -> {
                inputs.slotEvent(event, core);
                atRest();
            }
            default -> {
                if (event.isMembership()) {
                    roster.apply(event, members.of(core, event.timeNs));
                    core.show(board);
                    indexes = core.indexes();
                } else {
                    pool(event);
                }
            }
        }
    }

    private void pool(EventSlot event) {
        inHand = event.blocks;
        pools.apply(event, core);
        if (inHand == null) {
            poolFigures = core.pagePools().figures();
            atRest();
        } else {
            advance(false);
        }
    }

    private void advance(boolean again) {
        try {
            if (core != null && budget > 0) {
                budget -= again && !core.pagePools().isPending() ? inputs.goOn(budget, core) : core.advance(budget);
            }
        } catch (Throwable e) {
            fail(e);
        }
        if (inHand != null && (core == null || !core.isPending())) {
            buffers.release(inHand);
            inHand = null;
        }
    }

    private void dropped(EventSlot event) {
        if (event.isMembership()) {
            roster.applyDegraded(event, board);
            return;
        }
        pools.remember(event);
        counters.increment(Counter.EVENTS_DEGRADED);
        if (event.blocks != null) {
            buffers.release(event.blocks);
        }
    }

    private void fail(Throwable cause) {
        failures++;
        inputs.failed();
        counters.increment(Counter.CORE_FAILURES);
        counters.error(cause);
        degraded.begin();
        state = PipelineView.State.DEGRADED;
        RouterCore failed = core;
        core = null;
        try {
            failed.abandon();
        } catch (Throwable e) {
            counters.error(e);
        }
        reopenDue = failures == 1;
        if (!reopenDue) {
            fatal(cause);
        }
    }

    private void reopen() {
        reopenDue = false;
        RouterCore fresh = null;
        try {
            fresh = cores.apply(failures);
            inputs.started(failures);
            long now = System.nanoTime();
            fresh.time(now);
            roster.tell(members.of(fresh, now));
            pools.tell(fresh);
            fresh.show(board);
            indexes = fresh.indexes();
            poolFigures = fresh.pagePools().figures();
            onReopened.run();
            core = fresh;
            counters.increment(Counter.CORE_REOPENED);
            state = PipelineView.State.NORMAL;
        } catch (Throwable e) {
            counters.error(e);
            if (fresh != null) {
                try {
                    fresh.abandon();
                } catch (Throwable second) {
                    counters.error(second);
                }
            }
            fatal(e);
        }
    }

    private void fatal(Throwable cause) {
        try {
            onFatal.accept(cause);
        } catch (RuntimeException e) {
            counters.error(e);
        }
    }
}
