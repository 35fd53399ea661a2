package io.penstock.index.layout;

/**
 * A word of the heads table: which run begins with a block whose mixed hash has the tag; 0 is free.
 *
 * <pre>
 *  bits  0..31 run id + 1   32..63 tag: upper half of (sequence hash × MIX); home = tag × slots >>> 32
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class HeadEntry {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private HeadEntry() {}

    /** Tag of a sequence hash. */
    public static int tag(long sequenceHash) {
        return (int) (sequenceHash * MIX >>> 32);
    }

    /** Where probing for a tag begins. */
    public static int home(int tag, int slots) {
        return (int) ((tag & 0xFFFF_FFFFL) * slots >>> 32);
    }

    /** Tag of an entry. */
    public static int tagOf(long entry) {
        return (int) (entry >>> 32);
    }

    /** Run id of an entry that is not free. */
    public static int run(long entry) {
        return (int) entry - 1;
    }
}
