package io.penstock.dataplane.http;

/**
 * A request that is being answered.
 *
 * <p><b>Threading:</b> called on the client's event loop.
 */
interface InFlight {
    /** Sets out; ends with {@link ClientConnection#answered}, unless the client goes before. */
    void start();

    /** The client's socket takes bytes again, or no more for now. */
    void writable(boolean writable);

    /** The client is gone: nobody waits for the answer. */
    void clientGone();
}
