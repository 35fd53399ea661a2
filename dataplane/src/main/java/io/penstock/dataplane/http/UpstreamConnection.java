package io.penstock.dataplane.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One connection to an engine: carries one request at a time and hands its answer to an {@link Answer}.
 *
 * <p><b>Threading:</b> owned by its event loop, which is also the client's.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter {
    private final UpstreamPool pool;
    final UpstreamPool.Address address;
    Channel channel;
    long idleSinceNs;

    private Answer answer;
    private boolean used;
    private boolean aborted;
    private boolean reused;
    private boolean answered;
    private boolean interim;
    private boolean keep;
    private long silentSinceNs;
    private ScheduledFuture<?> silence;

    UpstreamConnection(UpstreamPool pool, UpstreamPool.Address address) {
        this.pool = pool;
        this.address = address;
    }

    /** Sends a request; its answer goes to {@code to}. */
    void send(FullHttpRequest request, Answer to) {
        if (aborted) {
            request.release(); // the client left while the connection was being made
            return;
        }
        answer = to;
        reused = used;
        used = true;
        answered = false;
        interim = false;
        silentSinceNs = System.nanoTime();
        long timeoutNs = pool.idleTimeoutNs();
        silence = channel.eventLoop().schedule(this::checkSilence, timeoutNs, TimeUnit.NANOSECONDS);
        channel.config().setAutoRead(true);
        channel.writeAndFlush(request, channel.voidPromise());
    }

    /** Gives the answer up: the engine sees its client gone. */
    void abort() {
        answer = null;
        aborted = true;
        stopSilence();
        channel.close();
    }

    /** Stops or goes on reading from the engine. */
    void reading(boolean on) {
        if (on) {
            silentSinceNs = System.nanoTime();
        }
        channel.config().setAutoRead(on);
    }

    private void checkSilence() {
        if (answer == null) {
            return;
        }
        long now = System.nanoTime();
        // A paused connection is silent by our own wish.
        long sinceNs = channel.config().isAutoRead() ? silentSinceNs : now;
        long leftNs = sinceNs + pool.idleTimeoutNs() - now;
        if (leftNs > 0) {
            silence = channel.eventLoop().schedule(this::checkSilence, leftNs, TimeUnit.NANOSECONDS);
        } else {
            fail(Answer.Break.SILENT);
        }
    }

    private void stopSilence() {
        if (silence != null) {
            silence.cancel(false);
            silence = null;
        }
    }

    private void fail(Answer.Break kind) {
        Answer to = answer;
        abort();
        if (to != null) {
            to.broken(kind);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (answer == null) {
            // Bytes that nobody asked for, or of an answer given up.
            ReferenceCountUtil.release(message);
            channel.close();
            return;
        }
        silentSinceNs = System.nanoTime();
        if (message instanceof HttpObject object && object.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            fail(answered ? Answer.Break.WITHIN : Answer.Break.NO_ANSWER);
            return;
        }
        if (message instanceof HttpResponse head) {
            interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!interim) {
                answered = true;
                keep = HttpUtil.isKeepAlive(head);
                answer.head(head);
            }
        }
        if (message instanceof HttpContent content) {
            boolean last = message instanceof LastHttpContent;
            if (interim || answer == null) {
                content.release();
                return;
            }
            if (content.content().isReadable()) {
                answer.content(content.content());
            } else {
                content.release();
            }
            if (last && answer != null) {
                ended();
            }
        }
    }

    private void ended() {
        Answer to = answer;
        answer = null;
        stopSilence();
        if (keep && channel.isActive()) {
            pool.keep(this);
        } else {
            channel.close();
        }
        to.end();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (answer != null) {
            answer.readComplete();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pool.forget(this);
        if (answer != null) {
            fail(answered ? Answer.Break.WITHIN : reused ? Answer.Break.STALE : Answer.Break.NO_ANSWER);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Reset by the peer and the like; channelInactive tells the answer.
        context.close();
    }
}
