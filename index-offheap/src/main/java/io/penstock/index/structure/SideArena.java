package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Blocks of 64 bytes times a power of two, up to 32 KiB, for what does not fit into a run's header. Freed blocks wait in
 * a list of their class; a larger one is halved when a class is empty; halves are not joined again.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> constant time.
 */
public final class SideArena {
    private static final int TOP = HeaderLayout.SIDE_CLASSES - 1;

    private final PageFile pages;
    private final StepLog steps;
    private final long side;
    private final int units;
    private long lastReleasingStep = -1;

    /** The arena of a file. */
    public SideArena(PageFile pages, StepLog steps, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        side = geometry.side;
        units = geometry.sideUnits;
    }

    /** Words of a block of the class. */
    static int words(int sizeClass) {
        return Geometry.SIDE_UNIT_BYTES / Long.BYTES << sizeClass;
    }

    /** Offset of a unit in the linear space. */
    long offset(int unit) {
        return side + (long) unit * Geometry.SIDE_UNIT_BYTES;
    }

    /** Takes a block; throws {@link OutOfCapacity}. */
    int allocate(int sizeClass) {
        if (sizeClass > TOP) {
            throw OutOfCapacity.INSTANCE;
        }
        int from = sizeClass;
        while (from <= TOP && steps.root(free(from)) == 0) {
            from++;
        }
        int unit;
        if (from <= TOP) {
            unit = (int) steps.root(free(from)) - 1;
            steps.put(free(from), steps.get(offset(unit)));
            // The link is the block's first word, which its owner writes without the log.
            steps.note(offset(unit));
        } else {
            from = TOP;
            unit = (int) steps.root(HeaderLayout.SIDE_HIGH);
            if (unit + (1 << TOP) > units) {
                throw OutOfCapacity.INSTANCE;
            }
            steps.put(HeaderLayout.SIDE_HIGH, unit + (1L << TOP));
        }
        while (from > sizeClass) {
            from--;
            push(unit + (1 << from), from);
        }
        steps.addRoot(HeaderLayout.SIDE_USED, 1L << sizeClass);
        return unit;
    }

    void release(int unit, int sizeClass) {
        lastReleasingStep = steps.stepNumber();
        push(unit, sizeClass);
        steps.addRoot(HeaderLayout.SIDE_USED, -(1L << sizeClass));
    }

    /** Copies words into a fresh block that nothing refers to yet. */
    void copy(long from, long to, int words) {
        if (lastReleasingStep == steps.stepNumber()) {
            // The block may have been given back in this very step: its words are needed if the step is taken back.
            for (long i = 0; i < (long) words * Long.BYTES; i += Long.BYTES) {
                steps.put(to + i, steps.get(from + i));
            }
            return;
        }
        long source = pages.address(from);
        long target = pages.address(to);
        for (long i = 0; i < (long) words * Long.BYTES; i += Long.BYTES) {
            Memory.putLong(target + i, Memory.getLong(source + i));
        }
    }

    private void push(int unit, int sizeClass) {
        steps.put(offset(unit), steps.root(free(sizeClass)));
        steps.put(free(sizeClass), unit + 1L);
    }

    private static int free(int sizeClass) {
        return HeaderLayout.SIDE_FREE + sizeClass * Long.BYTES;
    }
}
