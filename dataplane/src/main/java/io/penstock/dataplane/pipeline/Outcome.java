package io.penstock.dataplane.pipeline;

/** How a request left its worker. */
public enum Outcome {
    /** The engine answered in full. */
    COMPLETED,
    /** The client went away. */
    CANCELLED,
    /** The engine refused or died before the first byte: tried elsewhere. */
    REFUSED,
    /** The engine failed after the first byte. */
    BROKEN
}
