package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Allocates extents of 16-block granules in the columns region, and answers which run a block belongs to.
 *
 * <p>The granule table holds for a used granule its owner (run id + 1), for a free extent bit 31 and the size at its
 * first and last granule (boundary tags). Free extents lie in bins by size, doubly linked through their first two words;
 * they merge with free neighbours but never across a page.
 *
 * <p>Derived from the runs; built anew after a kill.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> constant time, 4 bytes a granule.
 */
final class Extents {
    /** Owner of an extent that holds a further engine-hash column. */
    public static final int COLUMN_OWNER = Integer.MAX_VALUE;

    private static final int FREE = 1 << 31;
    private static final int EXACT_BINS = 64;

    private final PageFile pages;
    private final StepLog steps;
    private final long table;
    private final long columns;
    private final int granules;

    /** The allocator of a file. */
    Extents(PageFile pages, StepLog steps, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        table = geometry.granules;
        columns = geometry.columns;
        granules = geometry.granuleCount;
    }

    /** Forgets all owners; {@link #claim} and {@link #freeTheRest} follow. */
    void forget() {
        for (int granule = 0; granule < granules; granule++) {
            setEntry(granule, 0);
        }
        for (int field = HeaderLayout.BIN_BITS; field < HeaderLayout.ROOTS_END; field += Long.BYTES) {
            steps.setRoot(field, 0);
        }
        steps.setRoot(HeaderLayout.GRANULES_USED, 0);
    }

    /** Gives an extent its owner; false when it leads out of the region, over a page's end or into another extent. */
    boolean claim(int first, int size, int owner) {
        if (first < 0 || size < 1 || size > granules - first) {
            return false;
        }
        for (int granule = first; granule < first + size; granule++) {
            if (owner(granule) != 0 || granule > first && startsPage(granule)) {
                return false;
            }
            setEntry(granule, owner);
        }
        steps.addRoot(HeaderLayout.GRANULES_USED, size);
        return true;
    }

    /** Links all granules that nobody claimed; from the end, so that the first pages come first in the bins. */
    void freeTheRest() {
        int to = granules;
        while (to > 0) {
            int from = to - 1;
            if (owner(from) == 0) {
                while (from > 0 && !startsPage(from) && owner(from - 1) == 0) {
                    from--;
                }
                link(from, to - from);
            }
            to = from;
        }
    }

    /** Whether an extent of the size is free. */
    boolean available(int size) {
        return firstBinFrom(binOf(size)) >= 0;
    }

    /** Offset of a granule in the linear space. */
    public long offset(int granule) {
        return columns + (long) granule * Geometry.GRANULE_BYTES;
    }

    /** Run id of a block. */
    public int runOf(int block) {
        return owner(block >>> 4) - 1;
    }

    int owner(int granule) {
        return Memory.getInt(pages.address(table + (long) granule * Integer.BYTES));
    }

    /** Takes {@code size} granules, which must be {@link #available}. */
    int allocate(int size, int owner) {
        int bin = firstBinFrom(binOf(size));
        int first = (int) steps.root(HeaderLayout.BINS + bin * Long.BYTES) - 1;
        int found = owner(first) & ~FREE;
        unlink(first, found);
        if (found > size) {
            link(first + size, found - size);
        }
        setOwner(first, size, owner);
        steps.addRoot(HeaderLayout.GRANULES_USED, size);
        return first;
    }

    private void setOwner(int first, int size, int owner) {
        for (int granule = first; granule < first + size; granule++) {
            setEntry(granule, owner);
        }
    }

    /** Makes granules free; only when the step that gave them back is done. */
    void free(int first, int size) {
        steps.addRoot(HeaderLayout.GRANULES_USED, -size);
        int begin = first;
        int end = first + size;
        if (begin > 0 && !startsPage(begin) && owner(begin - 1) < 0) {
            int before = owner(begin - 1) & ~FREE;
            begin -= before;
            unlink(begin, before);
        }
        if (end < granules && !startsPage(end) && owner(end) < 0) {
            int after = owner(end) & ~FREE;
            unlink(end, after);
            end += after;
        }
        link(begin, end - begin);
    }

    private void link(int first, int size) {
        int bin = binOf(size);
        int field = HeaderLayout.BINS + bin * Long.BYTES;
        long next = steps.root(field);
        setEntry(first, FREE | size);
        setEntry(first + size - 1, FREE | size);
        steps.plain(offset(first), next);
        steps.plain(offset(first) + Long.BYTES, 0);
        if (next != 0) {
            steps.plain(offset((int) next - 1) + Long.BYTES, first + 1L);
        }
        steps.setRoot(field, first + 1L);
        setBinBit(bin, true);
    }

    private void unlink(int first, int size) {
        int bin = binOf(size);
        long next = steps.get(offset(first));
        long former = steps.get(offset(first) + Long.BYTES);
        if (next != 0) {
            steps.plain(offset((int) next - 1) + Long.BYTES, former);
        }
        if (former != 0) {
            steps.plain(offset((int) former - 1), next);
        } else {
            steps.setRoot(HeaderLayout.BINS + bin * Long.BYTES, next);
            setBinBit(bin, next != 0);
        }
    }

    private void setEntry(int granule, int value) {
        Memory.putInt(pages.address(table + (long) granule * Integer.BYTES), value);
    }

    private void setBinBit(int bin, boolean set) {
        int field = HeaderLayout.BIN_BITS + (bin >>> 6) * Long.BYTES;
        long former = steps.root(field);
        long bits = set ? former | 1L << bin : former & ~(1L << bin);
        if (bits != former) {
            steps.setRoot(field, bits);
        }
    }

    private int firstBinFrom(int bin) {
        for (int word = bin >>> 6; word < 2; word++) {
            long bits = steps.root(HeaderLayout.BIN_BITS + word * Long.BYTES);
            if (word == bin >>> 6) {
                bits &= -1L << bin;
            }
            if (bits != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
        }
        return -1;
    }

    /** Requests are below 64 granules, so every extent in the bins from a request's own on is large enough. */
    private static int binOf(int size) {
        return size < EXACT_BINS ? size : EXACT_BINS + 26 - Integer.numberOfLeadingZeros(size) - 1;
    }

    private boolean startsPage(int granule) {
        return (offset(granule) & (pages.pageBytes() - 1)) == 0;
    }
}
