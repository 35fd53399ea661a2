package io.penstock.dataplane.pipeline;

/** How the core waits for input. */
public enum WaitMode {
    /** Parks until a producer wakes it: the default, right wherever cores are shared. */
    BLOCKING,
    /** Gives its time slice away. */
    YIELDING,
    /** Never lets go of its core: only with a core of its own. */
    BUSY_SPIN
}
