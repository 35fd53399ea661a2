package io.penstock.dataplane.tokens;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Receives a request whose prompt has been read.
 *
 * <p><b>Threading:</b> called once, on a worker of the encoder: publish the request or hand over, do not block.
 */
@FunctionalInterface
public interface EncodeReply {
    /** {@code request} has its tokens counted and its hashes added, as far as {@code source} says. */
    void encoded(TokenSource source, RouteRequest request);
}
