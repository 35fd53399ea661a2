package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * One connection: takes requests in turn and answers each before the next.
 *
 * <p>A generation request that is under way when the client goes is cancelled, and its blocks are free after the pass.
 *
 * <p><b>Threading:</b> owned by the connection's loop.
 */
final class EngineHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String JSON = "application/json";

    private final SimulatedEngine owner;
    private final EngineState engine;
    private final GenerationFront front;
    private final InfoRoutes info;
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private GenerationFront.Running running;
    private boolean busy;
    private boolean gone;

    /** A request taken off the wire. */
    private record Call(HttpMethod method, String path, HttpHeaders headers, byte[] body, boolean keepAlive) {}

    EngineHandler(SimulatedEngine owner, EngineState engine) {
        this.owner = owner;
        this.engine = engine;
        this.front = new GenerationFront(engine);
        this.info = new InfoRoutes(engine);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            ctx.close();
            return;
        }
        String path = new QueryStringDecoder(request.uri()).path();
        byte[] body = ByteBufUtil.getBytes(request.content());
        waiting.add(new Call(request.method(), path, request.headers().copy(), body, HttpUtil.isKeepAlive(request)));
        next(ctx);
    }

    private void next(ChannelHandlerContext ctx) {
        while (!busy && !waiting.isEmpty()) {
            Call call = waiting.removeFirst();
            ApiKind kind = call.method() == HttpMethod.POST ? ApiKind.ofPath(call.path()) : null;
            if (kind != null) {
                generate(ctx, call, kind);
            } else {
                answer(ctx, call);
            }
        }
    }

    private void generate(ChannelHandlerContext ctx, Call call, ApiKind kind) {
        if (engine.faults.refuse() || engine.faults.dead()) {
            ctx.close();
            return;
        }
        busy = true;
        engine.serverLoad.incrementAndGet();
        if (engine.faults.takeFailure()) {
            int status = engine.faults.failStatus();
            refuse(ctx, call, kind, new RefusedException(status, "InternalServerError", "told to fail", null));
            return;
        }
        long delayMs = engine.faults.delayMs();
        if (delayMs > 0) {
            ctx.executor().schedule(() -> submit(ctx, call, kind), delayMs, TimeUnit.MILLISECONDS);
        } else {
            submit(ctx, call, kind);
        }
    }

    private void submit(ChannelHandlerContext ctx, Call call, ApiKind kind) {
        if (gone) {
            engine.serverLoad.decrementAndGet();
            return;
        }
        try {
            running = front.submit(ctx, kind, call.body(), call.headers(), call.keepAlive(), () -> done(ctx));
        } catch (RefusedException e) {
            refuse(ctx, call, kind, e);
        }
    }

    private void refuse(ChannelHandlerContext ctx, Call call, ApiKind kind, RefusedException e) {
        send(ctx, call, e.status(), JSON, e.json(kind == ApiKind.MESSAGES));
        done(ctx);
    }

    private void done(ChannelHandlerContext ctx) {
        running = null;
        busy = false;
        engine.serverLoad.decrementAndGet();
        // Not from within the write: the next answer must come behind this one.
        ctx.executor().execute(() -> next(ctx));
    }

    private void answer(ChannelHandlerContext ctx, Call call) {
        try {
            switch (call.method().name() + ' ' + call.path()) {
                case "GET /health", "GET /ping", "POST /ping" -> send(ctx, call, 200, JSON, "");
                case "GET /version" -> send(ctx, call, 200, JSON, "{\"version\":\"" + EngineState.VERSION + "\"}");
                case "GET /load" -> send(ctx, call, 200, JSON, "{\"server_load\":" + engine.serverLoad.get() + "}");
                case "GET /v1/models" -> send(ctx, call, 200, JSON, info.models());
                case "GET /kv_event_sources" -> send(ctx, call, 200, JSON, info.kvEventSources());
                case "GET /metrics" ->
                    send(ctx, call, 200, "text/plain; version=0.0.4; charset=utf-8", MetricsText.of(engine));
                case "POST /tokenize" -> send(ctx, call, 200, JSON, info.tokenize(call.body()));
                case "POST /detokenize" -> send(ctx, call, 200, JSON, info.detokenize(call.body()));
                case "POST /v1/chat/completions/render" -> send(ctx, call, 200, JSON, info.render(call.body()));
                case "POST /reset_prefix_cache" -> resetPrefixCache(ctx, call);
                case "GET /sim/state" -> send(ctx, call, 200, JSON, info.state());
                case "POST /sim/fault" -> fault(ctx, call);
                case "POST /sim/restart" -> restart(ctx, call);
                default -> send(ctx, call, 404, JSON, "{\"detail\":\"Not Found\"}");
            }
        } catch (RefusedException e) {
            send(ctx, call, e.status(), JSON, e.json(false));
        }
    }

    private void resetPrefixCache(ChannelHandlerContext ctx, Call call) {
        busy = true;
        owner.resetPrefixCache()
                .thenAcceptAsync(
                        success -> {
                            send(ctx, call, 200, JSON, "{\"success\":" + success + "}");
                            busy = false;
                            next(ctx);
                        },
                        ctx.executor());
    }

    private void fault(ChannelHandlerContext ctx, Call call) throws RefusedException {
        requireLoopback(ctx);
        JsonNode body = InfoRoutes.tree(call.body());
        engine.faults.apply(body);
        for (EngineRank rank : engine.ranks) {
            if (rank.publisher() != null && body.has("dropEvents")) {
                rank.publisher().dropNext((int) Faults.number(body, "dropEvents"));
            }
            if (rank.publisher() != null && body.has("loseEvents")) {
                rank.publisher().loseNext((int) Faults.number(body, "loseEvents"));
            }
        }
        send(ctx, call, 200, JSON, "{}");
    }

    private void restart(ChannelHandlerContext ctx, Call call) throws RefusedException {
        requireLoopback(ctx);
        busy = true;
        owner.restart()
                .thenAcceptAsync(
                        life -> {
                            send(ctx, call, 200, JSON, "{\"incarnation\":" + life + "}");
                            busy = false;
                            next(ctx);
                        },
                        ctx.executor());
    }

    private static void requireLoopback(ChannelHandlerContext ctx) throws RefusedException {
        boolean loopback = ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress();
        if (!loopback) {
            throw new RefusedException(
                    403, "PermissionDeniedError", "faults are made from the engine's own machine", null);
        }
    }

    private static void send(ChannelHandlerContext ctx, Call call, int status, String type, String text) {
        ByteBuf body = ByteBufUtil.writeUtf8(ctx.alloc(), text);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        HttpUtil.setKeepAlive(response, call.keepAlive());
        ctx.writeAndFlush(response).addListener(sent -> {
            if (!call.keepAlive()) {
                ctx.close();
            }
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        gone = true;
        waiting.clear();
        if (running != null) {
            running.cancel();
            running = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // A peer that went away, or bytes that are no HTTP: the connection is of no use any more.
        ctx.close();
    }
}
