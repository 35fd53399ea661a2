package io.penstock.index.layout;

/**
 * One word: a holder has blocks {@code from} (inclusive) to {@code to} (exclusive) of a run in a tier; or, with the extra
 * bit, {@code copies} further copies of each of them.
 *
 * <pre>
 *  bits  0..15 to   16..31 from   32..47 holder   48..60 copies   61..62 tier   63 extra
 * </pre>
 *
 * <p>The ranges of one (holder, tier) in a run are disjoint and never touch; one that covers the whole run is a bit
 * in a set instead.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class RangeEntry {
    /** Most further copies that are counted; a store beyond is not. */
    public static final int MAX_COPIES = (1 << 13) - 1;

    private RangeEntry() {}

    /** Packs a holding. */
    public static long of(int tier, int holder, int from, int to) {
        return (long) tier << 61 | (long) holder << 32 | (long) from << 16 | to;
    }

    /** Packs further copies. */
    public static long extra(int tier, int holder, int from, int to, int copies) {
        return 1L << 63 | (long) copies << 48 | of(tier, holder, from, to);
    }

    /** Tier and holder of a holding (not extra), comparable with {@link #owner}. */
    public static long owner(int tier, int holder) {
        return (long) tier << 61 | (long) holder << 32;
    }

    /** What {@link #owner(int, int)} gives for this entry; differs for extras. */
    public static long owner(long entry) {
        return entry & 0xE000_FFFF_0000_0000L;
    }

    /** Whether it counts further copies. */
    public static boolean isExtra(long entry) {
        return entry < 0;
    }

    /** Tier. */
    public static int tier(long entry) {
        return (int) (entry >>> 61) & 3;
    }

    /** Holder. */
    public static int holder(long entry) {
        return (int) (entry >>> 32) & 0xFFFF;
    }

    /** First block. */
    public static int from(long entry) {
        return (int) (entry >>> 16) & 0xFFFF;
    }

    /** End, exclusive. */
    public static int to(long entry) {
        return (int) entry & 0xFFFF;
    }

    /** Further copies. */
    public static int copies(long entry) {
        return (int) (entry >>> 48) & MAX_COPIES;
    }
}
