package io.penstock.dataplane.pipeline;

/**
 * Receives the core's answer.
 *
 * <p><b>Threading:</b> called on the core's thread: hand over to your own thread, do nothing else.
 */
@FunctionalInterface
public interface RouteReply {
    /** {@code request.decision} is filled. */
    void decided(RouteRequest request);
}
