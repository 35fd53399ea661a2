package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponse;

/**
 * Receives an engine's answer, piece by piece.
 *
 * <p><b>Threading:</b> called on the connection's event loop.
 */
interface Answer {
    /** The connection stands, and the request is on its way. */
    void sent(UpstreamConnection connection);

    /** Status and headers came. */
    void head(HttpResponse head);

    /** Bytes of the body came; the receiver releases them. */
    void content(ByteBuf bytes);

    /** The body is complete. The connection belongs to the pool again. */
    void end();

    /** No more to read for now: a good moment to flush. */
    void readComplete();

    /** The connection failed: it could not be made, closed too early, or spoke no HTTP. */
    void broken(Break kind);

    /** How a connection failed. */
    enum Break {
        /** No connection could be made. */
        CONNECT,
        /** A kept connection was closed by the engine before it answered: says nothing about the engine. */
        STALE,
        /** It closed before the first byte of an answer. */
        NO_ANSWER,
        /** It closed within the answer, or the answer was not HTTP. */
        WITHIN,
        /** It said nothing for longer than the idle timeout. */
        SILENT
    }
}
