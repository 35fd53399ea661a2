package io.penstock.index.image;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.Geometry;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the image's thread and the writer meet: the thread copies, offers its image and waits; the writer completes it
 * between two events.
 *
 * <p><b>Threading:</b> {@link #take} by any thread but the writer's, one at a time; the others by the writer. <b>Cost:</b> one load for the
 * writer while no image waits.
 */
public final class ImageBarrier {
    private static final int MOST_ROUNDS = 16;
    private static final int PASSES = 3;
    private static final int FEW_RUNS = 256;
    private static final long POLL_NS = 200_000;

    private static final int IDLE = 0;
    private static final int OFFERED = 1;
    private static final int AT_WORK = 2;
    private static final int DONE = 3;
    private static final int AGAIN = 4;
    private static final int FAILED = 5;

    private final Structures in;
    private final IndexConfig config;
    private final Geometry geometry;
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final ReentrantLock mapped = new ReentrantLock();
    private final ReentrantLock oneAtATime = new ReentrantLock();
    private volatile ImageTaker taker;
    private volatile IllegalStateException failure;
    private volatile boolean closed;

    /** The barrier of an index. */
    public ImageBarrier(Structures in, IndexConfig config, Geometry geometry) {
        this.in = in;
        this.config = config;
        this.geometry = geometry;
    }

    /** The writer is between two events: completes an image that waits for that. */
    public void atRest() {
        if (state.get() == OFFERED && state.compareAndSet(OFFERED, AT_WORK)) {
            int next;
            try {
                next = switch (taker.finish()) {
                    case ImageTaker.COMPLETE -> DONE;
                    case ImageTaker.COPY_AGAIN -> AGAIN;
                    default -> OFFERED;
                };
            } catch (IllegalStateException damaged) {
                failure = damaged;
                next = FAILED;
            }
            state.set(next);
        }
    }

    /**
     * Takes an image beside the writer and waits until it is on the disk.
     *
     * @param patienceNs how long to wait for a moment without a batch open; then any is taken, and after ten times as long the
     *     image is given up
     * @throws IOException in one line, when it could not be taken or written; the former image is still there
     */
    public ImageReport take(long patienceNs) throws IOException {
        oneAtATime.lock();
        try (ImageTaker taking = begin()) {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                copy(taking);
                if (offer(taking, patienceNs) == DONE) {
                    return taking.write();
                }
            }
            throw new IOException("index changes faster than its image is copied: rounds=" + MOST_ROUNDS);
        } finally {
            taker = null;
            state.set(IDLE);
            oneAtATime.unlock();
        }
    }

    /** Takes an image on the writer's own thread. */
    public ImageReport takeNow() throws IOException {
        try (ImageTaker taking = begin()) {
            taking.press();
            for (int round = 0; round < MOST_ROUNDS; round++) {
                copy(taking);
                if (taking.finish() == ImageTaker.COMPLETE) {
                    return taking.write();
                }
            }
            throw new IOException("run is too large for an image: rounds=" + MOST_ROUNDS);
        } catch (IllegalStateException damaged) {
            throw new IOException(damaged.getMessage(), damaged);
        }
    }

    private ImageTaker begin() throws IOException {
        return new ImageTaker(in, config, config.file(), geometry.runCount, geometry.holderCount);
    }

    /**
     * An image whose moment the caller chooses, beside {@code file}; independent of those that {@link #take} takes.
     *
     * @throws IOException when it cannot be begun there
     */
    public JointImage joint(Path file) throws IOException {
        return new JointImage(this, new ImageTaker(in, config, file, geometry.runCount, geometry.holderCount));
    }

    /** A joint image's copying: until little is left, or often enough. */
    void copyBeside(ImageTaker taking) throws IOException {
        for (int pass = 0; pass < PASSES; pass++) {
            mapped.lock();
            try {
                requireOpen();
                if (taking.copy() <= FEW_RUNS) {
                    return;
                }
            } finally {
                mapped.unlock();
            }
        }
    }

    private void copy(ImageTaker taking) throws IOException {
        for (int pass = 0; pass < PASSES; pass++) {
            mapped.lock();
            try {
                requireOpen();
                taker = taking;
                if (taking.copy() <= FEW_RUNS) {
                    return;
                }
            } finally {
                mapped.unlock();
            }
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("index was closed while its image was taken: file=" + config.file());
        }
    }

    private int offer(ImageTaker taking, long patienceNs) throws IOException {
        long begin = System.nanoTime();
        state.set(OFFERED);
        while (true) {
            int now = state.get();
            if (now == DONE || now == AGAIN) {
                return now;
            }
            if (now == FAILED) {
                throw new IOException(failure.getMessage(), failure);
            }
            long waited = System.nanoTime() - begin;
            if (waited > patienceNs) {
                taking.press();
            }
            if ((closed || waited > 10 * patienceNs) && state.compareAndSet(OFFERED, IDLE)) {
                requireOpen();
                throw new IOException("writer does not come to rest: waitedMs=" + waited / 1_000_000);
            }
            LockSupport.parkNanos(this, POLL_NS);
        }
    }

    /** The pages are about to be unmapped: waits until nobody copies from them. */
    public void close() {
        closed = true;
        ImageTaker copying = taker;
        if (copying != null) {
            copying.stop();
        }
        mapped.lock();
        mapped.unlock();
    }
}
