package io.penstock.index.pool;

import io.penstock.index.layout.PageLineLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * Fingerprint to record, with what a look-up wants to know beside it ({@link PageLineLayout}): one cache line a page.
 *
 * <p>I1: a page's home line and every full one it passed count it, so a look-up ends at the first line that counts none.
 * I2: no two cells have the same fingerprint.
 *
 * <p>A cell is named by line × 4 + place.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
final class PageTable {
    /** No such cell. */
    static final long NONE = -1;

    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_SECOND = 0xC2B2AE3D27D4EB4FL;
    private static final long INSTEAD_OF_ZERO = 0x5A45524F48415348L;
    private static final int FURTHER_MAX = 255;
    private static final int CELL_BITS = 2;

    private final PageFile pages;
    private final long table;
    private final int lines;

    PageTable(PageFile pages, PoolGeometry geometry) {
        this.pages = pages;
        table = geometry.table;
        lines = geometry.lineCount;
    }

    /**
     * What a look-up compares: 64 bits that all of a key goes into. Keys are hashes, so two pages have the same once in 2⁶⁴
     * pairs. NOTE(perf): two multiplications; four, one a word, made a look-up from the table a tenth slower.
     */
    static long fingerprint(long[] key, int at) {
        long mixed = (key[at] ^ key[at + 2]) * MIX + (key[at + 1] ^ key[at + 3]) * MIX_SECOND;
        return mixed == 0 ? INSTEAD_OF_ZERO : mixed;
    }

    /** Address of the line where a fingerprint is at home. */
    long homeLine(long fingerprint) {
        return address(home(fingerprint));
    }

    /** Cell of a fingerprint, or {@link #NONE}. */
    long find(long fingerprint) {
        int line = home(fingerprint);
        for (int i = 0; i < lines; i++) {
            long at = address(line);
            int match = matches(at, fingerprint);
            if (match != 0) {
                return (long) line << CELL_BITS | Integer.numberOfTrailingZeros(match);
            }
            if (further(at) == 0) {
                return NONE;
            }
            line = next(line);
        }
        return NONE;
    }

    /** A bit for each cell of a line that has the fingerprint. */
    static int matches(long line, long fingerprint) {
        int first = Memory.getLong(line) == fingerprint ? 1 : 0;
        int second = Memory.getLong(line + 8) == fingerprint ? 2 : 0;
        int third = Memory.getLong(line + 16) == fingerprint ? 4 : 0;
        int fourth = Memory.getLong(line + 24) == fingerprint ? 8 : 0;
        return first | second | third | fourth;
    }

    /** Whether pages that belong or passed here lie further on. */
    static int further(long line) {
        return Memory.getInt(line + PageLineLayout.COMPLETE) >>> PageLineLayout.FURTHER_SHIFT;
    }

    /** Record in a place of a line. */
    static int record(long line, int place) {
        return Memory.getInt(line + PageLineLayout.RECORDS + 4L * place) - 1;
    }

    /** Listing since which the page in a place of a line is complete. */
    static int complete(long line, int place) {
        return Memory.getInt(line + PageLineLayout.COMPLETE + 4L * place) & PageLineLayout.LISTING_MASK;
    }

    /** Record of a cell. */
    int record(long cell) {
        return record(lineOf(cell), place(cell));
    }

    /** Notes that a cell's page has another record. */
    void setRecord(long cell, int record) {
        Memory.putInt(lineOf(cell) + PageLineLayout.RECORDS + 4L * place(cell), record + 1);
    }

    /** Listing since which a cell's page is complete. */
    int complete(long cell) {
        return complete(lineOf(cell), place(cell));
    }

    void setComplete(long cell, int listing) {
        long at = lineOf(cell) + PageLineLayout.COMPLETE + 4L * place(cell);
        Memory.putInt(at, Memory.getInt(at) & ~PageLineLayout.LISTING_MASK | listing);
    }

    /** Adds a page that is not there; answers its cell. */
    long insert(long fingerprint, int record) {
        for (int line = home(fingerprint); ; line = next(line)) {
            long at = address(line);
            int free = matches(at, 0);
            if (free != 0) {
                long cell = (long) line << CELL_BITS | Integer.numberOfTrailingZeros(free);
                put(cell, fingerprint, record);
                return cell;
            }
            countFurther(at, 1);
        }
    }

    private void put(long cell, long fingerprint, int record) {
        setRecord(cell, record);
        setComplete(cell, 0);
        Memory.putLong(lineOf(cell) + PageLineLayout.FINGERPRINTS + 8L * place(cell), fingerprint);
    }

    /** Takes a page out. */
    void remove(long cell, long fingerprint) {
        for (int line = home(fingerprint); line != cell >>> CELL_BITS; line = next(line)) {
            countFurther(address(line), -1);
        }
        put(cell, 0, -1);
    }

    private static void countFurther(long line, int step) {
        int word = Memory.getInt(line + PageLineLayout.COMPLETE);
        if (word >>> PageLineLayout.FURTHER_SHIFT != FURTHER_MAX) {
            Memory.putInt(line + PageLineLayout.COMPLETE, word + (step << PageLineLayout.FURTHER_SHIFT));
        }
    }

    /** Takes all pages out. */
    void forget() {
        for (int line = 0; line < lines; line++) {
            Memory.zero(address(line), PageLineLayout.BYTES);
        }
    }

    private long lineOf(long cell) {
        return address((int) (cell >>> CELL_BITS));
    }

    private static int place(long cell) {
        return (int) cell & PageLineLayout.CELLS - 1;
    }

    private long address(int line) {
        return pages.address(table + (long) line * PageLineLayout.BYTES);
    }

    private int home(long fingerprint) {
        return (int) ((fingerprint >>> 32) * lines >>> 32);
    }

    private int next(int line) {
        return line + 1 == lines ? 0 : line + 1;
    }
}
