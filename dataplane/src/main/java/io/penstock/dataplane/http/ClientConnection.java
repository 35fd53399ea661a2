package io.penstock.dataplane.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.penstock.bindings.openai.ApiErrors;
import io.penstock.bindings.openai.Fault;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * One client's connection: collects a request's body, has it answered, takes the next.
 *
 * <p>Requests that a client sends ahead wait here, at most {@link #AHEAD_LIMIT} pieces of them; beyond that the socket
 * is not read. While one is answered the socket is read, so that a client's going is seen at once.
 *
 * <p><b>Threading:</b> owned by its event loop.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private static final int AHEAD_LIMIT = 32;
    private static final long LINGER_MS = 1_000;

    private final Site site;
    private final ArrayDeque<HttpObject> ahead = new ArrayDeque<>(0);

    private ChannelHandlerContext context;
    private HttpRequest head;
    private RequestBody held;
    private Resource resource;
    private RequestBody body;
    private InFlight inFlight;
    private boolean keepAlive;
    private boolean closing;
    private boolean draining;
    private long sinceNs;
    private long heardNs;

    ClientConnection(Site site) {
        this.site = site;
    }

    /** Whose connection it is. */
    Site site() {
        return site;
    }

    /** Where answers are written. */
    ChannelHandlerContext context() {
        return context;
    }

    /** Whether the client understands chunks. */
    boolean chunksUnderstood() {
        return head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
    }

    /** Whether the connection outlives the present answer. */
    boolean keepsAlive() {
        return keepAlive && !site.stopping();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        sinceNs = System.nanoTime();
        schedulePace();
        site.opened(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        heardNs = System.nanoTime();
        if (closing) {
            ReferenceCountUtil.release(message);
        } else if (inFlight != null || !ahead.isEmpty()) {
            ahead.add((HttpObject) message);
            if (ahead.size() >= AHEAD_LIMIT) {
                context.channel().config().setAutoRead(false);
            }
        } else {
            take((HttpObject) message);
        }
    }

    private void take(HttpObject message) {
        if (message.decoderResult().isFailure()) {
            malformed(message.decoderResult().cause());
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            begin(request);
        }
        if (message instanceof HttpContent content) {
            try {
                Refusal refusal = body == null ? null : body.add(content.content());
                if (refusal != null) {
                    refuse(refusal);
                }
            } finally {
                content.release();
            }
            if (message instanceof LastHttpContent && head != null) {
                dispatch();
            }
        }
    }

    private void begin(HttpRequest request) {
        head = request;
        sinceNs = System.nanoTime();
        keepAlive = HttpUtil.isKeepAlive(request);
        resource = site.resources().find(request);
        long announced = HttpUtil.getContentLength(request, -1L);
        body = new RequestBody(announced, site.config().maxBodyBytes(), site.bodies());
        held = body;
        String expectation = request.headers().get(HttpHeaderNames.EXPECT);
        if (announced > site.config().maxBodyBytes()) {
            refuse(Refusal.BODY_TOO_LARGE);
        } else if (!site.bodies().hasRoom(announced)) {
            refuse(Refusal.BODIES_FULL);
        } else if (expectation != null && !HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expectation)) {
            refuse(HttpResponseStatus.EXPECTATION_FAILED, "unknown expectation");
        } else if (expectation != null && chunksUnderstood()) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void dispatch() {
        RequestBody complete = body;
        body = null;
        inFlight = resource.answer(this, head, complete);
        inFlight.start();
    }

    /** The present answer is written in full; {@code intact} unless its framing was cut off. */
    void answered(boolean intact) {
        boolean goOn = intact && keepsAlive();
        inFlight = null;
        head = null;
        resource = null;
        letBodyGo();
        sinceNs = System.nanoTime();
        context.flush();
        if (!goOn) {
            closing = true;
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        if (!draining) {
            takeAhead();
        }
    }

    private void takeAhead() {
        draining = true;
        while (inFlight == null && !closing && !ahead.isEmpty()) {
            take(ahead.poll());
        }
        draining = false;
        if (ahead.isEmpty()) {
            context.channel().config().setAutoRead(true);
        }
    }

    private void letBodyGo() {
        body = null;
        if (held != null) {
            held.release();
            held = null;
        }
    }

    private void refuse(Refusal refusal) {
        site.counters().refused(refusal);
        refuse(refusal.answer(resource.kind(), null, site.config()));
    }

    private void malformed(Throwable cause) {
        HttpResponseStatus status = HttpResponseStatus.BAD_REQUEST;
        if (cause instanceof TooLongHttpHeaderException) {
            status = HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
        } else if (cause instanceof TooLongHttpLineException) {
            status = HttpResponseStatus.REQUEST_URI_TOO_LONG;
        }
        refuse(status, "malformed request");
    }

    private void refuse(HttpResponseStatus status, String message) {
        site.counters().refused(Refusal.MALFORMED);
        byte[] error = ApiErrors.body(resource == null ? null : resource.kind(), Fault.BAD_REQUEST, message);
        refuse(Answers.json(status.code(), error));
    }

    /** Answers before the body is in, then reads on for a moment: closing at once would reset what was just sent. */
    private void refuse(DefaultFullHttpResponse answer) {
        closing = true;
        if (resource != null && head != null) {
            resource.refused(this, head, answer.status().code());
        }
        letBodyGo();
        releaseAhead();
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(answer).addListener(written -> {
            if (context.channel() instanceof io.netty.channel.socket.DuplexChannel duplex) {
                duplex.shutdownOutput();
            }
        });
        context.executor().schedule(() -> context.close(), LINGER_MS, TimeUnit.MILLISECONDS);
    }

    /** The router stops: goes when nothing is in flight. */
    void stop() {
        if (inFlight == null && body == null) {
            context.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (inFlight != null) {
            inFlight.writable(changed.channel().isWritable());
        }
    }

    private void schedulePace() {
        long limitMs =
                Math.min(site.config().clientIdleTimeoutMs(), site.config().clientRequestTimeoutMs());
        context.executor().schedule(this::pace, Math.max(1, limitMs / 4), TimeUnit.MILLISECONDS);
    }

    /** Gives a client up that says nothing, or says it so slowly that it only holds the connection. */
    private void pace() {
        if (closing) {
            return;
        }
        long now = System.nanoTime();
        long idleNs = site.config().clientIdleTimeoutMs() * 1_000_000L;
        boolean headDue = head == null && inFlight == null && now - sinceNs >= idleNs;
        boolean bodySilent = body != null && now - heardNs >= idleNs;
        if (headDue || bodySilent) {
            context.close();
        } else if (body != null && now - sinceNs >= site.config().clientRequestTimeoutMs() * 1_000_000L) {
            refuse(Refusal.REQUEST_TIMEOUT);
        } else {
            schedulePace();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        closing = true;
        letBodyGo();
        site.closed(this);
        releaseAhead();
        if (inFlight != null) {
            InFlight gone = inFlight;
            inFlight = null;
            gone.clientGone();
        }
    }

    private void releaseAhead() {
        while (!ahead.isEmpty()) {
            ReferenceCountUtil.release(ahead.poll());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext caught, Throwable cause) {
        // A reset by the client, or a failed write: channelInactive ends what is in flight.
        if (!(cause instanceof IOException)) {
            site.failed(cause);
        }
        context.close();
    }
}
