package io.penstock.dataplane.sinks;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sink's queue and thread. When the queue is full, by number or by bytes, the oldest record goes, counted; nobody ever
 * waits for a sink.
 *
 * <p><b>Threading:</b> {@link #offer} by the consumer of decisions, the sink by the lane's own thread.
 */
final class SinkLane implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkLane.class);

    private static final long MAX_WAITING_BYTES = 128L << 20;

    private final String name;
    private final TraceSink sink;
    private final SinkCounts.OfSink counts;
    private final ArrayBlockingQueue<RowsOfRecord> queue;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread thread;
    private volatile boolean ending;
    private volatile boolean givenUp;
    private long toldDropped;
    private boolean failing;

    SinkLane(String name, TraceSink sink, int capacity, SinkCounts.OfSink counts) {
        this.name = name;
        this.sink = sink;
        this.counts = counts;
        queue = new ArrayBlockingQueue<>(capacity);
        thread = Thread.ofPlatform().name("penstock-sink-" + name).daemon(true).unstarted(this);
    }

    void start() {
        thread.start();
    }

    /** Adds a record, in place of the oldest where there is no room. */
    void offer(RowsOfRecord record) {
        long bytes = record.bytes();
        while (waitingBytes.get() + bytes > MAX_WAITING_BYTES && dropOldest()) {
            // Until there is room, or nothing left to drop.
        }
        waitingBytes.addAndGet(bytes);
        while (!queue.offer(record)) {
            dropOldest();
        }
    }

    private boolean dropOldest() {
        RowsOfRecord oldest = queue.poll();
        if (oldest == null) {
            return false;
        }
        waitingBytes.addAndGet(-oldest.bytes());
        counts.dropped.increment();
        return true;
    }

    @Override
    public void run() {
        long intervalNs = TimeUnit.MILLISECONDS.toNanos(sink.flushIntervalMs());
        long flushNs = System.nanoTime() + intervalNs;
        try {
            while (!givenUp && (!ending || !queue.isEmpty())) {
                RowsOfRecord record = ending ? queue.poll() : queue.poll(pauseNs(flushNs), TimeUnit.NANOSECONDS);
                if (record != null) {
                    waitingBytes.addAndGet(-record.bytes());
                    write(record);
                }
                if (System.nanoTime() - flushNs >= 0) {
                    attempt(sink::flush);
                    tellDropped();
                    flushNs = System.nanoTime() + intervalNs;
                }
            }
        } catch (InterruptedException end) {
            // Given up on: what is left is told by whoever gave up.
        } finally {
            attempt(sink::close);
            tellDropped();
        }
    }

    /** Short enough to see the end soon. */
    private static long pauseNs(long untilNs) {
        return Math.clamp(untilNs - System.nanoTime(), 0, 50_000_000);
    }

    private void write(RowsOfRecord record) {
        for (DynamoRow row : rows(record)) {
            attempt(() -> {
                try {
                    sink.write(row);
                    counts.rows.increment();
                } catch (RuntimeException bug) {
                    throw new TraceSink.RowRefusedException(bug.toString());
                }
            });
        }
    }

    private java.util.List<DynamoRow> rows(RowsOfRecord record) {
        try {
            return record.rows();
        } catch (RuntimeException e) {
            failed(1, e);
            return java.util.List.of();
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void attempt(Step step) {
        try {
            step.run();
            failing = false;
        } catch (TraceSink.RowRefusedException e) {
            counts.failed.increment();
            LOG.warn("a trace row is lost: sink={} ({})", name, e.getMessage());
        } catch (IOException | RuntimeException e) {
            failed(sink.takeLost(), e);
        }
    }

    private void failed(long rows, Exception e) {
        counts.failed.add(rows);
        // Once until something succeeds again: a full disk would fill the log.
        if (!failing) {
            LOG.warn("trace rows are lost: sink={} rows={} ({})", name, rows, e.toString());
        }
        failing = true;
    }

    private void tellDropped() {
        long dropped = counts.dropped.sum();
        if (dropped > toldDropped) {
            LOG.warn("a trace sink is behind: sink={} dropped={}", name, dropped - toldDropped);
            toldDropped = dropped;
        }
    }

    /** Has the thread write what waits, and end. */
    void end() {
        ending = true;
    }

    /** Waits for the end until {@code deadlineNs}; after it the rest is given up, and told. */
    void await(long deadlineNs) throws InterruptedException {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
        if (thread.isAlive()) {
            givenUp = true;
            int left = queue.size();
            counts.dropped.add(left);
            LOG.warn("a trace sink did not end in time: sink={} dropped={}", name, left);
            thread.interrupt();
        }
    }
}
