package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.core.StateTape;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.PrefixIndex;
import io.penstock.index.image.JointImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Takes checkpoints of the core while it runs: at intervals, and when one is wanted. Indexes are copied beside the core; it
 * completes them, and adds its own state, between two inputs when no slot is within a batch.
 *
 * <p><b>Threading:</b> a thread of its own, {@code penstock-checkpoints}; {@link #atRest}, {@link #opened}, {@link #coreStarted},
 * {@link #coreEnded} by the core's; {@link #want} by any. <b>Cost:</b> for the core one load while none is taken.
 */
final class Checkpointer implements AutoCloseable {
    private static final int MOST_ROUNDS = 16;
    private static final int EXERCISES = 20;
    private static final long POLL_NS = 200_000;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long AFTER_FAILURE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int FIRST_STATE_BYTES = 16 << 20;
    private static final long CLOSE_WAIT_MS = 10_000;

    private static final int IDLE = 0;
    private static final int OFFERED = 1;
    private static final int AT_WORK = 2;
    private static final int DONE = 3;
    private static final int COPY_AGAIN = 4;
    private static final int BEGIN_AGAIN = 5;
    private static final int GIVEN_UP = 6;

    private final LogFolder folder;
    private final String settings;
    private final long intervalNs;
    private final Counting counters;
    private final Consumer<Throwable> errors;
    private final List<PrefixIndex> indexes = new CopyOnWriteArrayList<>();
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final Thread thread;
    private ByteBuffer memory;
    private volatile CheckpointAttempt attempt;
    private volatile RuntimeException failure;
    private volatile boolean wanted;
    private volatile boolean coreRuns;
    private volatile boolean closed;
    private volatile long stopNs;

    Checkpointer(LogFolder folder, String settings, long intervalNs, Counting counters, Consumer<Throwable> errors) {
        this.folder = folder;
        this.settings = settings;
        this.intervalNs = intervalNs;
        this.counters = counters;
        this.errors = errors;
        thread = Thread.ofPlatform().daemon().name("penstock-checkpoints").start(this::run);
    }

    /** A checkpoint is to be taken as soon as it can be. */
    void want() {
        wanted = true;
    }

    /** A core was made, without indexes. */
    void coreStarted() {
        indexes.clear();
        coreRuns = true;
    }

    /** The core is no more: it failed, or the router stops. An offer to it is taken back. */
    void coreEnded() {
        coreRuns = false;
        failure = new IllegalStateException("the core ended while a checkpoint was taken");
        state.compareAndSet(OFFERED, GIVEN_UP);
    }

    /** The core opened an index. */
    void opened(PrefixIndex index) {
        indexes.add(index);
    }

    /** The core stands between two inputs; answers whether a checkpoint of this moment is now complete. */
    boolean atRest(long seq, RouterCore core) {
        if (state.get() != OFFERED || !state.compareAndSet(OFFERED, AT_WORK)) {
            return false;
        }
        int next;
        try {
            next = switch (attempt.finish(seq, core)) {
                case JointImage.COMPLETE -> DONE;
                case JointImage.AGAIN -> COPY_AGAIN;
                case CheckpointAttempt.OVERTAKEN -> BEGIN_AGAIN;
                default -> OFFERED;
            };
        } catch (IllegalStateException damaged) {
            failure = damaged;
            next = GIVEN_UP;
        }
        boolean complete = next == DONE && !attempt.isFull();
        state.set(next);
        return complete;
    }

    /** How long the core stood still for the last checkpoint, nanoseconds. */
    long stopNs() {
        return stopNs;
    }

    private void run() {
        exercise();
        long next = System.nanoTime() + intervalNs;
        long notBefore = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (coreRuns && now >= notBefore && (wanted || now >= next)) {
                wanted = false;
                if (take()) {
                    next = System.nanoTime() + intervalNs;
                } else {
                    wanted = true;
                    notBefore = System.nanoTime() + AFTER_FAILURE_NS;
                }
            } else {
                LockSupport.parkNanos(this, LOOK_NS);
            }
        }
    }

    /** The first state ever carried would keep the core waiting for classes to be loaded: ten times the later ones. */
    private static void exercise() {
        CoreConfig small = new CoreConfig(1, 1, 1 << 10, 1, 0, 1, 1, 1, 1, 1, true, 1, 0);
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
        PrefixIndexFactory none = (model, blockSize) -> null;
        Counting uncounted = (counter, amount) -> {};
        for (int i = 0; i < EXERCISES; i++) {
            new RouterCore(small, RoutingConfig.defaults(), none, uncounted, 0)
                    .carry(StateTape.writing(MemorySegment.ofBuffer(memory)), null);
        }
    }

    private boolean take() {
        if (memory == null) {
            memory = ByteBuffer.allocateDirect(FIRST_STATE_BYTES);
        }
        Path making = folder.making();
        try (CheckpointAttempt taking = new CheckpointAttempt(making, List.copyOf(indexes), memory)) {
            attempt = taking;
            if (!complete(taking)) {
                return false;
            }
            if (taking.isFull()) {
                memory = ByteBuffer.allocateDirect(Math.multiplyExact(memory.capacity(), 2));
                return false;
            }
            taking.write(making, settings);
            Path whole = folder.checkpoint(taking.seq());
            LogFolder.delete(whole);
            Files.move(making, whole, StandardCopyOption.ATOMIC_MOVE);
            stopNs = taking.stopNs();
            count(Counter.INPUT_LOG_CHECKPOINTS);
            return true;
        } catch (IOException | RuntimeException failed) {
            if (!closed && coreRuns) {
                count(Counter.INPUT_LOG_CHECKPOINTS_FAILED);
                errors.accept(failed);
            }
            return false;
        } finally {
            attempt = null;
            state.set(IDLE);
        }
    }

    /** Counts, unless the log is closed: a disk may take longer than the close waits, and the counters may be gone. */
    private void count(Counter counter) {
        if (!closed) {
            counters.increment(counter);
        }
    }

    /** False when it has to be begun again, with an index more. */
    private boolean complete(CheckpointAttempt taking) throws IOException {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            taking.copy();
            int result = offer();
            if (result != COPY_AGAIN) {
                return result == DONE;
            }
        }
        throw new IOException("index changes faster than its image is copied: rounds=" + MOST_ROUNDS);
    }

    private int offer() throws IOException {
        long begin = System.nanoTime();
        state.set(OFFERED);
        while (true) {
            int now = state.get();
            if (now == DONE || now == COPY_AGAIN || now == BEGIN_AGAIN) {
                return now;
            }
            if (now == GIVEN_UP) {
                throw new IOException(failure.getMessage(), failure);
            }
            boolean late = closed || !coreRuns || System.nanoTime() - begin > PATIENCE_NS;
            if (late && state.compareAndSet(OFFERED, IDLE)) {
                throw new IOException("core does not come to rest between batches for a checkpoint");
            }
            LockSupport.parkNanos(this, POLL_NS);
        }
    }

    /** Gives up what is being taken. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
