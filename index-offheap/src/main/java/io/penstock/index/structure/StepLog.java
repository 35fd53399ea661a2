package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Ladder;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import io.penstock.index.pages.VersionWord;

/**
 * Makes a change of many stores one step. Truth (run headers and their lists, columns, slots, holders) goes through the
 * undo log: before a word changes, its former value is written there. A killed writer's step is taken back at the next
 * open. What is derived from the truth (map, heads, granules, free lists, counts) is stored without the log: it is built
 * anew after a kill.
 *
 * <p>I1: a log entry is complete before the count covers it, and the count covers it before the word changes. I2: words
 * that nothing refers to (a fresh extent, blocks past a run's end) may be written without the log. I3: a step changes at
 * most {@link Geometry#undoEntries} words; callers cut their work to {@link Geometry#MAX_RUN_BLOCKS} blocks. I4: a step
 * that has begun is not given up; whether there is room is asked before.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> about 2 ns a logged word, nothing allocated.
 */
public final class StepLog {
    private static final int MOST_VERSIONS = 16;

    private final PageFile pages;
    private final long undo;
    private final int entries;
    private final long header;
    private final Released released = new Released();
    private final long[] entered = new long[MOST_VERSIONS];
    private int enteredCount;
    private int count;
    private long stepNumber;

    /** The log of {@code pages}. */
    public StepLog(PageFile pages, Geometry geometry) {
        this.pages = pages;
        undo = geometry.undo;
        entries = geometry.undoEntries;
        header = pages.address(0);
    }

    /** Loads a word of the linear space. */
    public long get(long offset) {
        return Memory.getLong(pages.address(offset));
    }

    /** Stores a word of the truth so that it can be taken back. */
    public void put(long offset, long value) {
        long address = pages.address(offset);
        note(offset, address);
        Memory.putLong(address, value);
    }

    /** Stores a word that is derived, or that nothing refers to. */
    void plain(long offset, long value) {
        Memory.putLong(pages.address(offset), value);
    }

    /** Remembers a word of the truth that is about to change; {@code address} is the offset's. */
    void note(long offset, long address) {
        if (!Ladder.INTENT) {
            return;
        }
        if (count == entries) {
            throw new IllegalStateException("step is larger than the undo log: entries=" + entries);
        }
        long entry = pages.address(undo + (long) count * Geometry.UNDO_BYTES);
        Memory.putLong(entry, offset);
        Memory.putLong(entry + Long.BYTES, Memory.getLong(address));
        Memory.storeBarrier();
        Memory.putLong(header + HeaderLayout.UNDO_COUNT, HeaderLayout.undoCount(++count));
        Memory.storeBarrier();
    }

    /** Loads a root ({@link HeaderLayout}). */
    public long root(int field) {
        return Memory.getLong(header + field);
    }

    /** Stores a root that is derived. */
    void setRoot(int field, long value) {
        Memory.putLong(header + field, value);
    }

    /** Adds to a root that is derived. */
    void addRoot(int field, long delta) {
        Memory.putLong(header + field, Memory.getLong(header + field) + delta);
    }

    /** Stores a word of a record that ends in a sum of its words, weighted by place. */
    void putSummed(long record, int field, int sumField, long value) {
        long address = pages.address(record);
        long delta = value - Memory.getLong(address + field);
        if (delta != 0) {
            note(record + field, address + field);
            note(record + sumField, address + sumField);
            Memory.putLong(address + field, value);
            Memory.putLong(address + sumField, Memory.getLong(address + sumField) + delta * recordWeight(field));
        }
    }

    /** Weight of a record's word in the record's sum: odd, so that no flipped bit goes unseen. */
    static long recordWeight(int field) {
        return 2L * (field >>> 3) + 1;
    }

    /**
     * Words that readers beside the writer guard by the version at {@code version} change in this step: it is odd from now
     * to the step's end. Partner: the readers, who load it before and after.
     */
    void enter(long version) {
        if (!Ladder.VERSIONS) {
            return;
        }
        for (int i = 0; i < enteredCount; i++) {
            if (entered[i] == version) {
                return;
            }
        }
        entered[enteredCount++] = version;
        VersionWord.enter(pages.address(version));
    }

    private void leave() {
        while (enteredCount > 0) {
            VersionWord.leave(pages.address(entered[--enteredCount]));
        }
    }

    /** Makes a version even that a killed writer left odd. */
    void settle(long version) {
        VersionWord.settle(pages.address(version));
    }

    /** The step is done: it stays whatever happens. */
    public void commit() {
        stepNumber++;
        if (count > 0) {
            Memory.storeBarrier();
            count = 0;
            Memory.putLong(header + HeaderLayout.UNDO_COUNT, HeaderLayout.undoCount(0));
            Memory.storeBarrier();
        }
        if (enteredCount > 0) {
            leave();
        }
        if (released.any()) {
            released.free();
        }
    }

    /** What the step in flight gives back. */
    Released released() {
        return released;
    }

    /** Number of the step in flight. */
    long stepNumber() {
        return stepNumber;
    }

    /** Begins with an empty log; a fresh file's. */
    void format() {
        Memory.putLong(header + HeaderLayout.UNDO_COUNT, HeaderLayout.undoCount(0));
    }

    /** Whether what a killed writer left can be undone: every entry names a word inside the file. */
    public boolean plausible(long fileBytes) {
        long word = root(HeaderLayout.UNDO_COUNT);
        long left = word & 0xFFFF_FFFFL;
        if (left > entries || word != HeaderLayout.undoCount((int) left)) {
            return false;
        }
        for (int i = 0; i < left; i++) {
            long offset = get(undo + (long) i * Geometry.UNDO_BYTES);
            if (offset < HeaderLayout.ROOTS || offset > fileBytes - Long.BYTES || offset % Long.BYTES != 0) {
                return false;
            }
        }
        return true;
    }

    /** Takes a killed writer's step back; answers how many stores that were. */
    public int rollback() {
        // Until the repair settles them: heads and holders mean nothing to readers in other processes.
        VersionWord.bar(header + HeaderLayout.HEADS_VERSION);
        VersionWord.bar(header + HeaderLayout.HOLDERS_VERSION);
        int undone = (int) root(HeaderLayout.UNDO_COUNT);
        // The count stays until all is undone: a second kill only repeats the work.
        for (int i = undone - 1; i >= 0; i--) {
            long entry = pages.address(undo + (long) i * Geometry.UNDO_BYTES);
            Memory.putLong(pages.address(Memory.getLong(entry)), Memory.getLong(entry + Long.BYTES));
        }
        Memory.storeBarrier();
        format();
        return undone;
    }
}
