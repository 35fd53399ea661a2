package io.penstock.dataplane.workers;

/**
 * How a worker is told to fetch cache from another.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum HintWay {
    /** Not at all. */
    NONE,
    /** By a NIXL notification to its agent, beside the request. */
    NIXL,
    /** In the request itself: {@code kv_transfer_params.kv_hint}. */
    REQUEST
}
