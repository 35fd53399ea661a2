package io.penstock.index.structure;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeadEntry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import java.util.Arrays;

/**
 * Hash of a run's first block to the run: the children of every block, and the roots, in one table. There is no other
 * link between runs.
 *
 * <p>Open addressing, linear probing, deletion by shifting back; an entry is a word ({@link HeadEntry}), so that shifting
 * needs no other memory. Derived from the runs; built anew after a kill.
 *
 * <p>NOTE(perf): an entry says how long its run is, so that a look-up goes from entry to entry without waiting for headers.
 *
 * <p>A filter on the heap, bits with counts beside them, answers most questions for a block that begins no run: whoever
 * stores new blocks asks for each of them. NOTE(perf): a bit a count, so that it stays in the first cache.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> 8 bytes a slot at most 0.6 full, and a byte a run in the filter.
 */
final class Heads {
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int STUCK = 0xFF;
    private static final int FILTER_BITS = 2;

    private final PageFile pages;
    private final StepLog steps;
    private final Runs runs;
    private final long table;
    private final int slots;
    private final long[] filter;
    private final byte[] counts;
    private final int filterShift;

    /** The table of a file. */
    Heads(PageFile pages, StepLog steps, Runs runs, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        this.runs = runs;
        table = geometry.heads;
        slots = geometry.headSlots;
        int wanted =
                Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(Long.SIZE, geometry.runCount - 1)) + FILTER_BITS;
        int bits = Math.min(wanted, HeadEntry.TAG_BITS);
        filter = new long[1 << bits - 6];
        counts = new byte[1 << bits];
        filterShift = HeadEntry.TAG_BITS - bits;
    }

    /** Reads what the filter counts from the table. */
    void load() {
        Arrays.fill(filter, 0);
        Arrays.fill(counts, (byte) 0);
        for (int slot = 0; slot < slots; slot++) {
            long entry = entry(slot);
            if (entry != 0) {
                count(HeadEntry.tag(entry), 1);
            }
        }
    }

    /** Forgets all entries. */
    void forget() {
        for (int slot = 0; slot < slots; slot++) {
            steps.plain(offset(slot), 0);
        }
        Arrays.fill(filter, 0);
        Arrays.fill(counts, (byte) 0);
    }

    /** Run that begins with the block, or -1. */
    long find(long sequence) {
        int tag = tag(sequence);
        int bit = tag >>> filterShift;
        return (filter[bit >>> 6] >>> bit & 1) == 0 ? -1 : probe(tag, sequence);
    }

    private long probe(int tag, long sequence) {
        for (int slot = home(tag); ; slot = next(slot)) {
            long entry = entry(slot);
            if (entry == 0) {
                return -1;
            }
            if (HeadEntry.tag(entry) == tag) {
                long run = runs.byId(HeadEntry.id(entry));
                if (steps.get(run + RunLayout.HEAD) == sequence) {
                    return run;
                }
            }
        }
    }

    /** Entry that most likely is the block's, not held against the run's header; 0 when there is none. */
    long candidate(long sequence) {
        int tag = tag(sequence);
        int bit = tag >>> filterShift;
        if ((filter[bit >>> 6] >>> bit & 1) == 0) {
            return 0;
        }
        for (int slot = home(tag); ; slot = next(slot)) {
            long entry = entry(slot);
            if (entry == 0 || HeadEntry.tag(entry) == tag) {
                return entry;
            }
        }
    }

    /** Loads the word at which the search for a run that begins with the block starts; it says nothing by itself. */
    long peek(long sequence) {
        return entry(home(tag(sequence)));
    }

    /** Leading blocks of a query's stretch that begin no run: at least one, at most {@code count}. */
    int headless(long[] sequences, int from, int count) {
        int length = 1;
        while (length < count && find(sequences[from + length]) < 0) {
            length++;
        }
        return length;
    }

    void insert(long sequence, long run, int length) {
        int tag = tag(sequence);
        int slot = home(tag);
        while (entry(slot) != 0) {
            slot = next(slot);
        }
        steps.plain(offset(slot), HeadEntry.of(tag, length, runs.id(run)));
        count(tag, 1);
    }

    /** The run's length changed. */
    void resize(long run, int length) {
        int slot = slotOf(steps.get(run + RunLayout.HEAD), run);
        steps.plain(offset(slot), HeadEntry.withLength(entry(slot), length));
    }

    private int slotOf(long sequence, long run) {
        int tag = tag(sequence);
        int id = runs.id(run);
        int slot = home(tag);
        while (HeadEntry.tag(entry(slot)) != tag || HeadEntry.id(entry(slot)) != id) {
            slot = next(slot);
        }
        return slot;
    }

    void delete(long sequence, long run) {
        steps.enter(HeaderLayout.HEADS_VERSION);
        count(tag(sequence), -1);
        int hole = slotOf(sequence, run);
        for (int slot = next(hole); entry(slot) != 0; slot = next(slot)) {
            long moved = entry(slot);
            int home = home(HeadEntry.tag(moved));
            // The entry may fill the hole unless its home lies cyclically after it.
            boolean stays = hole <= slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!stays) {
                steps.plain(offset(hole), moved);
                hole = slot;
            }
        }
        steps.plain(offset(hole), 0);
    }

    /** A count that reached its end stays there: the filter then only answers less. */
    private void count(int tag, int by) {
        int at = tag >>> filterShift;
        if ((counts[at] & STUCK) == STUCK) {
            return;
        }
        counts[at] += (byte) by;
        if (counts[at] == 0) {
            filter[at >>> 6] &= ~(1L << at);
        } else {
            filter[at >>> 6] |= 1L << at;
        }
    }

    private long entry(int slot) {
        return Memory.getLong(pages.address(offset(slot)));
    }

    private long offset(int slot) {
        return table + (long) slot * Long.BYTES;
    }

    private static int tag(long sequence) {
        return (int) (sequence * MIX >>> Long.SIZE - HeadEntry.TAG_BITS);
    }

    private int home(int tag) {
        return (int) ((long) tag * slots >>> HeadEntry.TAG_BITS);
    }

    private int next(int slot) {
        return slot + 1 == slots ? 0 : slot + 1;
    }
}
