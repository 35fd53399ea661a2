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
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> constant time, 4 bytes a granule.
 */
public final class Extents {
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
    public Extents(PageFile pages, StepLog steps, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        table = geometry.granules;
        columns = geometry.columns;
        granules = geometry.granuleCount;
    }

    /** Makes every granule free; the region was never used. Not a step: the file is not published yet. */
    public void format() {
        int to = granules;
        // From the end, so that the first pages come first in the bins.
        while (to > 0) {
            int from = to - 1;
            while (from > 0 && !startsPage(from)) {
                from--;
            }
            link(from, to - from);
            steps.commit();
            to = from;
        }
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

    /** Takes {@code size} granules; throws {@link OutOfCapacity}. */
    public int allocate(int size, int owner) {
        int bin = firstBinFrom(binOf(size));
        if (bin < 0) {
            throw OutOfCapacity.INSTANCE;
        }
        int first = (int) steps.root(HeaderLayout.BINS + bin * Long.BYTES) - 1;
        int found = owner(first) & ~FREE;
        unlink(first, found);
        // The link words are the extent's first content, which its owner writes without the log.
        steps.note(offset(first));
        steps.note(offset(first) + Long.BYTES);
        if (found > size) {
            link(first + size, found - size);
        }
        setOwner(first, size, owner);
        steps.addRoot(HeaderLayout.GRANULES_USED, size);
        return first;
    }

    private void setOwner(int first, int size, int owner) {
        setEntry(first, owner);
        for (int i = 1; i < size - 1; i++) {
            // Inside of a free extent the table means nothing, so these need no log.
            Memory.putInt(pages.address(table + (long) (first + i) * Integer.BYTES), owner);
        }
        if (size > 1) {
            setEntry(first + size - 1, owner);
        }
    }

    /** Gives granules back. */
    public void free(int first, int size) {
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
        steps.put(offset(first), next);
        steps.put(offset(first) + Long.BYTES, 0);
        if (next != 0) {
            steps.put(offset((int) next - 1) + Long.BYTES, first + 1L);
        }
        steps.put(field, first + 1L);
        setBinBit(bin, true);
    }

    private void unlink(int first, int size) {
        int bin = binOf(size);
        long next = steps.get(offset(first));
        long former = steps.get(offset(first) + Long.BYTES);
        if (next != 0) {
            steps.put(offset((int) next - 1) + Long.BYTES, former);
        }
        if (former != 0) {
            steps.put(offset((int) former - 1), next);
        } else {
            steps.put(HeaderLayout.BINS + bin * Long.BYTES, next);
            setBinBit(bin, next != 0);
        }
    }

    private void setEntry(int granule, int value) {
        steps.putInt(table + (long) granule * Integer.BYTES, value);
    }

    private void setBinBit(int bin, boolean set) {
        int field = HeaderLayout.BIN_BITS + (bin >>> 6) * Long.BYTES;
        long former = steps.root(field);
        long bits = set ? former | 1L << bin : former & ~(1L << bin);
        if (bits != former) {
            steps.put(field, bits);
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
