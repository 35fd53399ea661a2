package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;

/**
 * Carries an answer's body from the engine to the client.
 *
 * <p><b>Threading:</b> owned by the event loop.
 */
interface Relay {
    /** Takes bytes of the body and releases them. */
    void content(ByteBuf bytes);

    /** The body is complete: lets go of what was held back. */
    void end();

    /** The engine failed: ends the body with an event that says so; false where this kind of body has no such thing. */
    boolean breakOff(byte[] event);

    /** Whether all that the API promises has come, even if the framing's end has not. */
    boolean complete();

    /** Events of output so far; about as many as tokens. */
    int events();
}
