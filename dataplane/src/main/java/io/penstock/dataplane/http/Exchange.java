package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.penstock.bindings.openai.ApiErrors;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.Fault;
import io.penstock.bindings.openai.StreamEvents;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.WorkerEndpoint;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One request on its way: read, placed, sent to an engine, answered.
 *
 * <p>Until the first byte of an answer has been written to the client, a failing engine is replaced by another, each at
 * most once, and the request's body is kept for that. After it, a failure ends the stream with an error event in the
 * API's own shape.
 *
 * <p><b>Threading:</b> owned by the client's event loop; preparation runs on a pool and the core's reply comes on its
 * thread, both hand back by the loop's queue.
 */
final class Exchange implements InFlight, Answer {
    private static final int PROGRESS_EVENTS = 64;
    private static final String BROKEN_WITHIN = "The engine failed while it answered.";
    private static final int USAGE_BODY_BYTES = 1 << 20;

    private final Front front;
    private final ClientConnection client;
    private final HttpRequest head;
    private final RequestPlan plan;
    private final RouteRequest route;
    private final LifeCycle life;
    private final long startedNs = System.nanoTime();

    private WorkerEndpoint endpoint;
    private UpstreamConnection upstream;
    private RefusedAnswer refused;
    private boolean collecting;
    private HttpResponse answerHead;
    private Relay relay;
    private StreamEvents events;
    private int attempts;
    private int reported;
    private boolean begun;
    private volatile boolean over;
    private ScheduledFuture<?> stall;

    Exchange(Front front, ClientConnection client, HttpRequest head, ApiKind kind, RequestBody body) {
        this.front = front;
        this.client = client;
        this.head = head;
        this.route = new RouteRequest(decided -> client.context().executor().execute(this::decided));
        this.plan = new RequestPlan(front, kind, head, body, route);
        this.life = new LifeCycle(front.requests(), client.context().executor());
    }

    @Override
    public void start() {
        front.counters().started(plan.kind());
        if (plan.bodyLength() > front.config().loopBodyBytes()) {
            onPool(() -> prepare(true));
        } else {
            prepare(false);
        }
    }

    private void onPool(Runnable work) {
        try {
            front.preparation().execute(work);
        } catch (RejectedExecutionException full) {
            refuse(Refusal.PREPARATION_FULL);
        }
    }

    /** Reads the body, and the prompt in it where the model's placement needs it. */
    private void prepare(boolean offLoop) {
        try {
            ask(offLoop);
        } catch (RuntimeException failed) {
            onLoop(() -> refuse(Refusal.INTERNAL));
        }
    }

    private void ask(boolean offLoop) {
        Refusal refusal = plan.read();
        if (refusal != null) {
            onLoop(() -> refuse(refusal));
        } else if (over) {
            return;
        } else if (plan.prompt() == null) {
            publish();
        } else if (offLoop) {
            front.encoder().encode(plan.prompt(), route);
            publish();
        } else if (!front.encoder().submit(plan.prompt(), route, (source, filled) -> publish())) {
            refuse(Refusal.PREPARATION_FULL);
        }
    }

    private void publish() {
        if (!over && !front.requests().route(route)) {
            onLoop(() -> refuse(Refusal.RING_FULL));
        }
    }

    private void onLoop(Runnable work) {
        if (client.context().executor().inEventLoop()) {
            work.run();
        } else {
            client.context().executor().execute(work);
        }
    }

    /** The core has answered. */
    private void decided() {
        Decision decision = route.decision;
        boolean routed = decision.status == Decision.Status.ROUTED;
        if (routed) {
            life.placed(decision.ticket);
        }
        if (over) {
            life.finished(Outcome.CANCELLED, 0, -1);
            return;
        }
        front.decisions().add(plan.kind().path(), plan.model(), attempts + 1, route);
        if (!routed) {
            giveUp(Refusal.of(decision.status));
            return;
        }
        attempts++;
        endpoint = decision.endpoint;
        send(false);
    }

    private void send(boolean fresh) {
        HttpHeaders headers = ForwardedHeaders.request(head.headers(), endpoint, plan.bodyLength());
        ByteBuf content = Unpooled.wrappedBuffer(plan.body(), 0, plan.bodyLength());
        front.pool(client.context().channel().eventLoop())
                .send(
                        new UpstreamPool.Address(endpoint.host(), endpoint.port()),
                        new DefaultFullHttpRequest(
                                HttpVersion.HTTP_1_1,
                                head.method(),
                                endpoint.basePath() + head.uri(),
                                content,
                                headers,
                                EmptyHttpHeaders.INSTANCE),
                        fresh,
                        this);
    }

    @Override
    public void sent(UpstreamConnection connection) {
        upstream = connection;
    }

    @Override
    public void head(HttpResponse response) {
        int status = response.status().code();
        collecting = (status == 503 || status == 529)
                && front.config().retryUnavailable()
                && attempts < front.config().maxAttempts();
        if (collecting) {
            refused = new RefusedAnswer(response);
            return;
        }
        refused = null;
        answerHead = response;
        if (ForwardedHeaders.isEventStream(response.headers())) {
            events = UsageLookup.reader(plan.kind());
            relay = new SseRelay(events, plan.usageAsked(), client.context().alloc(), this::write);
        } else {
            relay = new ByteRelay(status == 200 ? USAGE_BODY_BYTES : 0, this::write);
        }
    }

