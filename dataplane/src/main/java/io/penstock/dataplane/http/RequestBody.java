package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The bytes of one request body as they come in, up to a limit.
 *
 * <p>Grows with what has arrived, not with what was announced.
 *
 * <p><b>Threading:</b> owned by the event loop until complete, then handed on.
 */
final class RequestBody {
    private static final int FIRST = 16 << 10;

    private final int limit;
    private final long announced;
    private byte[] bytes;
    private int length;

    RequestBody(long announced, int limit) {
        this.announced = announced;
        this.limit = limit;
        this.bytes = new byte[(int) Math.min(FIRST, Math.max(0, announced < 0 ? FIRST : announced))];
    }

    /** False when the limit is passed. */
    boolean add(ByteBuf more) {
        int count = more.readableBytes();
        if (count > limit - length) {
            return false;
        }
        if (length + count > bytes.length) {
            long grown = Math.max(length + count, bytes.length * 2L);
            long most = announced >= length + count ? Math.min(announced, limit) : limit;
            bytes = Arrays.copyOf(bytes, (int) Math.min(grown, most));
        }
        more.readBytes(bytes, length, count);
        length += count;
        return true;
    }

    /** Holds the body in its first {@link #length} bytes. */
    byte[] bytes() {
        return bytes;
    }

    /** Bytes of the body. */
    int length() {
        return length;
    }
}
