package io.penstock.dataplane.http;

/**
 * Reads the events of one API's stream for what the router wants to know of them.
 *
 * <p><b>Threading:</b> owned by the event loop.
 */
interface StreamEvents {
    /** An event without output: comments, pings, frames of the stream. */
    int OTHER = 0;

    /** An event that carries output. */
    int OUTPUT = 1;

    /** The chunk that has usage and no choices. */
    int USAGE_ONLY = 2;

    /** {@code data: [DONE]}. */
    int DONE = 3;

    /** What the event in {@code bytes} is, its empty line included. */
    int event(byte[] bytes, int from, int length);

    /** Output tokens by the engine's usage, or -1. */
    int outputTokens();

    /** Cached prompt tokens by the engine's usage, or -1. */
    int cachedTokens();
}
