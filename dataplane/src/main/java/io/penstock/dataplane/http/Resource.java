package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.openai.ApiKind;

/**
 * What answers requests of one kind.
 *
 * <p><b>Threading:</b> thread-safe.
 */
interface Resource {
    /** The API whose shape errors take; null for OpenAI's. */
    ApiKind kind();

    /** The answering of one request, not yet begun. */
    InFlight answer(ClientConnection client, HttpRequest head, RequestBody body);

    /** A request has been refused before it was there in full; does nothing where nobody is told of requests. */
    default void refused(ClientConnection client, HttpRequest head, int status) {}
}
