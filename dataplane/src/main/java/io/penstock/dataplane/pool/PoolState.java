package io.penstock.dataplane.pool;

/** Whether what is known of a shared pool counts, and if not, why. */
public enum PoolState {
    /** No engine's layout is known, or the engines disagree. */
    NO_LAYOUT,
    /** The master's event socket is not connected. */
    OFFLINE,
    /** The master publishes no events, or leaves the objects' names out. */
    NO_EVENTS,
    /** Events were lost, the master is another or was not listed for long: a listing is awaited. */
    DOUBTED,
    /** Events are applied as they come. */
    LIVE
}
