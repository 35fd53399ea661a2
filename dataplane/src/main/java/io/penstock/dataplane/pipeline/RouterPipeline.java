package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.core.SlotBoard;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pool.PoolPort;
import io.penstock.dataplane.routing.RoutingConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The rings around the core: requests and KV events in, decisions out.
 *
 * <p>Made, given its consumers, started, closed. What is offered before the start waits for it. Consumers of decisions are told everything unless they fall a whole
 * ring behind; then records are dropped and counted.
 *
 * <p><b>Threading:</b> set up by one thread; ports and view thread-safe. Runs the threads {@code penstock-core}, {@code
 * penstock-tick} and one per consumer.
 */
public final class RouterPipeline implements AutoCloseable {
    private static final long CLOSE_WAIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long CONSUMER_SLEEP_NS = 1_000_000;

    private final PipelineConfig config;
    private final CounterFile counters;
    private final RingBuffer<RequestSlot> requests;
    private final RingBuffer<EventSlot> events;
    private final RingBuffer<DecisionRecord> decisions;
    private final CoreIntake intake;
    private final RequestRing requestPort;
    private final EventRing eventPort;
    private final PoolRing poolPort;
    private final DegradedRouting degraded;
    private final SlotBoard board;
    private final CoreWait wait;
    private final BlockBuffers buffers = new BlockBuffers();
    private final java.util.function.IntFunction<RouterCore> cores;
    private final CoreTap tap;
    private final Consumer<Throwable> onFatal;
    private final List<BatchEventProcessor<DecisionRecord>> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Runnable> reopened = new ArrayList<>();
    private volatile CoreLoop loop;
    private volatile boolean closed;

    /**
     * A pipeline that has not yet started.
     *
     * @param indexes opens a pool's index
     * @param counters where all of it is counted; the caller closes it after the pipeline
     * @param onFatal told once, on the core's thread, when the core failed a second time or could not be made again; the
     *     pipeline then goes on without index until it is closed
     */
    public RouterPipeline(
            PipelineConfig config,
            CoreConfig core,
            RoutingConfig routing,
            PrefixIndexFactory indexes,
            CounterFile counters,
            Consumer<Throwable> onFatal) {
        this(config, core, routing, indexes, counters, CoreTap.NONE, onFatal);
    }

    /** The same, with somebody who hears all that the core takes and decides. */
    public RouterPipeline(
            PipelineConfig config,
            CoreConfig core,
            RoutingConfig routing,
            PrefixIndexFactory indexes,
            CounterFile counters,
            CoreTap tap,
            Consumer<Throwable> onFatal) {
        this.config = config;
        this.tap = tap;
        this.counters = counters;
        this.onFatal = onFatal;
        wait = new CoreWait(config.waitStrategy());
        requests = RingBuffer.createMultiProducer(RequestSlot::new, config.requestRingSlots(), wait);
        events = RingBuffer.createMultiProducer(EventSlot::new, config.eventRingSlots(), wait);
        intake = CoreIntake.of(requests, events);
        decisions = RingBuffer.createSingleProducer(
                DecisionRecord::new, config.decisionRingSlots(), new SleepingWaitStrategy(0, CONSUMER_SLEEP_NS));
        board = new SlotBoard(core.maxSlots());
        degraded = new DegradedRouting(board);
        requestPort = new RequestRing(requests, () -> view().state(), degraded, counters);
        eventPort = new EventRing(events, buffers, counters);
        poolPort = new PoolRing(eventPort);
        PrefixIndexFactory heard = tap.indexes(indexes);
        cores = life -> new RouterCore(core, routing, heard, counters, life);
    }

