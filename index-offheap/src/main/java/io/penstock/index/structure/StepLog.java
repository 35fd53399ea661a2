package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Makes a change of many stores one step: before a word changes, its former value goes into the undo log in the file.
 * A killed writer's step is taken back at the next open, and a step that runs out of room is taken back at once.
 *
 * <p>I1: a log entry is complete before the count covers it, and the count covers it before the word changes. I2: words
 * that nothing refers to (a fresh extent, blocks past a run's end) may be written without the log. I3: a step changes at
 * most {@link Geometry#undoEntries} words; callers cut their work to {@link Geometry#MAX_RUN_BLOCKS} blocks.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> about 2 ns a logged word, nothing allocated.
 */
public final class StepLog {
    private static final int MOST_VERSIONS = 16;

    private final PageFile pages;
    private final long undo;
    private final int entries;
    private final long header;
    private int count;
    private long stepNumber;
    private final long[] entered = new long[MOST_VERSIONS];
    private int enteredCount;

    /** The log of {@code pages}. */
    public StepLog(PageFile pages, Geometry geometry) {
        this.pages = pages;
        undo = geometry.undo;
        entries = geometry.undoEntries;
        header = pages.address(0);
        count = (int) Memory.getLong(header + HeaderLayout.UNDO_COUNT);
    }

    /** Loads a word of the linear space. */
    public long get(long offset) {
        return Memory.getLong(pages.address(offset));
    }

    /** Stores a word so that it can be taken back. */
    public void put(long offset, long value) {
        long address = pages.address(offset);
        log(offset, address);
        Memory.putLong(address, value);
    }

    /** Stores half a word so that it can be taken back. */
    public void putInt(long offset, int value) {
        long word = offset & -Long.BYTES;
        log(word, pages.address(word));
        Memory.putInt(pages.address(offset), value);
    }

    /** Remembers a word that will be overwritten without the log. */
    public void note(long offset) {
        log(offset, pages.address(offset));
    }

    private void log(long offset, long address) {
        if (count == entries) {
            throw new IllegalStateException("step is larger than the undo log: entries=" + entries);
        }
        long entry = pages.address(undo + (long) count * Geometry.UNDO_BYTES);
        Memory.putLong(entry, offset);
        Memory.putLong(entry + Long.BYTES, Memory.getLong(address));
        Memory.storeBarrier();
        Memory.putLong(header + HeaderLayout.UNDO_COUNT, ++count);
        Memory.storeBarrier();
    }

    /** Loads a root ({@link HeaderLayout}). */
    public long root(int field) {
        return Memory.getLong(header + field);
    }

    /** Adds to a root. */
    public void addRoot(int field, long delta) {
        if (delta != 0) {
            put(field, root(field) + delta);
        }
    }

    /**
     * Words that readers beside the writer guard by the version at {@code version} change in this step: it is odd from now
     * to the step's end. Partner: the readers, who load it before and after.
     */
    void enter(long version) {
        for (int i = 0; i < enteredCount; i++) {
            if (entered[i] == version) {
                return;
            }
        }
        entered[enteredCount++] = version;
        long address = pages.address(version);
        Memory.putLong(address, Memory.getLong(address) + 1);
        Memory.storeBarrier();
    }

    private void leave() {
        Memory.storeBarrier();
        while (enteredCount > 0) {
            long address = pages.address(entered[--enteredCount]);
            Memory.putLong(address, Memory.getLong(address) + 1);
        }
    }

    /** Makes a version even that a killed writer left odd. */
    public void settle(long version) {
        long address = pages.address(version);
        Memory.putLong(address, Memory.getLong(address) + 1 & -2L);
    }

    /** The step is done: it stays whatever happens. */
    public void commit() {
        stepNumber++;
        if (enteredCount > 0) {
            leave();
        }
        if (count > 0) {
            Memory.storeBarrier();
            count = 0;
            Memory.putLong(header + HeaderLayout.UNDO_COUNT, 0);
            Memory.storeBarrier();
        }
    }

    /** Takes the step back; answers how many stores that were. */
    public int rollback() {
        int undone = count;
        // The count stays until all is undone: a second kill only repeats the work.
        for (int i = count - 1; i >= 0; i--) {
            long entry = pages.address(undo + (long) i * Geometry.UNDO_BYTES);
            Memory.putLong(pages.address(Memory.getLong(entry)), Memory.getLong(entry + Long.BYTES));
        }
        commit();
        return undone;
    }

    /** Whether what a killed writer left can be undone: every entry names a word inside the file. */
    public boolean plausible(long fileBytes) {
        if (count < 0 || count > entries) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            long offset = get(undo + (long) i * Geometry.UNDO_BYTES);
            if (offset < HeaderLayout.ROOTS || offset > fileBytes - Long.BYTES || offset % Long.BYTES != 0) {
                return false;
            }
        }
        return true;
    }

    /** Number of the step in flight, for those who must know whether something happened in it. */
    long stepNumber() {
        return stepNumber;
    }
}
