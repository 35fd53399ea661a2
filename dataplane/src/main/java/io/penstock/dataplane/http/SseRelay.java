package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.penstock.bindings.openai.StreamEvents;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Passes a server-sent event stream on in whole events, and leaves out the ones that only the router asked for.
 *
 * <p>Whole events, since an engine's chunks follow no event's boundary: so a stream that breaks can still be ended by an
 * event that the client can read. An event longer than {@link #HOLD_LIMIT} is passed on in pieces. The last event
 * ({@code [DONE]} and its like) waits for the end of the stream, so that both reach the client in one write: some clients
 * give the connection up when the end lags.
 *
 * <p><b>Threading:</b> owned by the event loop. <b>Cost:</b> two copies of the stream's bytes.
 */
final class SseRelay implements Relay {
    static final int HOLD_LIMIT = 256 << 10;
    private static final byte[] EMPTY_LINE = {'\n', '\n'};

    private final StreamEvents reader;
    private final boolean removeUsage;
    private final ByteBufAllocator allocator;
    private final Consumer<ByteBuf> out;

    private byte[] held = new byte[1 << 10];
    private ByteBuffer view = ByteBuffer.wrap(held);
    private int length;
    private int eventFrom;
    private int scanned;
    private boolean lineEmpty = true;
    private boolean inPieces;
    private int doneFrom = -1;
    private int longEvents;

    SseRelay(StreamEvents reader, boolean removeUsage, ByteBufAllocator allocator, Consumer<ByteBuf> out) {
        this.reader = reader;
        this.removeUsage = removeUsage;
        this.allocator = allocator;
        this.out = out;
    }

    @Override
    public void content(ByteBuf more) {
        int count = more.readableBytes();
        if (length + count > held.length) {
            held = Arrays.copyOf(held, Math.max(length + count, held.length * 2));
            view = ByteBuffer.wrap(held);
        }
        more.readBytes(held, length, count);
        more.release();
        length += count;
        doneFrom = -1;
        ByteBuf ready = allocator.buffer(length);
        int passedTo = 0;
        for (int end = eventEnd(); end >= 0; end = eventEnd()) {
            if (keeps(end)) {
                eventFrom = end;
            } else {
                ready.writeBytes(held, passedTo, eventFrom - passedTo);
                passedTo = end;
                eventFrom = end;
            }
        }
        int to = doneFrom >= 0 && eventFrom == length ? doneFrom : eventFrom;
        if (length - eventFrom > HOLD_LIMIT) {
            inPieces = true;
            to = length;
        }
        ready.writeBytes(held, passedTo, to - passedTo);
        drop(to);
        pass(ready);
    }

    /** One past the empty line that ends the present event, or -1 if it is not here yet. */
    private int eventEnd() {
        while (scanned < length) {
            byte b = held[scanned++];
            if (b == '\n') {
                if (lineEmpty) {
                    return scanned;
                }
                lineEmpty = true;
            } else if (b != '\r') {
                lineEmpty = false;
            }
        }
        return -1;
    }

    /** Looks at the event that ends before {@code end}; false if it is to be left out. */
    private boolean keeps(int end) {
        if (inPieces) {
            inPieces = false;
            longEvents++;
            return true;
        }
        doneFrom = -1;
        if (end - eventFrom <= 2) {
            return true; // an empty line more
        }
        int flags = reader.event(view, eventFrom, end - eventFrom);
        if ((flags & StreamEvents.DONE) != 0) {
            doneFrom = eventFrom;
        }
        return !removeUsage || (flags & StreamEvents.USAGE_ONLY) == 0;
    }

    private void drop(int to) {
        System.arraycopy(held, to, held, 0, length - to);
        length -= to;
        scanned -= to;
        eventFrom = Math.max(0, eventFrom - to);
    }

    private void pass(ByteBuf ready) {
        if (ready.isReadable()) {
            out.accept(ready);
        } else {
            ready.release();
        }
    }

    @Override
    public void end() {
        pass(allocator.buffer(length).writeBytes(held, 0, length));
        length = 0;
    }

    @Override
    public boolean breakOff(byte[] event) {
        if (doneFrom >= 0) {
            end(); // only the framing's end is missing
            return true;
        }
        ByteBuf last = allocator.buffer(event.length + EMPTY_LINE.length);
        if (inPieces) {
            last.writeBytes(EMPTY_LINE);
        }
        pass(last.writeBytes(event));
        return true;
    }

    @Override
    public boolean complete() {
        return doneFrom >= 0;
    }

    @Override
    public int events() {
        return reader.contentEvents() + longEvents;
    }
}