    /** Adds a consumer of decisions, with a thread of its own; before {@link #start}. */
    public void addConsumer(String name, EventHandler<DecisionRecord> handler) {
        if (loop != null) {
            throw new IllegalStateException("consumers come before the start: " + name);
        }
        BatchEventProcessor<DecisionRecord> consumer =
                new BatchEventProcessorBuilder().build(decisions, decisions.newBarrier(), handler);
        consumer.setExceptionHandler(new Recorded());
        decisions.addGatingSequences(consumer.getSequence());
        consumers.add(consumer);
        threads.add(thread("penstock-" + name, consumer));
    }

    /**
     * Has somebody told, on the core's thread, each time a core was made in place of one that failed: it begins with the workers and
     * without what was learnt of shared pools; before {@link #start}.
     */
    public void onReopened(Runnable listener) {
        if (loop != null) {
            throw new IllegalStateException("listeners come before the start");
        }
        reopened.add(listener);
    }

    /** Starts all threads. */
    public void start() {
        CoreLoop started = new CoreLoop(
                config,
                intake,
                decisions,
                !consumers.isEmpty(),
                wait,
                buffers,
                board,
                degraded,
                counters,
                cores,
                tap,
                () -> reopened.forEach(Runnable::run),
                onFatal);
        loop = started;
        threads.addFirst(thread("penstock-core", started));
        threads.add(1, thread("penstock-tick", this::tick));
        threads.forEach(Thread::start);
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private void tick() {
        long interval = TimeUnit.MILLISECONDS.toNanos(config.tickMs());
        long next = System.nanoTime() + interval;
        while (!closed) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                requestPort.tick();
                next += interval;
            }
        }
    }

    /** Where requests enter. */
    public RequestPort requests() {
        return requestPort;
    }

    /** Where KV events enter. */
    public EventPort events() {
        return eventPort;
    }

    /** Where what is learnt of shared pools enters. */
    public PoolPort pools() {
        return poolPort;
    }

    /** Where workers come and go. */
    public MembershipPort membership() {
        return eventPort;
    }

    /** What is shown to the outside. */
    public PipelineView view() {
        return view;
    }

    private final PipelineView view = new PipelineView() {
        @Override
        public State state() {
            CoreLoop now = loop;
            return now == null ? State.NORMAL : now.state();
        }

        @Override
        public List<SlotFigures> slots() {
            return board.slots();
        }

        @Override
        public List<RingFigures> rings() {
            return List.of(ring("requests", requests), ring("events", events), ring("decisions", decisions));
        }

        @Override
        public List<IndexFigures> indexes() {
            CoreLoop now = loop;
            return now == null ? List.of() : now.indexes();
        }

        @Override
        public List<PoolFigures> pools() {
            CoreLoop now = loop;
            return now == null ? List.of() : now.pools();
        }
    };

    private static PipelineView.RingFigures ring(String name, RingBuffer<?> ring) {
        return new PipelineView.RingFigures(
                name, ring.getBufferSize(), ring.getBufferSize() - ring.remainingCapacity());
    }

    /** Stops the core, lets the consumers catch up for up to five seconds, closes the indexes. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (loop == null) {
            return;
        }
        long deadline = System.nanoTime() + CLOSE_WAIT_NS;
        loop.stop();
        join(threads.get(0), deadline);
        for (BatchEventProcessor<DecisionRecord> consumer : consumers) {
            while (consumer.getSequence().get() < decisions.getCursor() && System.nanoTime() < deadline) {
                LockSupport.parkNanos(this, CONSUMER_SLEEP_NS);
            }
            consumer.halt();
        }
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
            join(thread, deadline);
        }
    }

    private static void join(Thread thread, long deadline) {
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A consumer's failure is its own: noted, and the next record goes on. */
    private final class Recorded implements ExceptionHandler<DecisionRecord> {
        @Override
        public void handleEventException(Throwable e, long sequence, DecisionRecord record) {
            counters.increment(Counter.REPLIES_FAILED);
            counters.error(e);
        }

        @Override
        public void handleOnStartException(Throwable e) {
            counters.error(e);
        }

        @Override
        public void handleOnShutdownException(Throwable e) {
            counters.error(e);
        }
    }
}
