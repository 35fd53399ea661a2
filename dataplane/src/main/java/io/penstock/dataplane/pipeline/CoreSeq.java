package io.penstock.dataplane.pipeline;

/**
 * Numbers the core's inputs.
 *
 * <p><b>Threading:</b> owned by the core's thread.
 */
final class CoreSeq {
    private long last;

    CoreSeq(long first) {
        last = first - 1;
    }

    long next() {
        return ++last;
    }

    /** The last number given. */
    long last() {
        return last;
    }
}
