package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Engine hashes of blocks, by hash domain: one column of a run lies in its extent, those of further domains in extents
 * of their own.
 *
 * <p>0 in a column means that the domain has no name for the block; an engine hash 0 is kept as {@link #ZERO}.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> a further domain costs 8 bytes for each place of the run.
 */
public final class Names {
    /** The domain in which all slots begin. */
    public static final long SHARED = 0;

    /** Stands for the engine hash 0. */
    public static final long ZERO = 0x5A45_524F_4841_5348L;

    private static final int NAME_CELL = Geometry.GRANULE_BLOCKS * Long.BYTES;
    private static final int COLUMN_SHIFT = 32;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final RunLists lists;
    private final Extents extents;

    /** The names in a file. */
    public Names(PageFile pages, StepLog steps, Runs runs, RunLists lists, Extents extents) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        this.lists = lists;
        this.extents = extents;
    }

    static long kept(long engineHash) {
        return engineHash == 0 ? ZERO : engineHash;
    }

    /** Whether the domain calls the block so. */
    boolean named(int block, long domain, long hash) {
        boolean own = Memory.getLong(pages.address(runs.cell(block) + NAME_CELL)) == hash;
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

    /** Offset of a block's name in the extent's own column. */
    long ownOffset(int block) {
        return runs.cell(block) + NAME_CELL;
    }

    /** Offset of the domain's name for a place, or -1 when the run has no column of it. */
    long offset(long run, long domain, int place) {
        if (steps.get(run + RunLayout.DOMAIN) == domain) {
            return runs.cell(runs.block(run, place)) + NAME_CELL;
        }
        return furtherOffset(run, domain, place);
    }

    private long furtherOffset(long run, long domain, int place) {
        long value = lists.setValueOffset(run, RunLists.columnKey(domain));
        return value < 0 ? -1 : columnOffset(steps.get(value), place);
    }

    private long columnOffset(long column, int place) {
        return extents.offset((int) column) + (long) place * Long.BYTES;
    }

    /** The domain's name for a place, 0 if none. */
    long name(long run, long domain, int place) {
        long offset = offset(run, domain, place);
        return offset < 0 ? 0 : steps.get(offset);
    }

    /** As {@link #offset}, with a column made for the domain if the run has none. */
    long offsetOrNew(long run, long domain, int place) {
        long offset = offset(run, domain, place);
        if (offset >= 0) {
            return offset;
        }
        int bytes = runs.granules(run) * Geometry.GRANULE_BLOCKS * Long.BYTES;
        int granules = (bytes + Geometry.GRANULE_BYTES - 1) / Geometry.GRANULE_BYTES;
        int first = extents.allocate(granules, Extents.COLUMN_OWNER);
        Memory.zero(pages.address(extents.offset(first)), (long) granules * Geometry.GRANULE_BYTES);
        long column = (long) granules << COLUMN_SHIFT | first;
        lists.addSet(run, RunLists.columnKey(domain), column);
        return columnOffset(column, place);
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
        long column = lists.setValue(run, set);
        extents.free((int) column, (int) (column >>> COLUMN_SHIFT));
        lists.removeSet(run, set);
    }
}
