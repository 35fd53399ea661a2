package io.penstock.index.layout;

/**
 * A bucket of the engine-hash map, one cache line: 12 entries and a count of those that found no room.
 *
 * <pre>
 *   0 tags 12 x u8 (0 = free)   12 overflow u16: entries at home here or passing by that lie further on   14 reserved
 *  16 blocks 12 x u32: granule x 16 + place, above it more bits of the tag; read only where the tag is not 0
 * </pre>
 *
 * <p>Home is a multiply-shift over any bucket count; entries without room go to the next bucket, cyclically.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class BucketLayout {
    /** Bytes of a bucket. */
    public static final int BYTES = 64;

    /** Entries of a bucket. */
    public static final int SLOTS = 12;

    /** The 12 tags: a word and the lower half of the next. */
    public static final int TAGS = 0;

    /** Overflow count: bits 32..47 of the second word. */
    public static final int OVERFLOW = TAGS + SLOTS;

    /** Block ids. */
    public static final int BLOCKS = 16;

    private BucketLayout() {}
}
