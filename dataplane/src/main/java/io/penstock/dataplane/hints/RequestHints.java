package io.penstock.dataplane.hints;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Hints that travel in the request, as the front asks for them.
 *
 * <p><b>Threading:</b> thread-safe; never blocks.
 */
public interface RequestHints {
    /** No hints. */
    RequestHints NONE = new RequestHints() {
        @Override
        public boolean ours() {
            return false;
        }

        @Override
        public byte[] message(RouteRequest decided, boolean takes) {
            return null;
        }
    };

    /** Whether only the router gives hints: those in clients' bodies are taken out. */
    boolean ours();

    /**
     * The hint for a request that was just placed.
     *
     * @param takes whether the request's body has a place for it
     * @return an envelope as JSON, or null: there is none for it
     */
    byte[] message(RouteRequest decided, boolean takes);
}
