package io.penstock.dataplane.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP body of lines, read as it comes: one piece is asked for at a time, so that a slow reader holds the sender up and
 * nothing piles up here.
 *
 * <p><b>Threading:</b> {@link #tell} by one thread; pieces come in on the HTTP client's threads.
 */
final class ListingLines implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    private static final int FIRST_BYTES = 1 << 16;
    private static final int LONGEST_LINE = 1 << 16;
    private static final Object END = new Object();

    /** Pieces, then an exception or {@link #END}. */
    private final BlockingQueue<Object> pieces = new LinkedBlockingQueue<>();

    private final int patienceMs;
    private volatile Flow.Subscription subscription;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private long told;

    ListingLines(Flow.Publisher<List<ByteBuffer>> body, int patienceMs) {
        this.patienceMs = patienceMs;
        body.subscribe(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> piece) {
        pieces.add(piece);
    }

    @Override
    public void onError(Throwable failed) {
        pieces.add(failed);
    }

    @Override
    public void onComplete() {
        pieces.add(END);
    }

    /**
     * Tells all lines but empty ones.
     *
     * @return how many, or -1 if {@code names} ended it
     * @throws IOException the body did not come to its end
     */
    long tell(PoolMaster.Names names) throws IOException {
        while (true) {
            Object piece = next();
            if (piece == END) {
                // The last line may lack its line feed.
                return length == 0 || line(names, 0, length) ? told : -1;
            }
            if (piece instanceof Throwable failed) {
                throw new IOException("the list ended early: " + failed.getMessage(), failed);
            }
            @SuppressWarnings("unchecked")
            List<ByteBuffer> buffers = (List<ByteBuffer>) piece;
            for (ByteBuffer buffer : buffers) {
                append(buffer);
                if (!lines(names)) {
                    return -1;
                }
            }
            subscription.request(1);
        }
    }

    private Object next() throws IOException {
        try {
            Object piece = pieces.poll(patienceMs, TimeUnit.MILLISECONDS);
            if (piece == null) {
                throw new HttpLateException("the list stopped after " + told + " names");
            }
            return piece;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted after " + told + " names", e);
        }
    }

    private void append(ByteBuffer buffer) {
        int more = buffer.remaining();
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        buffer.get(bytes, length, more);
        length += more;
    }

    /** Tells the whole lines and keeps the rest. */
    private boolean lines(PoolMaster.Names names) throws IOException {
        int from = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                if (!line(names, from, i - from)) {
                    return false;
                }
                from = i + 1;
            }
        }
        System.arraycopy(bytes, from, bytes, 0, length - from);
        length -= from;
        if (length > LONGEST_LINE) {
            throw new IOException("not a list of names: a line is longer than " + LONGEST_LINE + " bytes");
        }
        return true;
    }

    private boolean line(PoolMaster.Names names, int from, int count) {
        if (count == 0) {
            return true;
        }
        told++;
        return names.name(bytes, from, count);
    }

    @Override
    public void close() {
        subscription.cancel();
    }
}
