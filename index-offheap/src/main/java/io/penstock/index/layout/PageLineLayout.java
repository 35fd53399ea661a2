package io.penstock.index.layout;

/**
 * A line of the shared pool's table: four cells, all that a look-up needs of four pages.
 *
 * <pre>
 *    0 fingerprint u64 x 4   0 = free
 *   32 record u32 x 4        number + 1
 *   48 complete u32 x 4      bits 0..23: listing since which all objects are there, 0 = not all; bits 24..31 of the first:
 *                            pages at home here or passing by that lie further on, 255 = that many or more, for good
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class PageLineLayout {
    /** Bytes of a line. */
    public static final int BYTES = 64;

    /** Cells of a line. */
    public static final int CELLS = 4;

    /** Fingerprints. */
    public static final int FINGERPRINTS = 0;

    /** Records. */
    public static final int RECORDS = FINGERPRINTS + CELLS * Long.BYTES;

    /** Complete since. */
    public static final int COMPLETE = RECORDS + CELLS * Integer.BYTES;

    /** Bits of a word of {@link #COMPLETE} that are the listing. */
    public static final int LISTING_MASK = 0xFF_FFFF;

    /** Where the count of pages further on begins in the first word of {@link #COMPLETE}. */
    public static final int FURTHER_SHIFT = 24;

    private PageLineLayout() {}
}
