package io.penstock.index.structure;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Run headers and the columns they point to. A run is named by the offset of its header in the linear space.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
final class Runs {
    private final PageFile pages;
    private final StepLog steps;
    private final Extents extents;
    private final long runs;
    private final int capacity;
    private long summedRun;
    private long summedStep = -1;

    /** The runs of a file. */
    Runs(PageFile pages, StepLog steps, Extents extents, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        this.extents = extents;
        runs = geometry.runs;
        capacity = geometry.runCount;
    }

    /** Header of a run id. */
    public long byId(int id) {
        return runs + (long) id * RunLayout.BYTES;
    }

    /** Id of a header. */
    public int id(long run) {
        return (int) ((run - runs) / RunLayout.BYTES);
    }

    /** Run of a block. */
    public long of(int block) {
        return byId(extents.runOf(block));
    }

    /** Whether there is a header for one more run. */
    boolean anyFree() {
        return steps.root(HeaderLayout.RUN_FREE) != 0 || steps.root(HeaderLayout.RUN_HIGH) < capacity;
    }

    /** Takes a header, which must be free: nothing is listed, no extent yet, the sum covers what is given. */
    long allocate(long domain, long head, long parent) {
        long free = steps.root(HeaderLayout.RUN_FREE);
        long run;
        if (free != 0) {
            run = byId((int) free - 1);
            steps.setRoot(HeaderLayout.RUN_FREE, steps.get(run + RunLayout.EXTENT));
        } else {
            long high = steps.root(HeaderLayout.RUN_HIGH);
            run = byId((int) high);
            steps.setRoot(HeaderLayout.RUN_HIGH, high + 1);
        }
        steps.addRoot(HeaderLayout.RUNS_LIVE, 1);
        enter(run);
        long header = pages.address(run);
        // A header without an extent is free whatever else stands there, so the log is not needed.
        Memory.zero(header + RunLayout.EXTENT, RunLayout.BYTES - RunLayout.EXTENT);
        Memory.putLong(header + RunLayout.DOMAIN, domain);
        Memory.putLong(header + RunLayout.HEAD, head);
        Memory.putLong(header + RunLayout.PARENT, parent);
        Memory.putLong(
                header + RunLayout.SUM,
                domain * RunLayout.headerWeight(RunLayout.DOMAIN)
                        + head * RunLayout.headerWeight(RunLayout.HEAD)
                        + parent * RunLayout.headerWeight(RunLayout.PARENT));
        return run;
    }

    /** The header is free from now on; it is used again only after this step. */
    void release(long run) {
        enter(run);
        steps.put(run + RunLayout.EXTENT, 0);
        steps.put(run + RunLayout.SHAPE, 0);
        steps.released().run(run);
    }

    /** Links a free header. */
    void free(long run) {
        steps.plain(run + RunLayout.EXTENT, steps.root(HeaderLayout.RUN_FREE));
        steps.setRoot(HeaderLayout.RUN_FREE, id(run) + 1L);
        steps.addRoot(HeaderLayout.RUNS_LIVE, -1);
    }

    /**
     * Whether a header is free. A run in use always has a shape, so that a flipped bit cannot make it look
     * free; both words change together in a step.
     */
    boolean isFree(long run) {
        return !live(run) && steps.get(run + RunLayout.SHAPE) == 0;
    }

    /** Changes a word of the header and with it the run's sum. */
    void put(long run, int field, long value) {
        long address = pages.address(run);
        long delta = value - Memory.getLong(address + field);
        steps.note(run + field, address + field);
        Memory.putLong(address + field, value);
        addToSum(run, address, delta * RunLayout.headerWeight(field));
    }

    /** The run's content changed by so much, weighted. */
    void addToSum(long run, long delta) {
        addToSum(run, pages.address(run), delta);
    }

    private void addToSum(long run, long address, long delta) {
        if (summedRun != run || summedStep != steps.stepNumber()) {
            summedRun = run;
            summedStep = steps.stepNumber();
            steps.note(run + RunLayout.SUM, address + RunLayout.SUM);
        }
        Memory.putLong(address + RunLayout.SUM, Memory.getLong(address + RunLayout.SUM) + delta);
    }

    /** The run changes in this step. */
    void enter(long run) {
        steps.enter(run + RunLayout.VERSION);
    }

    /** Whether the header is in use. */
    public boolean live(long run) {
        return granules(run) != 0;
    }

