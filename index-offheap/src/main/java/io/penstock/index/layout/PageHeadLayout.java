package io.penstock.index.layout;

/**
 * A page of the shared pool as a look-up along the page chain reads it: record after record, in the order of arrival.
 *
 * <pre>
 *    0 fingerprint u64   0 = free
 *    8 complete u32      listing since which all objects are there, 0 = not all, or missed too often
 *   12 misses u32
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class PageHeadLayout {
    /** Bytes of a head. */
    public static final int BYTES = 16;

    /** Fingerprint of the key. */
    public static final int FINGERPRINT = 0;

    /** Complete since. */
    public static final int COMPLETE = FINGERPRINT + Long.BYTES;

    /** Times missed since the last confirmation. */
    public static final int MISSES = COMPLETE + Integer.BYTES;

    private PageHeadLayout() {}
}
