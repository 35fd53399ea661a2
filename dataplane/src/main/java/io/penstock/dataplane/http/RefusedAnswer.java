package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import java.util.Arrays;

/**
 * An engine's own 503 or 529, kept for the client in case no other engine takes the request.
 *
 * <p><b>Threading:</b> owned by the event loop.
 */
final class RefusedAnswer {
    private static final int LIMIT = 64 << 10;

    private final HttpResponse head;
    private byte[] bytes = {};
    private boolean tooLong;

    RefusedAnswer(HttpResponse head) {
        this.head = head;
    }

    HttpResponse head() {
        head.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        head.headers().set(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
        return head;
    }

    /** Takes bytes of the body and releases them. */
    void add(ByteBuf more) {
        int count = more.readableBytes();
        tooLong |= count > LIMIT - bytes.length;
        if (!tooLong) {
            int length = bytes.length;
            bytes = Arrays.copyOf(bytes, length + count);
            more.readBytes(bytes, length, count);
        }
        more.release();
    }

    /** Whether it can be given to the client as the engine sent it. */
    boolean whole() {
        return !tooLong;
    }

    ByteBuf body() {
        return Unpooled.wrappedBuffer(bytes);
    }
}
