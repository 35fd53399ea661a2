package io.penstock.index.layout;

/**
 * Where a block's sequence hash and engine hash lie in a run's extent, whose granules hold {@link Geometry#GRANULE_BLOCKS} of
 * the one and then as many of the other.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class BlockCell {
    /** From a block's sequence hash to its engine hash. */
    public static final int NAME = Geometry.GRANULE_BLOCKS * Long.BYTES;

    /** Kept for the engine hash 0, since 0 means that the block has no name. */
    public static final long ZERO_NAME = 0x5A45_524F_4841_5348L;

    private BlockCell() {}

    /** Address or offset of a place's sequence hash, {@code base} being that of the extent. */
    public static long at(long base, int place) {
        return base + (long) (place >>> 4) * Geometry.GRANULE_BYTES + (place & 15) * (long) Long.BYTES;
    }
}
