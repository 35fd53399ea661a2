package io.penstock.dataplane.workers;

/** Where a worker stands. */
public enum WorkerState {
    /** Its engine has not yet said what is left open; asked again until it does. */
    RESOLVING,
    /** The core has been told; its slots are awaited. */
    JOINING,
    /** Takes requests. */
    HEALTHY,
    /** Known, but its engine does not answer. */
    UNHEALTHY,
    /** Takes nothing new. */
    DRAINING,
    /** The core did not take it. */
    REFUSED
}
