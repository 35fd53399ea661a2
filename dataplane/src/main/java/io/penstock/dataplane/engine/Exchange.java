package io.penstock.dataplane.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * One generation request on its way: takes tokens from the engine thread, writes its answer on the connection's loop.
 *
 * <p>As vLLM does, a stream's head goes out at once, before the first token; its last token, usage and end mark go out
 * in one flush.
 *
 * <p><b>Threading:</b> {@link #onToken} and {@link #onAborted} by the engine thread; everything else by the loop.
 * Output tokens are handed over with the
 * task that the engine thread gives to the loop.
 */
final class Exchange implements Sequence.Listener {
    private final ChannelHandlerContext ctx;
    private final boolean keepAlive;
    private final boolean stream;
    private final Answer answer;
    private final EngineRank rank;
    private final Faults faults;
    private final int blockSize;
    private final int interval;
    private final Runnable onEnd;
    private final int[] output;
    private int handedOver;
    private boolean begun;
    private boolean ended;

    /** @param onEnd called on the loop when the answer is complete or given up */
    Exchange(
            ChannelHandlerContext ctx,
            boolean keepAlive,
            Answer answer,
            EngineRank rank,
            Faults faults,
            EngineConfig config,
            int maxOutput,
            Runnable onEnd) {
        this.ctx = ctx;
        this.keepAlive = keepAlive;
        this.stream = answer.request.stream;
        this.answer = answer;
        this.rank = rank;
        this.faults = faults;
        this.blockSize = config.cache().blockSize();
        this.interval = config.streamInterval();
        this.output = new int[maxOutput];
        this.onEnd = onEnd;
    }

    /** Sends a stream's head. */
    void open() {
        if (stream) {
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            HttpUtil.setKeepAlive(head, keepAlive);
            ctx.writeAndFlush(head);
        }
    }

    @Override
    public void onToken(Sequence sequence, int index, int token, FinishReason end) {
        output[index] = token;
        int to = index + 1;
        // vLLM sends the first token at once, then every interval, and the last whatever is left.
        boolean due = end != null || stream && (index == 0 || to - handedOver >= interval);
        if (due) {
            int from = handedOver;
            handedOver = to;
            Answer.Usage usage = usage(sequence, to);
            rank.deliver(ctx.executor(), () -> write(from, to, end, usage));
        }
        if (faults.countToken()) {
            rank.deliver(ctx.executor(), faults::die);
        }
    }

    @Override
    public void onAborted(Sequence sequence, FinishReason end) {
        rank.deliver(ctx.executor(), () -> {
            end();
            ctx.close();
        });
    }

    private Answer.Usage usage(Sequence s, int outputs) {
        return new Answer.Usage(
                s.promptLength(), Math.max(0, s.cachedTokens), s.createdCacheTokens(blockSize), outputs);
    }

    private void write(int from, int to, FinishReason end, Answer.Usage usage) {
        if (ended || !ctx.channel().isActive()) {
            if (end != null) {
                end();
            }
            return;
        }
        if (faults.dead()) {
            ctx.close();
            return;
        }
        StringBuilder out = new StringBuilder(512);
        if (!stream) {
            answer.whole(out, output, end, usage);
            ByteBuf body = ByteBufUtil.writeUtf8(ctx.alloc(), out);
            DefaultFullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            HttpUtil.setKeepAlive(response, keepAlive);
            send(response, true);
            return;
        }
        if (!begun) {
            begun = true;
            answer.begin(out, usage);
        }
        answer.delta(out, output, from, to, end);
        if (end != null) {
            answer.finish(out, output, end, usage);
        }
        ByteBuf bytes = ByteBufUtil.writeUtf8(ctx.alloc(), out);
        send(end == null ? new DefaultHttpContent(bytes) : new DefaultLastHttpContent(bytes), end != null);
    }

    private void send(Object message, boolean last) {
        if (!last) {
            ctx.writeAndFlush(message, ctx.voidPromise());
            return;
        }
        ctx.writeAndFlush(message).addListener(sent -> {
            if (!keepAlive) {
                ctx.close();
            }
        });
        end();
    }

    private void end() {
        if (!ended) {
            ended = true;
            onEnd.run();
        }
    }
}
