package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import java.util.BitSet;

/**
 * Blocks of 64 bytes times a power of two, up to 32 KiB, for what does not fit into a run's header. Freed blocks wait in
 * a list of their class; a larger one is halved when a class is empty; halves are joined only when the file is repaired.
 *
 * <p>Which blocks are free is derived from the runs and built anew after a kill.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> constant time.
 */
final class SideArena {
    /** Largest class. */
    static final int TOP = HeaderLayout.SIDE_CLASSES - 1;

    private static final int TOP_UNITS = 1 << TOP;

    private final PageFile pages;
    private final StepLog steps;
    private final long side;
    private final int units;
    private int freeTops;

    /** The arena of a file. */
    SideArena(PageFile pages, StepLog steps, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        side = geometry.side;
        units = geometry.sideUnits;
    }

    /** Counts the largest blocks that are free. */
    void load() {
        freeTops = 0;
        int most = units / TOP_UNITS;
        for (long unit = steps.root(free(TOP));
                unit != 0 && freeTops < most;
                unit = steps.get(offset((int) unit - 1))) {
            freeTops++;
        }
    }

    /** Words of a block of the class. */
    static int words(int sizeClass) {
        return Geometry.SIDE_UNIT_BYTES / Long.BYTES << sizeClass;
    }

    /** Offset of a unit in the linear space. */
    long offset(int unit) {
        return side + (long) unit * Geometry.SIDE_UNIT_BYTES;
    }

    /** Blocks of the largest class that could still be taken. */
    int spareTops() {
        return freeTops + (units - (int) steps.root(HeaderLayout.SIDE_HIGH)) / TOP_UNITS;
    }

    /** Takes a block; whether there is room was asked before. */
    int allocate(int sizeClass) {
        int from = sizeClass;
        while (from <= TOP && steps.root(free(from)) == 0) {
            from++;
        }
        int unit;
        if (from <= TOP) {
            unit = (int) steps.root(free(from)) - 1;
            steps.setRoot(free(from), steps.get(offset(unit)));
            freeTops -= from == TOP ? 1 : 0;
        } else {
            from = TOP;
            unit = (int) steps.root(HeaderLayout.SIDE_HIGH);
            if (unit + TOP_UNITS > units) {
                throw new IllegalStateException("side arena is full within a step: units=" + units);
            }
            steps.setRoot(HeaderLayout.SIDE_HIGH, unit + (long) TOP_UNITS);
        }
        while (from > sizeClass) {
            from--;
            push(unit + (1 << from), from);
        }
        steps.addRoot(HeaderLayout.SIDE_USED, 1L << sizeClass);
        return unit;
    }

    /** Makes a block free; only when the step that gave it back is done. */
    void free(int unit, int sizeClass) {
        push(unit, sizeClass);
        steps.addRoot(HeaderLayout.SIDE_USED, -(1L << sizeClass));
    }

    /** Copies words into a fresh block that nothing refers to yet. */
    void copy(long from, long to, int words) {
        long source = pages.address(from);
        long target = pages.address(to);
        for (long i = 0; i < (long) words * Long.BYTES; i += Long.BYTES) {
            Memory.putLong(target + i, Memory.getLong(source + i));
        }
    }

    private void push(int unit, int sizeClass) {
        steps.plain(offset(unit), steps.root(free(sizeClass)));
        steps.setRoot(free(sizeClass), unit + 1L);
        freeTops += sizeClass == TOP ? 1 : 0;
    }

    /** Claims a block while the file is repaired; false when it leads out of the arena or into another block. */
    boolean claim(BitSet used, int unit, int sizeClass) {
        int size = 1 << sizeClass;
        if (sizeClass < 0 || sizeClass > TOP || unit < 0 || unit > units - size || unit % size != 0) {
            return false;
        }
        int taken = used.nextSetBit(unit);
        if (taken >= 0 && taken < unit + size) {
            return false;
        }
        used.set(unit, unit + size);
        return true;
    }

    /** Builds the free lists from what was claimed. */
    void freeTheRest(BitSet used) {
        for (int sizeClass = 0; sizeClass <= TOP; sizeClass++) {
            steps.setRoot(free(sizeClass), 0);
        }
        freeTops = 0;
        int high = (used.length() + TOP_UNITS - 1) / TOP_UNITS * TOP_UNITS;
        steps.setRoot(HeaderLayout.SIDE_HIGH, high);
        steps.setRoot(HeaderLayout.SIDE_USED, used.cardinality());
        for (int unit = 0; unit < high; ) {
            if (used.get(unit)) {
                unit = used.nextClearBit(unit);
                continue;
            }
            int end = used.nextSetBit(unit);
            int room = (end < 0 ? high : end) - unit;
            int sizeClass = Math.min(TOP, Integer.numberOfTrailingZeros(unit | TOP_UNITS));
            while (1 << sizeClass > room) {
                sizeClass--;
            }
            push(unit, sizeClass);
            unit += 1 << sizeClass;
        }
    }

    private static int free(int sizeClass) {
        return HeaderLayout.SIDE_FREE + sizeClass * Long.BYTES;
    }
}
