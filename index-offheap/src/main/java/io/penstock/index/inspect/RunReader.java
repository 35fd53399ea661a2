package io.penstock.index.inspect;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;

/**
 * Copies runs under their version words: what a copy holds stood in the file together.
 *
 * <p>An odd version is that of a step in flight, or of a writer killed within one. The latter's run is whole once the
 * step is taken back, or where nothing is in the undo log; its sum proves it.
 *
 * <p><b>Threading:</b> one reader; a writer may run beside it.
 */
final class RunReader {
    private static final int TRIES = 64;
    private static final long[] NOTHING = {};

    /** Looks into a run's columns while it is copied. */
    interface Look {
        void into(RunCopy run);
    }

    private final FileWords words;
    private final Geometry in;

    RunReader(FileWords words) {
        this.words = words;
        in = words.in();
    }

    long version(int id) {
        return words.at(offset(id) + RunLayout.VERSION);
    }

    private long offset(int id) {
        return in.runs + (long) id * RunLayout.BYTES;
    }

    /** The run, or null when it changes all the time or makes no sense. */
    RunCopy read(int id, Look look) {
        for (int i = 0; i < TRIES; i++) {
            long version = version(id);
            boolean whole = (version & 1) == 0 || words.betweenSteps();
            FileWords.fence();
            RunCopy run = attempt(id, version, look);
            boolean proven = run != null && ((version & 1) == 0 || run.free() || sum(run) == run.sum());
            FileWords.fence();
            if (whole && proven && version(id) == version && ((version & 1) == 0 || words.betweenSteps())) {
                return run;
            }
            Thread.yield();
        }
        return null;
    }

    /** The words as they are now; null when they make no sense together. */
    RunCopy attempt(int id, long version, Look look) {
        try {
            long[] header = copy(offset(id), RunLayout.BYTES / Long.BYTES);
            if (RunCopy.granules(header[RunLayout.EXTENT >>> 3]) == 0) {
                return new RunCopy(id, version, header, NOTHING, NOTHING);
            }
            long shape = header[RunLayout.SHAPE >>> 3];
            long side = header[RunLayout.SIDE >>> 3];
            RunCopy run = new RunCopy(
                    id, version, header, ranges(header, RunCopy.ranges(shape), side), sets(RunCopy.sets(shape), side));
            if (!plausible(run)) {
                return null;
            }
            look.into(run);
            return run;
        } catch (IndexOutOfBoundsException torn) {
            return null;
        }
    }

    private long[] ranges(long[] header, int count, long side) {
        long[] all = new long[count];
        int first = Math.min(count, RunLayout.INLINE_RANGES);
        System.arraycopy(header, RunLayout.RANGES >>> 3, all, 0, first);
        if (count > first) {
            System.arraycopy(copy(unit(RunCopy.rangeUnit(side)), count - first), 0, all, first, count - first);
        }
        return all;
    }

    private long[] sets(int count, long side) {
        return count == 0 ? NOTHING : copy(unit(RunCopy.setUnit(side)), 2 * count);
    }

    private long unit(int unit) {
        if (unit < 0 || unit >= in.sideUnits) {
            throw new IndexOutOfBoundsException("no such side unit: unit=" + unit);
        }
        return in.side + (long) unit * Geometry.SIDE_UNIT_BYTES;
    }

    private long[] copy(long offset, int count) {
        long[] copy = new long[count];
        for (int i = 0; i < count; i++) {
            copy[i] = words.at(offset + (long) i * Long.BYTES);
        }
        return copy;
    }

    private boolean plausible(RunCopy run) {
        int length = run.length();
        if (!granules(run.granule(), run.granules())
                || length < 1
                || length > Math.min(Geometry.MAX_RUN_BLOCKS, run.granules() * Geometry.GRANULE_BLOCKS)) {
            return false;
        }
        for (long range : run.ranges) {
            if (RangeEntry.from(range) >= RangeEntry.to(range) || RangeEntry.to(range) > length) {
                return false;
            }
        }
        for (int i = 0; i < run.setCount(); i++) {
            boolean sound = run.isColumn(i)
                    ? granules(run.columnGranule(i), run.columnGranules(i))
                            && run.columnGranules(i) * (Geometry.GRANULE_BYTES / Long.BYTES) >= length
                    : run.isBits(i) && (run.sets[2 * i] >>> 16 & 0xFF) < 4;
            if (!sound) {
                return false;
            }
        }
        return true;
    }

    private boolean granules(int first, int count) {
        return first >= 0 && count > 0 && (long) first + count <= in.granuleCount;
    }

    /** Sequence hash at a place. */
    long sequence(RunCopy run, int place) {
        return words.at(cell(run, place));
    }

    /** All sequence hashes. */
    long[] sequences(RunCopy run) {
        long[] all = new long[run.length()];
        for (int place = 0; place < all.length; place++) {
            all[place] = sequence(run, place);
        }
        return all;
    }

    /** Engine hash at a place in the run's own domain, 0 for none. */
    long name(RunCopy run, int place) {
        return words.at(cell(run, place) + BlockCell.NAME);
    }

    /** Engine hash at a place in the domain of set {@code i}, 0 for none. */
    long name(RunCopy run, int i, int place) {
        return words.at(in.columns + (long) run.columnGranule(i) * Geometry.GRANULE_BYTES + (long) place * Long.BYTES);
    }

    private long cell(RunCopy run, int place) {
        return BlockCell.at(in.columns + run.granule() * (long) Geometry.GRANULE_BYTES, place);
    }

    /** What the run's words add up to ({@link RunLayout#SUM}). */
    long sum(RunCopy run) {
        long sum = 0;
        for (int field = RunLayout.EXTENT; field <= RunLayout.DEVICE; field += Long.BYTES) {
            sum += field == RunLayout.SUM ? 0 : run.header[field >>> 3] * RunLayout.headerWeight(field);
        }
        for (int i = 0; i < run.ranges.length; i++) {
            sum += run.ranges[i] * RunLayout.rangeWeight(i);
        }
        for (int i = 0; i < run.sets.length; i++) {
            sum += run.sets[i] * RunLayout.setWeight(i);
        }
        for (int place = 0; place < run.length(); place++) {
            sum += sequence(run, place) * RunLayout.sequenceWeight(place)
                    + name(run, place) * RunLayout.nameWeight(place);
            for (int i = 0; i < run.setCount(); i++) {
                sum += run.isColumn(i) ? name(run, i, place) * RunLayout.columnWeight(run.columnDomain(i), place) : 0;
            }
        }
        return sum;
    }
}
