package io.penstock.index.read;

import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;

/**
 * A reader's copy of which holders live and whose they are, as of one value of {@link HeaderLayout#HOLDERS_VERSION}: it
 * serves until that word changes, which is when slots are opened, cleared or removed and when a sweep ends.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> a copy reads one cache line a holder; nothing allocated.
 */
final class HolderCopy {
    private static final long NEVER = 1;

    private final PageView view;
    private final int maxSlots;
    private final int count;
    private final long[] live;
    private final int[] slots;
    private int liveChunks;
    private long version = NEVER;

    HolderCopy(PageView view) {
        this.view = view;
        count = view.geometry().holderCount;
        maxSlots = view.intAt(HeaderLayout.MAX_SLOTS);
        live = new long[(count + Long.SIZE - 1) / Long.SIZE];
        slots = new int[count];
    }

    /** Whether the copy is what stands in the file at some instant from now on; else {@link #copy} is asked for. */
    boolean stands() {
        return Versions.read(view, HeaderLayout.HOLDERS_VERSION) == version;
    }

    /** Whether the copy stood at every instant since it was found to stand before. */
    boolean stood() {
        return Versions.stood(view, HeaderLayout.HOLDERS_VERSION, version);
    }

    /** Copies anew; false when the writer was at it. */
    boolean copy() {
        version = NEVER;
        long before = Versions.read(view, HeaderLayout.HOLDERS_VERSION);
        if (Versions.changing(before)) {
            return false;
        }
        long table = view.geometry().holders;
        liveChunks = 0;
        for (int chunk = 0; chunk < live.length; chunk++) {
            live[chunk] = chunk(table, chunk);
            if (live[chunk] != 0) {
                liveChunks = chunk + 1;
            }
        }
        if (!Versions.stood(view, HeaderLayout.HOLDERS_VERSION, before)) {
            return false;
        }
        version = before;
        return true;
    }

    private long chunk(long table, int chunk) {
        long bits = 0;
        int end = Math.min(count, (chunk + 1) * Long.SIZE);
        for (int holder = chunk * Long.SIZE; holder < end; holder++) {
            long record = table + (long) holder * HolderLayout.BYTES;
            if (view.longAt(record + HolderLayout.STATE) == HolderLayout.LIVE) {
                long slot = view.longAt(record + HolderLayout.SLOT);
                // A slot out of range is damage: its holder answers nothing.
                if (slot >= 0 && slot < maxSlots) {
                    slots[holder] = (int) slot;
                    bits |= 1L << holder;
                }
            }
        }
        return bits;
    }

    int count() {
        return count;
    }

    int chunks() {
        return live.length;
    }

    /** Chunks up to the last one with a live holder. */
    int liveChunks() {
        return liveChunks;
    }

    long live(int chunk) {
        return chunk < liveChunks ? live[chunk] : 0;
    }

    boolean isLive(int holder) {
        return holder < count && (live[holder >>> 6] >>> holder & 1) != 0;
    }

    /** Slots of all holders; not to be changed. */
    int[] slots() {
        return slots;
    }

    int slot(int holder) {
        return slots[holder];
    }
}
