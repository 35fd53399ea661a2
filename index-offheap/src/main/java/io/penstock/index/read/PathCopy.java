package io.penstock.index.read;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.RunShape;
import io.penstock.index.layout.SetKey;
import java.util.Arrays;

/**
 * A reader's copies of the runs on a query's path: who holds what of each, under which version of the run that was read,
 * and how far the query agrees with its column.
 *
 * <p>I1: a run enters the path only if its version was even and the same before and after all of it was copied. I2: what
 * the copies say is used only while {@link #standing} confirms the versions of all runs once more.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> nothing allocated once the longest path was seen.
 */
final class PathCopy {
    /** The run did not hold still. */
    static final int CHANGING = -1;

    /** The header is free, or another run's. */
    static final int ANOTHER = -2;

    private final PageView view;
    private final Geometry geometry;
    private int length;
    private long[] runs = new long[16];
    private long[] versions = new long[16];
    private long[] devices = new long[16];
    private int[] tiers = new int[16];
    private int[] ends = new int[16];
    private int[] rangesEnd = new int[16];
    private int[] setsEnd = new int[16];
    private long[] words = new long[256];

    PathCopy(PageView view) {
        this.view = view;
        geometry = view.geometry();
    }

    /** Keeps the first {@code runs} runs only. */
    void cut(int runs) {
        length = runs;
    }

    /** Runs on the path. */
    int length() {
        return length;
    }

    /** Blocks of the query that the path covers. */
    int end() {
        return length == 0 ? 0 : ends[length - 1];
    }

    /** Offset of the run header with the id, or -1 for an id that no run has. */
    long run(int id) {
        return id >= 0 && id < geometry.runCount ? geometry.runs + (long) id * RunLayout.BYTES : -1;
    }

    /**
     * Copies the run if it begins with the query's next block, and puts it at the path's end.
     *
     * @return the path's new {@link #end}, or {@link #CHANGING}, {@link #ANOTHER}
     */
    int add(long run, long[] sequences, int count) {
        long header = view.stretch(run, RunLayout.BYTES);
        long version = view.longInAcquire(header + RunLayout.VERSION);
        if (Versions.changing(version)) {
            return CHANGING;
        }
        grow();
        long head = view.longIn(header + RunLayout.HEAD);
        long extent = view.longIn(header + RunLayout.EXTENT);
        long shape = view.longIn(header + RunLayout.SHAPE);
        devices[length] = view.longIn(header + RunLayout.DEVICE);
        if (!Versions.stood(view, run + RunLayout.VERSION, version)) {
            return CHANGING;
        }
        int at = end();
        if (RunShape.granules(extent) == 0 || head != sequences[at]) {
            return ANOTHER;
        }
        int used = length == 0 ? 0 : setsEnd[length - 1];
        if (RunShape.ranges(shape) == 0 && RunShape.sets(shape) == 0) {
            rangesEnd[length] = used;
            setsEnd[length] = used;
        } else {
            // Without a change since the shape was read, as the end of this copy will tell.
            long side = view.longIn(header + RunLayout.SIDE);
            if (!Versions.stood(view, run + RunLayout.VERSION, version)) {
                return CHANGING;
            }
            rangesEnd[length] = copyRanges(run, shape, side, used);
            setsEnd[length] = copySets(shape, side, rangesEnd[length]);
        }
        int end = at + common(extent, sequences, at, count - at);
        if (!Versions.stood(view, run + RunLayout.VERSION, version)) {
            return CHANGING;
        }
        runs[length] = run;
        versions[length] = version;
        tiers[length] = RunShape.tiers(shape);
        ends[length++] = end;
        return end;
    }

    private void grow() {
        if (length == runs.length) {
            runs = Arrays.copyOf(runs, length * 2);
            versions = Arrays.copyOf(versions, length * 2);
            devices = Arrays.copyOf(devices, length * 2);
            tiers = Arrays.copyOf(tiers, length * 2);
            ends = Arrays.copyOf(ends, length * 2);
            rangesEnd = Arrays.copyOf(rangesEnd, length * 2);
            setsEnd = Arrays.copyOf(setsEnd, length * 2);
        }
    }

    private void require(int count) {
        if (count > words.length) {
            words = Arrays.copyOf(words, Math.max(count, words.length * 2));
        }
    }

