package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The bytes of one request body as they come in, up to its own limit and the one of all bodies together.
 *
 * <p>Grows with what has arrived, not with what was announced.
 *
 * <p><b>Threading:</b> owned by the event loop; once complete, its bytes may be handed on.
 */
final class RequestBody {
    private static final int FIRST = 16 << 10;
    private static final int FIRST_ANNOUNCED = 64 << 10;
    private static final byte[] NONE = {};

    private final int limit;
    private final long announced;
    private final BodyBudget budget;
    private byte[] bytes = NONE;
    private int length;
    private int charged;

    /** A body of {@code announced} bytes, -1 where the client does not say. */
    RequestBody(long announced, int limit, BodyBudget budget) {
        this.announced = announced;
        this.limit = limit;
        this.budget = budget;
    }

    /** Why the bytes cannot be taken, or null. */
    Refusal add(ByteBuf more) {
        int count = more.readableBytes();
        if (count > limit - length) {
            return Refusal.BODY_TOO_LARGE;
        }
        if (length + count > bytes.length) {
            int grown = grown(length + count);
            if (!budget.take(grown - bytes.length)) {
                return Refusal.BODIES_FULL;
            }
            charged = grown;
            bytes = Arrays.copyOf(bytes, grown);
        }
        more.readBytes(bytes, length, count);
        length += count;
        return null;
    }

    private int grown(int needed) {
        long most = announced >= needed ? Math.min(announced, limit) : limit;
        int first = announced >= needed ? FIRST_ANNOUNCED : FIRST;
        return (int) Math.min(Math.max(needed, Math.max(first, bytes.length * 2L)), most);
    }

    /** Holds the body in its first {@link #length} bytes. */
    byte[] bytes() {
        return bytes;
    }

    /** Bytes of the body. */
    int length() {
        return length;
    }

    /** Gives its room back, since nobody needs the bytes any more. A second call does nothing. */
    void release() {
        budget.give(charged);
        charged = 0;
    }
}