    @Override
    public void content(ByteBuf bytes) {
        if (over) {
            bytes.release();
        } else if (collecting) {
            refused.add(bytes);
        } else {
            relay.content(bytes);
            int count = relay.events();
            if (count - reported >= PROGRESS_EVENTS) {
                reported = count;
                life.progress(count);
            }
        }
    }

    /** Writes bytes of the answer's body, before the first of them its head. */
    private void write(ByteBuf bytes) {
        begin();
        client.context().write(new DefaultHttpContent(bytes), client.context().voidPromise());
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        plan.forgetBody();
        life.firstToken();
        front.counters().firstByte(plan.kind(), System.nanoTime() - startedNs);
        HttpHeaders headers = ForwardedHeaders.answer(answerHead.headers(), answerHead.status(), client, events != null);
        if (plan.explained()) {
            headers.set("x-penstock-worker", endpoint.worker());
            headers.set("x-penstock-predicted-cached-tokens", route.decision.predictedCachedTokens);
        }
        client.context()
                .write(
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, answerHead.status(), headers),
                        client.context().voidPromise());
    }

    @Override
    public void readComplete() {
        if (begun) {
            client.context().flush();
        }
        if (upstream != null && stall == null && !client.context().channel().isWritable()) {
            writable(false); // full already when this answer began
        }
    }

    @Override
    public void end() {
        upstream = null;
        if (over) {
            return;
        }
        if (collecting) {
            life.finished(Outcome.REFUSED, 0, -1);
            elsewhere();
            return;
        }
        relay.end();
        complete();
    }

    private void complete() {
        begin();
        front.counters().answered(answerHead.status().code());
        client.context().write(LastHttpContent.EMPTY_LAST_CONTENT, client.context().voidPromise());
        settle();
        over(true);
    }

    /** Reports what the answer took, by the engine's own usage where it gave one. */
    private void settle() {
        if (relay instanceof ByteRelay bytes) {
            UsageLookup.settle(front, plan.kind(), bytes, life);
        } else {
            int tokens = events.completionTokens() >= 0 ? events.completionTokens() : relay.events();
            life.finished(Outcome.COMPLETED, tokens, events.cachedTokens());
        }
    }

    @Override
    public void broken(Break kind) {
        upstream = null;
        if (over) {
            return;
        }
        front.counters().broken(kind);
        if (kind == Break.CONNECT) {
            front.connectFailed(endpoint.worker());
        }
        if (begun) {
            brokenWithin();
        } else if (kind == Break.STALE) {
            send(true);
        } else {
            life.finished(Outcome.REFUSED, 0, -1);
            elsewhere();
        }
    }

    private void brokenWithin() {
        if (relay.complete()) {
            relay.end();
            complete();
            return;
        }
        life.finished(Outcome.BROKEN, relay.events(), -1);
        boolean said = relay.breakOff(ApiErrors.midStream(plan.kind(), Fault.ENGINE_FAILED, BROKEN_WITHIN, events));
        if (said) {
            client.context().write(LastHttpContent.EMPTY_LAST_CONTENT, client.context().voidPromise());
        }
        over(said);
    }

    /** Asks for another worker than those tried. */
    private void elsewhere() {
        collecting = false;
        answerHead = null;
        relay = null;
        events = null;
        if (attempts >= front.config().maxAttempts()) {
            giveUp(Refusal.ENGINES_FAILED);
            return;
        }
        front.counters().retried();
        route.exclude(endpoint.slot());
        publish();
    }

    /** No worker is left: the engine's own refusal if there was one, else ours. */
    private void giveUp(Refusal refusal) {
        if (refused == null || !refused.whole()) {
            refuse(attempts > 0 ? Refusal.ENGINES_FAILED : refusal);
            return;
        }
        answerHead = refused.head();
        relay = new ByteRelay(0, this::write);
        relay.content(refused.body());
        front.counters().answered(answerHead.status().code());
        client.context().write(LastHttpContent.EMPTY_LAST_CONTENT, client.context().voidPromise());
        over(true);
    }

    private void refuse(Refusal refusal) {
        if (over) {
            return;
        }
        front.counters().refused(refusal);
        Answers.write(client, refusal.answer(plan.kind(), plan.detail(), front.config()));
        over(true);
    }

    private void over(boolean intact) {
        over = true;
        front.counters().ended();
        stopStall();
        client.answered(intact);
    }

    @Override
    public void writable(boolean writable) {
        if (upstream != null) {
            upstream.reading(writable);
        }
        stopStall();
        if (!writable) {
            front.counters().stalled();
            stall = client.context()
                    .executor()
                    .schedule(
                            () -> client.context().close(),
                            front.config().clientStallTimeoutMs(),
                            TimeUnit.MILLISECONDS);
        }
    }

    private void stopStall() {
        if (stall != null) {
            stall.cancel(false);
            stall = null;
        }
    }

    @Override
    public void clientGone() {
        if (over) {
            return;
        }
        over = true;
        stopStall();
        front.counters().ended();
        front.counters().clientGone();
        if (upstream != null) {
            upstream.abort();
            upstream = null;
        }
        life.finished(Outcome.CANCELLED, relay == null ? 0 : relay.events(), -1);
    }
}
