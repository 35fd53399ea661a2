package io.penstock.index.image;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.RunLayout;

/**
 * Words of a run's header taken apart, for a copy that follows them; {@link RunLayout} says what they are.
 *
 * <p><b>Threading:</b> stateless.
 */
final class RunShape {
    private static final int COLUMN_KIND = 2;

    private RunShape() {}

    static int length(long extent) {
        return (int) (extent >>> 48);
    }

    static int granules(long extent) {
        return (int) (extent >>> 32) & 0xFFFF;
    }

    static int granule(long extent) {
        return (int) extent;
    }

    /** Offset of an extent's first granule; the value of a column's set has its granule at the same place. */
    static long granuleOffset(Geometry geometry, long extent) {
        return geometry.columns + (long) granule(extent) * Geometry.GRANULE_BYTES;
    }

    static int sideRanges(long shape) {
        return Math.max(0, ((int) shape & 0xFFFF) - RunLayout.INLINE_RANGES);
    }

    static int sets(long shape) {
        return (int) (shape >>> 16) & 0xFFFF;
    }

    static long rangesOffset(Geometry geometry, long side) {
        return geometry.side + ((int) side - 1L) * Geometry.SIDE_UNIT_BYTES;
    }

    static long setsOffset(Geometry geometry, long side) {
        return geometry.side + ((int) (side >>> 32) - 1L) * Geometry.SIDE_UNIT_BYTES;
    }

    static boolean isColumn(long setKey) {
        return setKey >>> 56 == COLUMN_KIND;
    }
}
