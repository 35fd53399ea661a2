package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.penstock.bindings.openai.ApiKind;
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
    private final Front front;
    private final ClientConnection client;
    private final HttpRequest head;
    private final RequestPlan plan;
    private final RouteRequest route;
    private final LifeCycle life;
    private final RequestTrace trace;

    private WorkerEndpoint endpoint;
    private byte[] hint;
    private UpstreamConnection upstream;
    private EngineAnswer answer;
    private RefusedAnswer refused;
    private boolean collecting;
    private int attempts;
    private ScheduledFuture<?> stall;
    // Written on the loop; preparation only looks whether its work is still wanted.
    private volatile boolean over;

    Exchange(Front front, ClientConnection client, HttpRequest head, ApiKind kind, RequestBody body) {
        this.front = front;
        this.client = client;
        this.head = head;
        this.route = new RouteRequest(decided -> client.context().executor().execute(this::reply));
        this.trace = front.trace(kind, head.headers());
        trace.body(body);
        route.requestId = trace.requestId();
        this.plan = new RequestPlan(front, kind, head, body, route, trace);
        this.life = new LifeCycle(front, client.context().executor());
    }

    private ChannelHandlerContext out() {
        return client.context();
    }

    @Override
    public void start() {
        front.counters().started(plan.kind());
        if (plan.bodyLength() <= front.config().loopBodyBytes()) {
            prepare(false);
            return;
        }
        try {
            front.preparation().execute(() -> prepare(true));
        } catch (RejectedExecutionException full) {
            refuse(Refusal.PREPARATION_FULL);
        }
    }

    private void prepare(boolean offLoop) {
        try {
            ask(offLoop);
        } catch (RuntimeException failed) {
            front.failed(failed);
            onLoop(() -> refuse(Refusal.INTERNAL));
        }
    }

    /** Reads the body, the prompt in it where the placement needs it, and asks the core. */
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
        } else if (front.encoder().encodeAtOnce(plan.prompt(), route)) {
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
        if (out().executor().inEventLoop()) {
            work.run();
        } else {
            out().executor().execute(work);
        }
    }

    private void reply() {
        try {
            decided();
        } catch (RuntimeException failed) {
            front.failed(failed);
            life.finished(Outcome.REFUSED, 0, -1);
            refuse(Refusal.INTERNAL);
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
        front.decisions().add(trace.requestId(), plan.kind().path(), plan.model(), attempts + 1, route);
        if (!routed) {
            giveUp(Refusal.of(decision.status));
            return;
        }
        attempts++;
        endpoint = decision.endpoint;
        trace.routed(route, attempts);
        hint = EngineBody.hintField(front.hints().message(route, plan.takesHint()));
        send(false);
    }

    private void send(boolean fresh) {
        EngineSession session = new EngineSession(endpoint.engine(), plan.kind(), plan.sessionForEngine());
        ByteBuf body = EngineBody.with(plan.body(), plan.bodyLength(), session.field(), hint);
        HttpHeaders headers = ForwardedHeaders.request(head.headers(), endpoint, body.readableBytes());
        session.header(headers);
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                head.method(),
                endpoint.basePath() + head.uri(),
                body,
                headers,
                EmptyHttpHeaders.INSTANCE);
        UpstreamPool.Address address = new UpstreamPool.Address(endpoint.host(), endpoint.port());
        front.pool(out().channel().eventLoop()).send(address, request, fresh, this);
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
        refused = collecting ? new RefusedAnswer(response) : null;
        answer = collecting ? null : answer(response);
    }

    private EngineAnswer answer(HttpResponse response) {
        return new EngineAnswer(front, client, plan, endpoint, life, trace, response);
    }

    @Override
    public void content(ByteBuf bytes) {
        if (over) {
            bytes.release();
        } else if (collecting) {
            refused.add(bytes);
        } else {
            answer.content(bytes);
        }
    }

    @Override
    public void readComplete() {
        if (begun()) {
            out().flush();
        }
        if (upstream != null && stall == null && !out().channel().isWritable()) {
            writable(false); // full already when this answer began
        }
    }

    private boolean begun() {
        return answer != null && answer.begun();
    }

    @Override
    public void end() {
        upstream = null;
        if (over) {
            return;
        }
        if (collecting) {
            elsewhere();
        } else {
            answer.complete();
            over(true);
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
        if (begun()) {
            over(answer.breakOff());
        } else if (kind == Break.STALE) {
            send(true);
        } else {
            elsewhere();
        }
    }

    /** Asks for another worker than those tried. */
    private void elsewhere() {
        life.finished(Outcome.REFUSED, 0, -1);
        collecting = false;
        answer = null;
        if (attempts >= front.config().maxAttempts()) {
            giveUp(Refusal.ENGINES_FAILED);
            return;
        }
        front.counters().retried();
        route.exclude(endpoint.slot());
        // The ranks of a worker share its server: none of them is another worker.
        for (int rank : front.names().slots(endpoint.worker())) {
            if (rank != endpoint.slot()) {
                route.exclude(rank);
            }
        }
        publish();
    }

    /** No worker is left: the engine's own refusal if there was one, else ours. */
    private void giveUp(Refusal refusal) {
        if (refused == null || !refused.whole()) {
            refuse(attempts > 0 ? Refusal.ENGINES_FAILED : refusal);
            return;
        }
        trace.refusedByEngines();
        answer = answer(refused.head());
        answer.content(refused.body());
        answer.complete();
        over(true);
    }

    private void refuse(Refusal refusal) {
        if (over) {
            return;
        }
        front.counters().refused(refusal);
        DefaultFullHttpResponse said = refusal.answer(plan.kind(), plan.detail(), front.config());
        trace.answered(said.status().code());
        Answers.write(client, said);
        over(true);
        life.ended(Outcome.REFUSED, 0, -1, trace.end(Outcome.REFUSED, 0, null));
    }

    private void over(boolean intact) {
        leave();
        client.answered(intact);
    }

    private void leave() {
        over = true;
        front.counters().ended();
        stopStall();
    }

    @Override
    public void writable(boolean writable) {
        if (upstream != null) {
            upstream.reading(writable);
        }
        stopStall();
        if (!writable) {
            front.counters().stalled();
            int limitMs = front.config().clientStallTimeoutMs();
            stall = out().executor().schedule(() -> out().close(), limitMs, TimeUnit.MILLISECONDS);
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
        leave();
        front.counters().clientGone();
        if (upstream != null) {
            upstream.abort();
            upstream = null;
        }
        if (answer == null) {
            life.ended(Outcome.CANCELLED, 0, -1, trace.end(Outcome.CANCELLED, 0, null));
        } else {
            answer.cut(Outcome.CANCELLED);
        }
    }
}
