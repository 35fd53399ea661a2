package io.penstock.dataplane.pipeline;

/**
 * Receives the core's answer.
 *
 * <p><b>Threading:</b> called once, on the core's thread, or inside {@link RequestPort#route} while the core is down: hand
 * over to your own thread, do nothing else.
 */
@FunctionalInterface
public interface RouteReply {
    /** {@code request.decision} is filled. */
    void decided(RouteRequest request);
}
