package io.penstock.dataplane.pool;

/** Whether a shared pool can be asked. */
public enum StoreState {
    /** The first connection is being made. */
    CONNECTING,
    /** It answers. */
    READY,
    /** It has not answered in time, and has not failed. */
    SLOW,
    /** It cannot be reached, or answers with errors. */
    DOWN,
    /** The library that asks it is not there. */
    ABSENT,
    /** We are done with it. */
    CLOSED
}
