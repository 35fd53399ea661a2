package io.penstock.index.layout;

/**
 * What only changes of a page of the shared pool read.
 *
 * <pre>
 *    0 key u64 x 4
 *   32 confirmed i32      second of the last confirmation
 *   36 listing u32        in which that was
 *   40 newer u32          next record by confirmation, or of the free list; number + 1
 *   44 older u32          former one
 *   48 present u64 x n    a bit for each object: there, as far as the listing above says
 *      listed u64 x n     a bit for each object: confirmed in the listing above
 * </pre>
 *
 * <p>n = objects / 64, rounded up; a record is rounded up to a power of two, 64 bytes for up to 64 objects.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class PageRecordLayout {
    /** Bytes of the shortest record. */
    public static final int BYTES = 64;

    /** Key. */
    public static final int KEY = 0;

    /** Second of the last confirmation. */
    public static final int CONFIRMED = KEY + 4 * Long.BYTES;

    /** Its listing. */
    public static final int LISTING = CONFIRMED + Integer.BYTES;

    /** Next by confirmation. */
    public static final int NEWER = LISTING + Integer.BYTES;

    /** Former by confirmation. */
    public static final int OLDER = NEWER + Integer.BYTES;

    /** First word of the objects that are there; those listed come behind. */
    public static final int PRESENT = OLDER + Integer.BYTES;

    private PageRecordLayout() {}

    /** Words of a mask over so many objects. */
    public static int words(int objects) {
        return (objects + Long.SIZE - 1) / Long.SIZE;
    }

    /** Bytes of a record for so many objects. */
    public static int bytes(int objects) {
        int least = PRESENT + 2 * words(objects) * Long.BYTES;
        return Math.max(BYTES, Integer.highestOneBit(2 * least - 1));
    }
}
