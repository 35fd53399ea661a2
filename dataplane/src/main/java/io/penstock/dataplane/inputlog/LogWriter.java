package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.MutableDirectBuffer;

/**
 * Takes records from the ring and appends them to the log, a frame at a time; begins new files and lets old ones go.
 *
 * <p>A frame that cannot be written is lost, counted, and becomes a GAP as soon as writing succeeds again.
 *
 * <p><b>Threading:</b> a thread of its own, {@code penstock-inputlog}.
 */
final class LogWriter implements AutoCloseable {
    private static final int FRAME_BYTES = 1 << 20;
    private static final int RECORDS_AT_A_TIME = 4_096;
    private static final long IDLE_NS = 1_000_000;
    private static final long RETENTION_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long CLOSE_WAIT_MS = 10_000;

    private final InputRing ring;
    private final Path folder;
    private final String settings;
    private final long segmentBytes;
    private final Retention retention;
    private final Checkpointer checkpoints;
    private final Counting counters;
    private final Consumer<Throwable> errors;
    private final ByteBuffer frame;
    private final ByteBuffer gap =
            ByteBuffer.allocateDirect(SegmentLayout.FRAME_RECORDS + 64).order(ByteOrder.LITTLE_ENDIAN);
    private final Thread thread;
    private SegmentWriter segment;
    private long firstSeq = -1;
    private long lastSeq;
    private long lostFrom = -1;
    private long lostTo;
    private boolean failing;
    private boolean runBegins = true;
    private volatile boolean closed;
    /** The close has not waited any longer: the counters may be gone. */
    private volatile boolean leftAlone;

    LogWriter(
            InputRing ring,
            Path folder,
            String settings,
            long segmentBytes,
            Retention retention,
            Checkpointer checkpoints,
            Counting counters,
            Consumer<Throwable> errors) {
        this.ring = ring;
        this.folder = folder;
        this.settings = settings;
        this.segmentBytes = segmentBytes;
        this.retention = retention;
        this.checkpoints = checkpoints;
        this.counters = counters;
        this.errors = errors;
        frame = ByteBuffer.allocateDirect(SegmentLayout.FRAME_RECORDS + FRAME_BYTES + ring.mostBytes())
                .order(ByteOrder.LITTLE_ENDIAN);
        clear();
        thread = Thread.ofPlatform().daemon().name("penstock-inputlog").start(this::run);
    }

    private void clear() {
        frame.clear().position(SegmentLayout.FRAME_RECORDS);
        firstSeq = -1;
    }

    private void run() {
        long retainAt = System.nanoTime();
        while (true) {
            boolean ending = closed;
            int taken = drain();
            if (System.nanoTime() >= retainAt) {
                retain();
                retainAt = System.nanoTime() + RETENTION_NS;
            }
            if (taken == 0) {
                if (ending) {
                    break;
                }
                LockSupport.parkNanos(this, IDLE_NS);
            }
        }
        endSegment();
    }

    private int drain() {
        int taken = ring.read(this::take, RECORDS_AT_A_TIME);
        if (taken > 0) {
            flush();
        }
        return taken;
    }

    private void take(int type, MutableDirectBuffer from, int at, int length) {
        if (frame.position() - SegmentLayout.FRAME_RECORDS >= FRAME_BYTES) {
            flush();
        }
        lastSeq = from.getLong(at + RecordLayout.SEQ, ByteOrder.LITTLE_ENDIAN);
        if (firstSeq < 0) {
            firstSeq = lastSeq;
        }
        from.getBytes(at, frame, length);
    }

    private void flush() {
        if (firstSeq < 0) {
            return;
        }
        try {
            if (segment == null) {
                // A gap that is still to be told is told first in the new file.
                long first = lostFrom >= 0 ? lostFrom : firstSeq;
                segment = new SegmentWriter(SegmentLayout.file(folder, first), first, settings, runBegins);
                runBegins = false;
            }
            tellLost();
            long before = segment.length();
            segment.append(frame, firstSeq, lastSeq);
            count(Counter.INPUT_LOG_BYTES, segment.length() - before);
            failing = false;
            if (segment.length() >= segmentBytes) {
                endSegment();
                checkpoints.want();
                retain();
            }
        } catch (IOException | RuntimeException failed) {
            lose(failed);
        }
        clear();
    }

    private void lose(Exception failed) {
        count(Counter.INPUT_LOG_WRITE_FAILURES, 1);
        if (!failing && !leftAlone) {
            errors.accept(failed);
        }
        failing = true;
        lostFrom = lostFrom < 0 ? firstSeq : lostFrom;
        lostTo = lastSeq;
    }

    private void count(Counter counter, long amount) {
        if (!leftAlone) {
            counters.add(counter, amount);
        }
    }

    private void tellLost() throws IOException {
        if (lostFrom < 0) {
            return;
        }
        int length = RecordLayout.BODY + Long.BYTES;
        gap.clear().position(SegmentLayout.FRAME_RECORDS);
        gap.putInt(length).putInt(RecordLayout.GAP).putLong(lostFrom).putLong(0).putLong(lostTo);
        segment.append(gap, lostFrom, lostTo);
        lostFrom = -1;
        checkpoints.want();
    }

    private void endSegment() {
        if (segment != null) {
            try {
                segment.close();
            } catch (IOException failed) {
                errors.accept(failed);
            }
            segment = null;
        }
    }

    private void retain() {
        try {
            retention.apply();
        } catch (IOException | RuntimeException failed) {
            errors.accept(failed);
        }
    }

    /** Writes what lies in the ring; the core must have ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        leftAlone = true;
    }
}
