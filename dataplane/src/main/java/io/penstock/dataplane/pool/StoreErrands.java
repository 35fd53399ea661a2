package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Does what the feed cannot wait for: asks the master for all objects, for the state of its stream, for single objects. One
 * thing at a time, on a thread of its own; what comes back waits in a bounded queue, so a listing is read no faster than
 * the feed hands it on.
 *
 * <p><b>Threading:</b> orders and answers by the feed's thread; the loop on its own.
 */
final class StoreErrands implements Runnable {
    private static final int CHUNK_OBJECTS = 512;
    private static final int QUEUED_ANSWERS = 64;
    private static final long OFFER_WAIT_MS = 100;

    private final PoolMaster master;
    private final SharedPool prober;
    private final BlockingQueue<Runnable> orders = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(QUEUED_ANSWERS);
    private volatile boolean closed;
    private boolean busy;

    /** {@code prober} may be null: then nothing is probed. */
    StoreErrands(PoolMaster master, SharedPool prober) {
        this.master = master;
        this.prober = prober;
    }

    /** Whether an order's last answer is still to come; by the feed. */
    boolean busy() {
        return busy;
    }

    /** The next answer, or null; by the feed. */
    Answer poll() {
        Answer answer = answers.poll();
        if (answer != null && !(answer instanceof Answer.Listed)) {
            busy = false;
        }
        return answer;
    }

    /** Whether an answer waits. */
    boolean answered() {
        return !answers.isEmpty();
    }

    void list(ListingRun run) {
        order(() -> listing(run));
    }

    void status(long known) {
        order(() -> ask(known));
    }

    void probe(ProbeBatch batch) {
        order(() -> {
            try {
                batch.known = prober.probe(batch.names, batch.answers);
            } catch (RuntimeException failed) {
                // Like a store that cannot be asked: it is counted, and the next answer is waited for.
                batch.known = 0;
            }
            tell(new Answer.Probed(batch), null);
        });
    }

    private void order(Runnable errand) {
        assert !busy : "one errand at a time";
        busy = true;
        orders.add(errand);
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                Runnable order = orders.poll(1, TimeUnit.SECONDS);
                if (order != null) {
                    order.run();
                }
            } catch (InterruptedException e) {
                // Only the end interrupts.
                return;
            }
        }
    }

    void stop() {
        closed = true;
    }

    private void ask(long known) {
        try {
            tell(new Answer.Status(master.published(), known, null), null);
        } catch (IOException | RuntimeException failed) {
            tell(new Answer.Status(null, known, text(failed)), null);
        }
    }

    private void listing(ListingRun run) {
        Chunks chunks = new Chunks(run);
        String error = null;
        long names = 0;
        try {
            names = master.list(chunks);
            if (names < 0 || !chunks.hand()) {
                error = "given up";
            }
        } catch (IOException | RuntimeException failed) {
            error = text(failed);
        }
        tell(new Answer.ListingEnd(run, names, chunks.foreign, chunks.unknownParts, error), null);
    }

    private static String text(Exception failed) {
        return failed.getMessage() == null ? failed.toString() : failed.getMessage();
    }

    /** Waits for room; false if that is not worth while any more. */
    private boolean tell(Answer answer, ListingRun run) {
        try {
            while (!closed && (run == null || !run.abandoned())) {
                if (answers.offer(answer, OFFER_WAIT_MS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** Names on their way, read by the layouts and packed. */
    private final class Chunks implements PoolMaster.Names {
        private final ListingRun run;
        private final long startNs = System.nanoTime();
        private final long[] key = new long[4];
        private long[] objects = new long[CHUNK_OBJECTS * Answer.Listed.STRIDE];
        private int count;
        private long handed;
        private long foreign;
        private long unknownParts;

        Chunks(ListingRun run) {
            this.run = run;
        }

        @Override
        public boolean name(byte[] bytes, int from, int length) {
            boolean ours = false;
            boolean odd = false;
            for (int pool = 0; pool < run.names.pools(); pool++) {
                int object = run.names.resolve(pool, bytes, from, length, key, 0);
                odd |= object == ObjectLayout.UNKNOWN_PART;
                if (object >= 0) {
                    ours = true;
                    add(pool, object, ObjectNames.hash(bytes, from, length));
                    if (count == CHUNK_OBJECTS && !hand()) {
                        return false;
                    }
                }
            }
            foreign += ours || odd ? 0 : 1;
            unknownParts += odd && !ours ? 1 : 0;
            return !closed && !run.abandoned();
        }

        private void add(int pool, int object, long hash) {
            int i = count++ * Answer.Listed.STRIDE;
            objects[i] = pool;
            objects[i + 1] = object;
            objects[i + 2] = hash;
            System.arraycopy(key, 0, objects, i + Answer.Listed.KEY, 4);
        }

        /** Hands over what is packed; false if nobody wants it. */
        boolean hand() {
            if (count > 0) {
                handed += count;
                long[] full = Arrays.copyOf(objects, count * Answer.Listed.STRIDE);
                if (!tell(new Answer.Listed(run, full, count), run) || !pace()) {
                    return false;
                }
                count = 0;
            }
            return !run.abandoned();
        }

        private boolean pace() {
            if (run.objectsPerSecond == 0) {
                return true;
            }
            long due = startNs + handed * TimeUnit.SECONDS.toNanos(1) / run.objectsPerSecond;
            try {
                long waitNs = due - System.nanoTime();
                if (waitNs > 0) {
                    TimeUnit.NANOSECONDS.sleep(waitNs);
                }
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
