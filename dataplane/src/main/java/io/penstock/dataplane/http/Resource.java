package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpRequest;

/**
 * What answers requests of one kind.
 *
 * <p><b>Threading:</b> thread-safe.
 */
interface Resource {
    /** How errors look to this resource's clients. */
    ErrorShape shape();

    /** The answering of one request, not yet begun. */
    InFlight answer(ClientConnection client, HttpRequest head, RequestBody body);
}
