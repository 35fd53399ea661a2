package io.penstock.index.layout;

/**
 * A holder: one generation of one slot, the number that bitsets and ranges carry. A clear gives the slot a fresh holder,
 * so that the old blocks are dead at once; the sweep takes the dying holder out of all runs and frees its number.
 *
 * <pre>
 *   0 state u64 (FREE, LIVE, DYING)   8 slot u64   16 domain u64 (0 = shared)
 *  24 held u64 x 4: blocks in each tier, copies not counted; derived   56 sum u64: of the first three, times 2 x index + 1
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class HolderLayout {
    /** Bytes of a record. */
    public static final int BYTES = 64;

    /** {@link #FREE}, {@link #LIVE} or {@link #DYING}. */
    public static final int STATE = 0;

    /** The holder's slot. */
    public static final int SLOT = STATE + Long.BYTES;

    /** Hash domain. */
    public static final int DOMAIN = SLOT + Long.BYTES;

    /** Held blocks by tier. */
    public static final int HELD = DOMAIN + Long.BYTES;

    /** Weighted sum of state, slot and domain. */
    public static final int SUM = HELD + 4 * Long.BYTES;

    /** No slot's. */
    public static final long FREE = 0;

    /** A slot's present generation. */
    public static final long LIVE = 1;

    /** A former generation that is not swept yet. */
    public static final long DYING = 2;

    private HolderLayout() {}
}
