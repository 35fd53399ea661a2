package io.penstock.dataplane.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/**
 * Answers that the router gives itself.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Answers {
    private Answers() {}

    static DefaultFullHttpResponse json(int status, byte[] body) {
        return of(status, "application/json", body);
    }

    static DefaultFullHttpResponse json(int status, String body) {
        return json(status, body.getBytes(StandardCharsets.UTF_8));
    }

    static DefaultFullHttpResponse of(int status, String type, byte[] body) {
        DefaultFullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(body));
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return answer;
    }

    /** Writes a whole answer, with the connection header that the client's version needs. */
    static void write(ClientConnection client, DefaultFullHttpResponse answer) {
        connection(client, answer.headers());
        client.context().writeAndFlush(answer, client.context().voidPromise());
    }

    /** Says whether the connection stays, where the client's version does not take that for granted. */
    static void connection(ClientConnection client, io.netty.handler.codec.http.HttpHeaders headers) {
        if (!client.keepsAlive()) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!client.chunksUnderstood()) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
