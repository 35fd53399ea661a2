package io.penstock.index.layout;

/**
 * One word of the heads table, 0 when free.
 *
 * <pre>
 *  bits  0..26 run id + 1   27..36 length of the run in blocks   37..63 tag: upper bits of the head's mixed hash
 * </pre>
 *
 * <p>The length follows the run's header; who reads beside the writer takes it for a guess.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class HeadEntry {
    /** Bits of the tag; home is tag x slots >>> TAG_BITS. */
    public static final int TAG_BITS = 27;

    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int ID_BITS = 27;
    private static final int LENGTH_BITS = 10;
    private static final long ID = (1L << ID_BITS) - 1;
    private static final long LENGTH = (1L << LENGTH_BITS) - 1;

    private HeadEntry() {}

    /** Tag of the run that begins with the block. */
    public static int tagOf(long sequenceHash) {
        return (int) (sequenceHash * MIX >>> Long.SIZE - TAG_BITS);
    }

    /** Slot at which probing for a tag begins. */
    public static int home(int tag, int slots) {
        return (int) ((long) tag * slots >>> TAG_BITS);
    }

    /** Packs an entry. */
    public static long of(int tag, int length, int id) {
        return (long) tag << ID_BITS + LENGTH_BITS | (long) length << ID_BITS | id + 1L;
    }

    /** The entry with another length. */
    public static long withLength(long entry, int length) {
        return entry & ~(LENGTH << ID_BITS) | (long) length << ID_BITS;
    }

    /** Tag. */
    public static int tag(long entry) {
        return (int) (entry >>> ID_BITS + LENGTH_BITS);
    }

    /** Length in blocks. */
    public static int length(long entry) {
        return (int) (entry >>> ID_BITS & LENGTH);
    }

    /** Run id. */
    public static int id(long entry) {
        return (int) (entry & ID) - 1;
    }
}
