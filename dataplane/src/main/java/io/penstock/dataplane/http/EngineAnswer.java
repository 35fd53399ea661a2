package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.penstock.bindings.openai.ApiErrors;
import io.penstock.bindings.openai.Fault;
import io.penstock.bindings.openai.StreamEvents;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * An engine's answer on its way to the client. Its head waits for the first byte of its body, so that an engine that
 * fails between the two can still be replaced.
 *
 * <p><b>Threading:</b> owned by the client's event loop.
 */
final class EngineAnswer {
    private static final int PROGRESS_EVENTS = 64;
    private static final int USAGE_BODY_BYTES = 1 << 20;

    /** Pi and OpenCode choose by words whether to ask again; "connection lost" is among theirs. */
    private static final String BROKEN = "Connection lost: the engine failed while it answered.";

    private final Front front;
    private final ClientConnection client;
    private final RequestPlan plan;
    private final WorkerEndpoint from;
    private final LifeCycle life;
    private final RequestTrace trace;
    private final HttpResponse head;
    private final StreamEvents events;
    private final Relay relay;
    private final boolean usageWanted;
    private int reported;
    private boolean begun;
    private boolean outputSeen;

    EngineAnswer(
            Front front,
            ClientConnection client,
            RequestPlan plan,
            WorkerEndpoint from,
            LifeCycle life,
            RequestTrace trace,
            HttpResponse head) {
        this.front = front;
        this.client = client;
        this.plan = plan;
        this.from = from;
        this.life = life;
        this.trace = trace;
        this.head = head;
        // Compressed although the router asked for no compression: nothing in it can be read on the way.
        boolean plain = ForwardedHeaders.isPlain(head.headers());
        usageWanted = plain && head.status().code() == 200;
        events = plain && ForwardedHeaders.isEventStream(head.headers()) ? UsageLookup.reader(plan.kind()) : null;
        relay = events != null
                ? new SseRelay(events, plan.usageAsked(), client.context().alloc(), this::write)
                : new ByteRelay(usageWanted ? USAGE_BODY_BYTES : 0, this::write);
    }

    /** Whether the client has had bytes of it: from then on no other engine can answer. */
    boolean begun() {
        return begun;
    }

    /** Takes bytes of the body. */
    void content(ByteBuf bytes) {
        relay.content(bytes);
        int count = relay.events();
        if (count > 0 || events == null) {
            life.firstToken();
        }
        if (count > 0 && !outputSeen) {
            outputSeen = true;
            trace.firstOutput();
        }
        if (count - reported >= PROGRESS_EVENTS) {
            reported = count;
            life.progress(count);
        }
    }

    /** Writes bytes of the body, before the first of them the head. */
    private void write(ByteBuf bytes) {
        begin();
        trace.passed(bytes);
        out().write(new DefaultHttpContent(bytes), out().voidPromise());
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        plan.firstByte();
        trace.answered(head.status().code());
        HttpHeaders headers = ForwardedHeaders.answer(head.headers(), head.status(), client, events != null);
        if (plan.explained()) {
            headers.set("x-penstock-request-id", trace.requestId());
            headers.set("x-penstock-worker", from.worker());
            headers.set("x-penstock-predicted-cached-tokens", plan.route().decision.predictedCachedTokens);
            headers.set("x-penstock-seq", plan.route().decision.seq);
        }
        out().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, head.status(), headers), out().voidPromise());
    }

    /** The body is complete: writes what was held back and the end, and reports what the answer took. */
    void complete() {
        relay.end();
        begin();
        front.counters().answered(head.status().code());
        end();
        trace.stopped();
        if (relay instanceof ByteRelay bytes) {
            if (usageWanted) {
                UsageLookup.settle(front, plan.kind(), bytes, life, trace);
            } else {
                life.ended(Outcome.COMPLETED, -1, -1, trace.end(Outcome.COMPLETED, -1, null));
            }
        } else {
            int tokens = events.completionTokens() >= 0 ? events.completionTokens() : relay.events();
            life.ended(Outcome.COMPLETED, tokens, events.cachedTokens(), trace.end(Outcome.COMPLETED, tokens, events));
        }
    }

    /** The answer ends here, unfinished: reports what it took so far. */
    void cut(Outcome outcome) {
        int tokens = relay.events();
        life.ended(outcome, tokens, -1, trace.end(outcome, events == null ? -1 : tokens, events));
    }

    /** The engine failed after the first byte; false where the client can be told only by a cut. */
    boolean breakOff() {
        if (relay.complete()) {
            complete();
            return true;
        }
        cut(Outcome.BROKEN);
        boolean said = relay.breakOff(ApiErrors.midStream(plan.kind(), Fault.ENGINE_FAILED, BROKEN, events));
        if (said) {
            end();
        }
        return said;
    }

    private void end() {
        out().write(LastHttpContent.EMPTY_LAST_CONTENT, out().voidPromise());
    }

    private ChannelHandlerContext out() {
        return client.context();
    }
}
