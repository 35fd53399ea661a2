package io.penstock.index.structure;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Engine hashes of blocks, by hash domain: one column of a run lies in its extent, those of further domains in extents
 * of their own.
 *
 * <p>0 in a column means that the domain has no name for the block; an engine hash 0 is kept as {@link BlockCell#ZERO_NAME}.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> a further domain costs 8 bytes for each place of the run.
 */
final class Names {
    /** The domain in which all slots begin. */
    static final long SHARED = 0;

    private static final int COLUMN_SHIFT = 32;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Extents extents;

    /** The names in a file. */
    Names(PageFile pages, StepLog steps, Runs runs, RunLists lists, Extents extents) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.extents = extents;
    }

    static long kept(long engineHash) {
        return engineHash == 0 ? BlockCell.ZERO_NAME : engineHash;
    }

    /** Whether the domain calls the block so. */
    boolean named(int block, long domain, long hash) {
        boolean own = Memory.getLong(pages.address(runs.cell(block) + BlockCell.NAME)) == hash;
        if (steps.root(HeaderLayout.NEXT_DOMAIN) == 1) {
            return own;
        }
        long run = runs.of(block);
        if (steps.get(run + RunLayout.DOMAIN) == domain) {
            return own;
        }
        long offset = furtherOffset(run, domain, runs.place(run, block));
        return offset >= 0 && steps.get(offset) == hash;
    }

    /** Offset of the domain's name for a place, or -1 when the run has no column of it. */
    long offset(long run, long domain, int place) {
        if (steps.get(run + RunLayout.DOMAIN) == domain) {
            return runs.cell(runs.block(run, place)) + BlockCell.NAME;
        }
        return furtherOffset(run, domain, place);
    }

    private long furtherOffset(long run, long domain, int place) {
        int set = lists.findSet(run, RunLists.columnKey(domain));
        return set < 0 ? -1 : extents.offset(columnFirst(lists.setValue(run, set))) + (long) place * Long.BYTES;
    }

    /** The domain's name for a place, 0 if none. */
    long name(long run, long domain, int place) {
        long offset = offset(run, domain, place);
        return offset < 0 ? 0 : steps.get(offset);
    }

    /** How many of the places from {@code at} on the domain calls as given. */
    int equal(long run, long domain, int at, long[] hashes, int from, int count) {
        long column = column(run, domain);
        if (column < 0) {
            return 0;
        }
        return column == 0
                ? equalOwn(runs.base(run), at, hashes, from, count)
                : equalFurther(column, at, hashes, from, count);
    }

    private static int equalOwn(long base, int at, long[] hashes, int from, int count) {
        int equal = 0;
        while (equal < count
                && Memory.getLong(BlockCell.at(base, at + equal) + BlockCell.NAME) == kept(hashes[from + equal])) {
            equal++;
        }
        return equal;
    }

    private static int equalFurther(long column, int at, long[] hashes, int from, int count) {
        int equal = 0;
        while (equal < count
                && Memory.getLong(column + (long) (at + equal) * Long.BYTES) == kept(hashes[from + equal])) {
            equal++;
        }
        return equal;
    }

    /** Address of the domain's column in an extent of its own, 0 when it is the run's own column, -1 when there is none. */
    private long column(long run, long domain) {
        if (steps.get(run + RunLayout.DOMAIN) == domain) {
            return 0;
        }
        int set = lists.findSet(run, RunLists.columnKey(domain));
        return set < 0 ? -1 : pages.address(extents.offset((int) lists.setValue(run, set)));
    }

    /** How many of the places from {@code at} on the domain has no name for. */
    int nameless(long run, long domain, int at, int count) {
        int nameless = 0;
        while (nameless < count && name(run, domain, at + nameless) == 0) {
            nameless++;
        }
        return nameless;
    }

    /** Granules of a further column of the run. */
    private int columnGranules(long run) {
        int bytes = runs.granules(run) * Geometry.GRANULE_BLOCKS * Long.BYTES;
        return (bytes + Geometry.GRANULE_BYTES - 1) / Geometry.GRANULE_BYTES;
    }

    /** Whether there is a column of the domain, or room to make one. */
    boolean roomFor(long run, long domain) {
        return column(run, domain) >= 0 || extents.available(columnGranules(run));
    }

    /** Makes the domain's column if the run has none. */
    void require(long run, long domain) {
        if (column(run, domain) >= 0) {
            return;
        }
        int granules = columnGranules(run);
        int first = extents.allocate(granules, Extents.COLUMN_OWNER);
        Memory.zero(pages.address(extents.offset(first)), (long) granules * Geometry.GRANULE_BYTES);
        lists.addSet(run, RunLists.columnKey(domain), (long) granules << COLUMN_SHIFT | first);
    }

    /** Changes the domain's name for a place; there is a column. */
    void put(long run, long domain, int place, long hash) {
        long offset = offset(run, domain, place);
        long weight = steps.get(run + RunLayout.DOMAIN) == domain
                ? RunLayout.nameWeight(place)
                : RunLayout.columnWeight(domain, place);
        runs.addToSum(run, (hash - steps.get(offset)) * weight);
        steps.put(offset, hash);
    }

    /** Weighted sum of the names in columns beside the extent, whose offsets must lie in the file. */
    long contentSum(long run) {
        long sum = 0;
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            if (!RunLists.isBits(lists.setKey(run, i))) {
                sum += columnSum(run, i);
            }
        }
        return sum;
    }

    private long columnSum(long run, int set) {
        long domain = RunLists.domainOf(lists.setKey(run, set));
        long column = pages.address(extents.offset((int) lists.setValue(run, set)));
        long sum = 0;
        for (int place = 0; place < runs.length(run); place++) {
            sum += Memory.getLong(column + (long) place * Long.BYTES) * RunLayout.columnWeight(domain, place);
        }
        return sum;
    }

    static int columnFirst(long value) {
        return (int) value;
    }

    static int columnSize(long value) {
        return (int) (value >>> COLUMN_SHIFT);
    }

    /** Columns beside the one in the extent. */
    int furtherColumns(long run) {
        int columns = 0;
        if (steps.root(HeaderLayout.NEXT_DOMAIN) > 1) {
            for (int i = lists.sets(run) - 1; i >= 0; i--) {
                columns += RunLists.isBits(lists.setKey(run, i)) ? 0 : 1;
            }
        }
        return columns;
    }

    /** Gives the columns beside the extent back. */
    void releaseColumns(long run) {
        for (int i = lists.sets(run) - 1; i >= 0; i--) {
            if (!RunLists.isBits(lists.setKey(run, i))) {
                releaseColumn(run, i);
            }
        }
    }

    void releaseColumn(long run, int set) {
        long value = lists.setValue(run, set);
        runs.addToSum(run, -columnSum(run, set));
        steps.released().extent(columnFirst(value), columnSize(value));
        lists.removeSet(run, set);
    }
}
