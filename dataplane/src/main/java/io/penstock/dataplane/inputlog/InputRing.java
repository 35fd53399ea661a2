package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Records on their way from the core to the log's writer, off heap. When it is full a record is left out, and before the
 * next one that finds room stands a GAP with the numbers of those left out.
 *
 * <p><b>Threading:</b> {@link #begin}, {@link #end}, {@link #endGap} by the core, {@link #read} by the writer. <b>Cost:</b> nothing allocated; no wait.
 */
final class InputRing {
    private static final int TYPE = 1;
    private static final int GAP_BYTES = RecordLayout.BODY + Long.BYTES;

    private final OneToOneRingBuffer ring;
    private final AtomicBuffer buffer;
    private final Counting counters;
    private long gapFrom = -1;
    private long lastSeq;
    private int claimed;
    private boolean gapWritten;

    InputRing(int bytes, Counting counters) {
        ring = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(bytes + RingBufferDescriptor.TRAILER_LENGTH)));
        buffer = ring.buffer();
        this.counters = counters;
    }

    /** Longest record that can be had. */
    int mostBytes() {
        return ring.maxMsgLength();
    }

    /** Number of the last record asked for. */
    long lastSeq() {
        return lastSeq;
    }

    /** Where the body is to be written. */
    AtomicBuffer buffer() {
        return buffer;
    }

    /**
     * Begins a record; its body of {@code bodyBytes} is to be written to {@link #buffer}, then {@link #end} is due.
     *
     * @return offset of the body, or -1 when there is no room and the record is left out
     */
    int begin(int kind, int flags, long seq, long timeNs, int bodyBytes) {
        lastSeq = seq;
        if (gapFrom >= 0 && !endGap(seq - 1)) {
            counters.increment(Counter.INPUT_LOG_DROPPED);
            return -1;
        }
        int length = RecordLayout.BODY + bodyBytes;
        int at = length > ring.maxMsgLength() ? -1 : ring.tryClaim(TYPE, length);
        if (at < 0) {
            gapFrom = seq;
            counters.increment(Counter.INPUT_LOG_GAPS);
            counters.increment(Counter.INPUT_LOG_DROPPED);
            return -1;
        }
        claimed = at;
        header(at, length, kind, flags, seq, timeNs);
        return at + RecordLayout.BODY;
    }

    private void header(int at, int length, int kind, int flags, long seq, long timeNs) {
        buffer.putInt(at + RecordLayout.LENGTH, length, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + RecordLayout.KIND, (byte) kind);
        buffer.putByte(at + RecordLayout.FLAGS, (byte) flags);
        buffer.putShort(at + RecordLayout.FLAGS + 1, (short) 0, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + RecordLayout.SEQ, seq, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + RecordLayout.TIME, timeNs, ByteOrder.LITTLE_ENDIAN);
    }

    /** The record begun is whole. */
    void end() {
        ring.commit(claimed);
    }

    /** A record without body. */
    void put(int kind, int flags, long seq, long timeNs) {
        if (begin(kind, flags, seq, timeNs, 0) >= 0) {
            end();
        }
    }

    /** Says which records were left out, up to {@code toSeq}; false when there is no room for that either. */
    boolean endGap(long toSeq) {
        if (gapFrom < 0) {
            return true;
        }
        int at = ring.tryClaim(TYPE, GAP_BYTES);
        if (at < 0) {
            return false;
        }
        // A decision left out alone has the number of its request.
        long to = Math.max(gapFrom, toSeq);
        header(at, GAP_BYTES, RecordLayout.GAP, 0, gapFrom, 0);
        buffer.putLong(at + RecordLayout.BODY, to, ByteOrder.LITTLE_ENDIAN);
        ring.commit(at);
        gapFrom = -1;
        gapWritten = true;
        return true;
    }

    /** Whether a gap was written since the last time asked. */
    boolean takeGapWritten() {
        boolean written = gapWritten;
        gapWritten = false;
        return written;
    }

    /** Hands over what lies in the ring, at most {@code most} records. */
    int read(MessageHandler handler, int most) {
        return ring.read(handler, most);
    }
}
