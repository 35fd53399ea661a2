package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.openai.ApiKind;

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
}
