package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.pipeline.Outcome;

/**
 * An API that is passed through to an engine.
 *
 * <p><b>Threading:</b> immutable.
 */
record ApiResource(Front front, ApiKind kind) implements Resource {
    @Override
    public InFlight answer(ClientConnection client, HttpRequest head, RequestBody body) {
        return new Exchange(front, client, head, kind, body);
    }

    @Override
    public void refused(ClientConnection client, HttpRequest head, int status) {
        RequestTrace trace = front.trace(kind, head.headers());
        trace.answered(status);
        new LifeCycle(front, client.context().executor())
                .ended(Outcome.REFUSED, 0, -1, trace.end(Outcome.REFUSED, 0, null));
    }
}
