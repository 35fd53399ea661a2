package io.penstock.bindings.openai;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts a server-sent event stream into events, however its bytes are cut into chunks.
 *
 * <p>An event reaches to the end of the blank line after it ({@code \n\n} or {@code \r\n\r\n}); a blank line more, or a
 * comment, is an event of its own. So the events and {@link #openBytes()} together are the stream, byte for byte. An
 * event inside one chunk is shown where it lies; only one that straddles chunks is copied.
 *
 * <p>An event longer than {@code maxEventBytes} is not kept and not shown; it is counted in {@link #oversized()}.
 *
 * <p><b>Threading:</b> one thread. <b>Cost:</b> one pass; memory up to {@code maxEventBytes}.
 */
public final class SseScanner {
    /** Takes the events. */
    @FunctionalInterface
    public interface Sink {
        /**
         * One whole event.
         *
         * @param bytes holds it; only valid during the call, read by absolute position
         * @param start first byte in {@code bytes}
         * @param length bytes, with the blank line
         * @param streamOffset first byte in the stream
         */
        void event(ByteBuffer bytes, int start, int length, long streamOffset);
    }

    private final int maxEventBytes;
    private final Sink sink;
    private byte[] carry = {};
    private int carried;
    private boolean lineIsEmpty = true;
    private boolean tooLong;
    private long eventStart;
    private long fed;
    private long oversized;

    /** A scanner at the start of a stream. */
    public SseScanner(int maxEventBytes, Sink sink) {
        this.maxEventBytes = maxEventBytes;
        this.sink = sink;
    }

    /** Takes the next bytes of the stream: position to limit of {@code chunk}, which is left as it is. */
    public void feed(ByteBuffer chunk) {
        int from = chunk.position();
        int limit = chunk.limit();
        boolean empty = lineIsEmpty;
        for (int i = from; i < limit; i++) {
            byte b = chunk.get(i);
            if (b == '\n') {
                if (empty) {
                    end(chunk, from, i + 1);
                    from = i + 1;
                }
                empty = true;
            } else if (b != '\r') {
                empty = false;
            }
        }
        lineIsEmpty = empty;
        fed += limit - from;
        keep(chunk, from, limit);
    }

    private void end(ByteBuffer chunk, int from, int to) {
        fed += to - from;
        long start = eventStart;
        eventStart = fed;
        if (tooLong || carried + (to - from) > maxEventBytes) {
            oversized++;
        } else if (carried == 0) {
            sink.event(chunk, from, to - from, start);
        } else {
            int length = carried + (to - from);
            copy(chunk, from, to);
            sink.event(ByteBuffer.wrap(carry), 0, length, start);
        }
        tooLong = false;
        carried = 0;
    }

    private void keep(ByteBuffer chunk, int from, int to) {
        if (tooLong || from == to) {
            return;
        }
        if (carried + (to - from) > maxEventBytes) {
            tooLong = true;
            carried = 0;
        } else {
            copy(chunk, from, to);
        }
    }

    private void copy(ByteBuffer chunk, int from, int to) {
        int length = carried + (to - from);
        if (length > carry.length) {
            carry = Arrays.copyOf(carry, Math.min(maxEventBytes, Math.max(512, length * 2)));
        }
        chunk.get(from, carry, carried, to - from);
        carried = length;
    }

    /** Bytes of the event that is still open; 0 when it is too long to be shown, so that nobody waits for it. */
    public int openBytes() {
        return carried;
    }

    /** Bytes fed so far. */
    public long position() {
        return fed;
    }

    /** Stream offset of the event that is still open. */
    public long openStart() {
        return eventStart;
    }

    /** Events that were longer than allowed. */
    public long oversized() {
        return oversized;
    }
}
