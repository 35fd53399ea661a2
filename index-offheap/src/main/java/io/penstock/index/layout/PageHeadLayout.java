package io.penstock.index.layout;

/**
 * A page of the shared pool as a look-up along the page chain reads it: record after record, in the order of arrival, or of
 * the chain where a look-up has shown it.
 *
 * <pre>
 *    0 fingerprint u64   0 = free
 *    8 complete u32      listing since which all objects are there, 0 = not all, or missed too often
 *   12 misses u32       bits 0..30; bit 31: filed, the page keeps its record
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

    /** Times missed since the last confirmation, and {@link #FILED}. */
    public static final int MISSES = COMPLETE + Integer.BYTES;

    /** Bit of {@link #MISSES}: filed along the page chain, not to be moved again. */
    public static final int FILED = 1 << 31;

    private PageHeadLayout() {}
}
