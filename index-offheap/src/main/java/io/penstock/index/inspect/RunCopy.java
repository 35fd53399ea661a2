package io.penstock.index.inspect;

import io.penstock.index.layout.RangeEntry;
import io.penstock.index.layout.RunLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A run's header and lists as they stood together at one moment, and of its columns what was looked for.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class RunCopy {
    private static final long BITS_KIND = 1;
    private static final long COLUMN_KIND = 2;

    /** Who has which places of the run: {@code copies} is 0 for a holding, else so many further copies. */
    interface Holding {
        void is(int holder, int tier, int from, int to, int copies);
    }

    /** A block that was looked for: its place and, for each domain that names it, domain and engine hash. */
    record Hit(int place, long sequence, long before, long[] names) {}

    final int id;
    final long version;
    final long[] header;
    final long[] ranges;
    final long[] sets;
    final List<Hit> hits = new ArrayList<>(0);
    long[] sequences;
    long last;

    RunCopy(int id, long version, long[] header, long[] ranges, long[] sets) {
        this.id = id;
        this.version = version;
        this.header = header;
        this.ranges = ranges;
        this.sets = sets;
    }

    private long word(int field) {
        return header[field >>> 3];
    }

    boolean free() {
        return granules() == 0;
    }

    int granule() {
        return (int) word(RunLayout.EXTENT);
    }

    int granules() {
        return granules(word(RunLayout.EXTENT));
    }

    static int granules(long extent) {
        return (int) (extent >>> 32) & 0xFFFF;
    }

    int length() {
        return (int) (word(RunLayout.EXTENT) >>> 48);
    }

    long domain() {
        return word(RunLayout.DOMAIN);
    }

    long head() {
        return word(RunLayout.HEAD);
    }

    long parent() {
        return word(RunLayout.PARENT);
    }

    long sum() {
        return word(RunLayout.SUM);
    }

    static int ranges(long shape) {
        return (int) shape & 0xFFFF;
    }

    static int sets(long shape) {
        return (int) (shape >>> 16) & 0xFFFF;
    }

    /** Size class of the ranges' side block, 0 for none. */
    int rangeClass() {
        return (int) (word(RunLayout.SHAPE) >>> 32) & 0xFF;
    }

    /** Size class of the sets' side block, 0 for none. */
    int setClass() {
        return (int) (word(RunLayout.SHAPE) >>> 40) & 0xFF;
    }

    static int rangeUnit(long side) {
        return (int) side - 1;
    }

    static int setUnit(long side) {
        return (int) (side >>> 32) - 1;
    }

    long side() {
        return word(RunLayout.SIDE);
    }

    /** Whether set {@code i} is a further column of engine hashes. */
    boolean isColumn(int i) {
        return sets[2 * i] >>> 56 == COLUMN_KIND;
    }

    boolean isBits(int i) {
        return sets[2 * i] >>> 56 == BITS_KIND;
    }

    /** Domain of the column that set {@code i} is. */
    long columnDomain(int i) {
        return sets[2 * i] & (1L << 56) - 1;
    }

    int columnGranule(int i) {
        return (int) sets[2 * i + 1];
    }

    int columnGranules(int i) {
        return (int) (sets[2 * i + 1] >>> 32);
    }

    int setCount() {
        return sets.length / 2;
    }

    /** Calls for every holding and every count of further copies. */
    void holdings(Holding holding) {
        bits(0, 0, word(RunLayout.DEVICE), holding);
        for (int i = 0; i < setCount(); i++) {
            if (isBits(i)) {
                bits((int) (sets[2 * i] >>> 16) & 0xFF, (int) sets[2 * i] & 0xFFFF, sets[2 * i + 1], holding);
            }
        }
        for (long entry : ranges) {
            int copies = RangeEntry.isExtra(entry) ? RangeEntry.copies(entry) : 0;
            holding.is(
                    RangeEntry.holder(entry),
                    RangeEntry.tier(entry),
                    RangeEntry.from(entry),
                    RangeEntry.to(entry),
                    copies);
        }
    }

    private void bits(int tier, int chunk, long bits, Holding holding) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            holding.is(chunk * Long.SIZE + Long.numberOfTrailingZeros(rest), tier, 0, length(), 0);
        }
    }
}
