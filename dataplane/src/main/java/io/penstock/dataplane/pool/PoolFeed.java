package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.zmq.ZmqPoll;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Keeps the pipeline's picture of a shared pool true: the master's events in order, a listing of all objects at the start
 * and after every loss, listings from time to time and probes in between for what the master does not publish (evictions,
 * lost segments). While anything is in doubt nothing of the pool counts.
 *
 * <p><b>Threading:</b> thread-safe. Two threads: one reads events and tells the pipeline, one waits for the master's answers.
 */
public final class PoolFeed implements AutoCloseable {
    private static final int IDLE_WAIT_MS = 10;
    private static final int EAGER_WAIT_MS = 1;
    private static final long END_WAIT_S = 10;
    private static final int MOST_SUSPECTS = 1_024;

    private final PoolMaster master;
    private final ZmqTransport transport;
    private final PoolCounts counts = new PoolCounts();
    private final StoreErrands errands;
    private final PoolFollower follower;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Consumer<Throwable> errors;
    private final Thread reader;
    private final Thread waiter;
    private final AtomicInteger suspectsWaiting = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Starts both threads. Nothing is read into a pool before its {@link #layout} is known.
     *
     * @param config where the store is; its layouts give the pools' number
     * @param transport name of the ZeroMQ transport
     * @param master asked for listings
     * @param prober asked for single objects; null: nothing is probed
     * @param errors hears of what should not have happened
     * @throws IllegalArgumentException if there is no such transport
     */
    public PoolFeed(
            PoolConfig config,
            String transport,
            PoolMaster master,
            SharedPool prober,
            PoolPort port,
            Consumer<Throwable> errors) {
        this(config, FeedTimes.of(config), transport, master, prober, port, errors);
    }

    PoolFeed(
            PoolConfig config,
            FeedTimes times,
            String transport,
            PoolMaster master,
            SharedPool prober,
            PoolPort port,
            Consumer<Throwable> errors) {
        this.master = master;
        this.errors = errors;
        this.transport = ZmqTransport.open(transport);
        errands = new StoreErrands(master, prober);
        PoolProbes probes = new PoolProbes(times, prober, counts, System.nanoTime());
        follower = new PoolFollower(config, times, this.transport, port, errands, probes, counts);
        waiter = Thread.ofPlatform().name("pool-errands").daemon(true).start(errands);
        reader = Thread.ofPlatform().name("pool-events").daemon(true).start(this::read);
    }

    /** The layout of a pool's engines; null: not known, or they disagree: then nothing of it counts. */
    public void layout(int pool, ObjectLayout layout) {
        commands.add(() -> follower.layout(pool, layout));
    }

    /** A page that was promised and that an engine did not find: the store is asked for it soon. */
    public void suspect(int pool, long[] key, int at) {
        if (suspectsWaiting.get() >= MOST_SUSPECTS) {
            counts.add(PoolCounter.SUSPECTS_DROPPED);
            return;
        }
        suspectsWaiting.incrementAndGet();
        long[] copy = Arrays.copyOfRange(key, at, at + ObjectLayout.KEY_WORDS);
        commands.add(() -> {
            suspectsWaiting.decrementAndGet();
            follower.suspect(pool, copy);
        });
    }

    /** The pipeline has lost what it was told of the pool: everything is listed anew. */
    public void relist() {
        commands.add(follower::relist);
    }

    /** As of now. */
    public PoolFeedStatus status() {
        return follower.figures().status(master.describe(), counts);
    }

    private void read() {
        ZmqSocket watched = null;
        try (ZmqPoll poll = transport.poll()) {
            while (!closed) {
                ZmqSocket interest = follower.interest();
                if (interest != watched) {
                    poll.clear();
                    if (interest != null) {
                        poll.add(interest);
                    }
                    watched = interest;
                }
                poll.await(follower.eager() ? EAGER_WAIT_MS : IDLE_WAIT_MS);
                turn();
            }
        } finally {
            follower.close();
        }
    }

    private void turn() {
        long nowMs = System.currentTimeMillis();
        try {
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                command.run();
            }
            follower.turn(nowMs);
        } catch (RuntimeException failed) {
            errors.accept(failed);
            follower.fail(failed, nowMs);
        }
    }

    /** Ends both threads; nothing is told afterwards. */
    @Override
    public void close() {
        closed = true;
        errands.stop();
        waiter.interrupt();
        boolean interrupted = false;
        for (Thread thread : new Thread[] {reader, waiter}) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(END_WAIT_S));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        transport.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
