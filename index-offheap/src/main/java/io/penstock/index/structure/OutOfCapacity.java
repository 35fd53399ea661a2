package io.penstock.index.structure;

/**
 * A region is full; the step in flight must be taken back. One instance without a stack trace, so that a full index
 * costs nothing to refuse; it never leaves the package's callers.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class OutOfCapacity extends RuntimeException {
    /** The instance. */
    public static final OutOfCapacity INSTANCE = new OutOfCapacity();

    private static final long serialVersionUID = 1;

    private OutOfCapacity() {
        super("index region is full", null, false, false);
    }
}