    /** Copies the ranges, those of further copies left out; answers where they end. */
    private int copyRanges(long run, long shape, long side, int from) {
        int count = RunShape.ranges(shape);
        int beyond = count - RunLayout.INLINE_RANGES;
        if (beyond > RunShape.rangeRoom(shape)) {
            throw new IndexOutOfBoundsException("run lists more ranges than its block has room for: ranges=" + count);
        }
        require(from + count);
        long base = beyond > 0 ? unit(RunShape.rangeUnit(side)) : 0;
        int to = from;
        for (int i = 0; i < count; i++) {
            long offset = i < RunLayout.INLINE_RANGES
                    ? run + RunLayout.RANGES + (long) i * Long.BYTES
                    : base + (long) (i - RunLayout.INLINE_RANGES) * Long.BYTES;
            long entry = view.longAt(offset);
            if (!RangeEntry.isExtra(entry)) {
                words[to++] = entry;
            }
        }
        return to;
    }

    /** Copies the sets that are holders' bits; answers where they end. */
    private int copySets(long shape, long side, int from) {
        int count = RunShape.sets(shape);
        if (count == 0) {
            return from;
        }
        if (count * SetKey.WORDS > RunShape.setRoom(shape)) {
            throw new IndexOutOfBoundsException("run lists more sets than its block has room for: sets=" + count);
        }
        require(from + count * SetKey.WORDS);
        long base = unit(RunShape.setUnit(side));
        int to = from;
        for (int i = 0; i < count; i++) {
            long offset = base + (long) i * SetKey.WORDS * Long.BYTES;
            long key = view.longAt(offset);
            if (SetKey.isBits(key)) {
                words[to] = key;
                words[to + 1] = view.longAt(offset + Long.BYTES);
                to += SetKey.WORDS;
            }
        }
        return to;
    }

    private long unit(long unit) {
        return geometry.side + unit * Geometry.SIDE_UNIT_BYTES;
    }

    /**
     * Leading blocks of the run that equal the query's: equality of chained hashes at one place is equality up to it, so a
     * run that matches whole costs one compare. Words past the run's length are never looked at.
     */
    private int common(long extent, long[] sequences, int at, int count) {
        int limit = Math.min(RunShape.length(extent), count);
        if (limit < 1 || limit > RunShape.granules(extent) * Geometry.GRANULE_BLOCKS) {
            throw new IndexOutOfBoundsException("run does not fit its extent: length=" + RunShape.length(extent));
        }
        long base = geometry.columns + RunShape.granule(extent) * Geometry.GRANULE_BYTES;
        if (sequence(base, limit - 1) == sequences[at + limit - 1]) {
            return limit;
        }
        // The head is known to match: place low matches, place high does not.
        int low = 0;
        int high = limit - 1;
        int step = 1;
        while (low + step < high && sequence(base, low + step) == sequences[at + low + step]) {
            low += step;
            step <<= 1;
        }
        high = Math.min(high, low + step);
        while (high - low > 1) {
            int middle = low + high >>> 1;
            if (sequence(base, middle) == sequences[at + middle]) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low + 1;
    }

    private long sequence(long base, int place) {
        return view.longAt(BlockCell.at(base, place));
    }

    /** How many of the path's runs, from the first on, are still as they were copied. */
    int standing() {
        for (int i = 0; i < length; i++) {
            if (!stands(i)) {
                return i;
            }
        }
        return length;
    }

    /** A bit for each tier in which any run of the path ever held something. */
    int allTiers() {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= tiers[i];
        }
        return all;
    }

    int end(int i) {
        return ends[i];
    }

    /** Offset of a run's header. */
    long header(int i) {
        return runs[i];
    }

    /** Whether a run is still as it was copied. */
    boolean stands(int i) {
        return Versions.stood(view, runs[i] + RunLayout.VERSION, versions[i]);
    }

    /** Bits of holders 0 to 63 that have the whole run on the device. */
    long device(int i) {
        return devices[i];
    }

    boolean hasTier(int i, int tier) {
        return (tiers[i] >>> tier & 1) != 0;
    }

    /** Index of a run's first range among the {@link #word}s; they end where its sets begin. */
    int ranges(int i) {
        return i == 0 ? 0 : setsEnd[i - 1];
    }

    /** Index of a run's first set. */
    int sets(int i) {
        return rangesEnd[i];
    }

    /** Index past a run's last set. */
    int setsEnd(int i) {
        return setsEnd[i];
    }

    long word(int index) {
        return words[index];
    }
}