    /** Makes versions even that a killed writer or a flipped bit left odd. */
    void settle() {
        for (int id = 0; id < capacity; id++) {
            steps.settle(byId(id) + RunLayout.VERSION);
        }
    }

    /** Length in blocks. */
    public int length(long run) {
        return (int) (steps.get(run + RunLayout.EXTENT) >>> 48);
    }

    /** First granule. */
    public int granule(long run) {
        return (int) steps.get(run + RunLayout.EXTENT);
    }

    /** Granules of the extent. */
    public int granules(long run) {
        return (int) (steps.get(run + RunLayout.EXTENT) >>> 32) & 0xFFFF;
    }

    static long extent(int granule, int granules, int length) {
        return (long) length << 48 | (long) granules << 32 | granule;
    }

    /** Block id of a place. */
    public int block(long run, int place) {
        return granule(run) * Geometry.GRANULE_BLOCKS + place;
    }

    /** Place of a block in its run. */
    public int place(long run, int block) {
        return block - granule(run) * Geometry.GRANULE_BLOCKS;
    }

    /** Offset of a block's sequence hash; its engine hash lies 16 words further. */
    public long cell(int block) {
        return extents.offset(block >>> 4) + (block & 15) * (long) Long.BYTES;
    }

    /** Address of the run's extent, which lies in one page. */
    long base(long run) {
        return pages.address(extents.offset(granule(run)));
    }

    /** Sequence hash at a place. */
    public long sequence(long run, int place) {
        return steps.get(cell(block(run, place)));
    }

    /** Weighted sum of the header's words and of the columns in the extent, which must lie in the file. */
    long contentSum(long run) {
        long sum = contentSum(base(run), 0, length(run));
        for (int field = RunLayout.EXTENT; field <= RunLayout.DEVICE; field += Long.BYTES) {
            if (field != RunLayout.SUM) {
                sum += steps.get(run + field) * RunLayout.headerWeight(field);
            }
        }
        return sum;
    }

    /** Gives all but the first {@code length} blocks' granules back and sets the length. */
    void truncate(long run, int length) {
        enter(run);
        int granule = granule(run);
        int granules = granules(run);
        int kept = (length + Geometry.GRANULE_BLOCKS - 1) / Geometry.GRANULE_BLOCKS;
        addToSum(run, -contentSum(base(run), length, length(run)));
        put(run, RunLayout.EXTENT, extent(granule, kept, length));
        if (kept < granules) {
            steps.released().extent(granule + kept, granules - kept);
        }
    }

    /** What the places of an extent add to the run's sum. */
    static long contentSum(long base, int from, int to) {
        long sum = 0;
        for (int place = from; place < to; place++) {
            long cell = BlockCell.at(base, place);
            sum += Memory.getLong(cell) * RunLayout.sequenceWeight(place)
                    + Memory.getLong(cell + BlockCell.NAME) * RunLayout.nameWeight(place);
        }
        return sum;
    }

    /**
     * Leading blocks of the run from {@code place} on that equal the query's: equality of chained hashes at one place is
     * equality up to it, so a run that matches whole costs one compare. Otherwise the last places of granules are compared
     * in order, then those of the granule where they part. NOTE(perf): halving reads fewer lines, each waiting for the one
     * before; these compares are foreseen, so that their misses overlap.
     */
    int common(long run, int place, long[] sequences, int at, int count) {
        int limit = Math.min(length(run) - place, count);
        long base = base(run);
        if (limit <= 0 || sequenceAt(base, place + limit - 1) == sequences[at + limit - 1]) {
            return Math.max(limit, 0);
        }
        int common = 0;
        int end = Geometry.GRANULE_BLOCKS - place % Geometry.GRANULE_BLOCKS;
        while (end < limit && sequenceAt(base, place + end - 1) == sequences[at + end - 1]) {
            common = end;
            end += Geometry.GRANULE_BLOCKS;
        }
        while (common < limit && sequenceAt(base, place + common) == sequences[at + common]) {
            common++;
        }
        return common;
    }

    /**
     * Whether the run begins with the query's next block, has as many places of what is left of the query as guessed, and
     * the last of them is the query's: then all are.
     */
    boolean is(long run, long head, int guessed, int left, long last) {
        return steps.get(run + RunLayout.HEAD) == head
                && Math.min(length(run), left) == guessed
                && sequenceAt(base(run), guessed - 1) == last;
    }

    private static long sequenceAt(long base, int place) {
        return Memory.getLong(BlockCell.at(base, place));
    }
}
