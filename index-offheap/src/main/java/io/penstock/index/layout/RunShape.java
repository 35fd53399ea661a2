package io.penstock.index.layout;

/**
 * The parts of a run's words {@link RunLayout#SHAPE}, {@link RunLayout#SIDE} and {@link RunLayout#EXTENT}, for readers.
 *
 * <pre>
 * shape   bits  0..15 ranges   16..31 sets   32..39 range class   40..47 set class   48..55 tiers   56..63 extra tiers
 * side    bits  0..31 side unit of ranges + 1   32..63 side unit of sets + 1
 * extent  bits  0..31 first granule   32..47 granules (0 = free)   48..63 length in blocks
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class RunShape {
    private RunShape() {}

    /** Ranges listed. */
    public static int ranges(long shape) {
        return (int) shape & 0xFFFF;
    }

    /** Sets listed. */
    public static int sets(long shape) {
        return (int) (shape >>> 16) & 0xFFFF;
    }

    /** Words that the ranges' side block has room for. */
    public static int rangeRoom(long shape) {
        return room((int) (shape >>> 32) & 0xFF);
    }

    /** Words that the sets' side block has room for. */
    public static int setRoom(long shape) {
        return room((int) (shape >>> 40) & 0xFF);
    }

    private static int room(int sizeClass) {
        return sizeClass == 0 || sizeClass > HeaderLayout.SIDE_CLASSES
                ? 0
                : Geometry.SIDE_UNIT_BYTES / Long.BYTES << (sizeClass - 1);
    }

    /** A bit for each tier in which the run ever held anything since it was made. */
    public static int tiers(long shape) {
        return (int) (shape >>> 48) & 0xFF;
    }

    /** Side unit of the ranges beyond those in the header; -1 if none. */
    public static long rangeUnit(long side) {
        return (side & 0xFFFF_FFFFL) - 1;
    }

    /** Side unit of the sets; -1 if none. */
    public static long setUnit(long side) {
        return (side >>> 32) - 1;
    }

    /** First granule. */
    public static long granule(long extent) {
        return extent & 0xFFFF_FFFFL;
    }

    /** Granules; 0 when the header is free. */
    public static int granules(long extent) {
        return (int) (extent >>> 32) & 0xFFFF;
    }

    /** Length in blocks. */
    public static int length(long extent) {
        return (int) (extent >>> 48);
    }
}
