package io.penstock.index.structure;

import io.penstock.index.Tier;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import java.util.Arrays;

/**
 * The holder records and, on the heap, whose they are and which are live and which are dying: bits that look-ups and
 * purges mask with.
 *
 * <p><b>Threading:</b> owned by the writer.
 */
public final class Holders {
    private final StepLog steps;
    private final long table;
    private final int count;
    private final long[] live;
    private final long[] dying;
    private final int[] slots;
    private int dyingCount;
    private int liveChunks;

    /** The holders of a file. */
    public Holders(StepLog steps, Geometry geometry) {
        this.steps = steps;
        table = geometry.holders;
        count = geometry.holderCount;
        live = new long[(count + Long.SIZE - 1) / Long.SIZE];
        dying = new long[live.length];
        slots = new int[count];
        refresh();
    }

    /** Reads the states anew; after a step that was taken back. */
    void refresh() {
        Arrays.fill(live, 0);
        Arrays.fill(dying, 0);
        dyingCount = 0;
        for (int holder = 0; holder < count; holder++) {
            slots[holder] = (int) steps.get(field(holder, HolderLayout.SLOT));
            note(holder, state(holder));
        }
    }

    private void note(int holder, long state) {
        live[holder >>> 6] &= ~(1L << holder);
        dying[holder >>> 6] &= ~(1L << holder);
        if (state == HolderLayout.LIVE) {
            live[holder >>> 6] |= 1L << holder;
        } else if (state == HolderLayout.DYING) {
            dying[holder >>> 6] |= 1L << holder;
            dyingCount++;
        }
        liveChunks = live.length;
        while (liveChunks > 0 && live[liveChunks - 1] == 0) {
            liveChunks--;
        }
    }

    /** Holder records. */
    public int count() {
        return count;
    }

    /** Words of 64 holders. */
    public int chunks() {
        return live.length;
    }

    /** Chunks up to the last one with a live holder. */
    public int liveChunks() {
        return liveChunks;
    }

    /** Live holders of a chunk. */
    public long live(int chunk) {
        return live[chunk];
    }

    boolean isLive(int holder) {
        return (live[holder >>> 6] >>> holder & 1) != 0;
    }

    /** Dying holders of a chunk. */
    long dying(int chunk) {
        return dying[chunk];
    }

    boolean isDying(int holder) {
        return (dying[holder >>> 6] >>> holder & 1) != 0;
    }

    /** Whether a fresh generation finds a number. */
    public boolean anyFree() {
        int used = dyingCount;
        for (long bits : live) {
            used += Long.bitCount(bits);
        }
        return used < count;
    }

    /** Whether any generation waits for the sweep. */
    public boolean anyDying() {
        return dyingCount > 0;
    }

    private long field(int holder, int field) {
        return table + (long) holder * HolderLayout.BYTES + field;
    }

    private void put(int holder, int field, long value) {
        steps.putSummed(table + (long) holder * HolderLayout.BYTES, field, HolderLayout.SUM, value);
    }

    long state(int holder) {
        return steps.get(field(holder, HolderLayout.STATE));
    }

    /** Lowest free holder, made live for the slot; -1 if none. */
    int begin(int slot) {
        steps.enter(HeaderLayout.HOLDERS_VERSION);
        for (int holder = 0; holder < count; holder++) {
            if (state(holder) == HolderLayout.FREE) {
                put(holder, HolderLayout.SLOT, slot);
                slots[holder] = slot;
                put(holder, HolderLayout.DOMAIN, Names.SHARED);
                for (int tier = 0; tier < 4; tier++) {
                    steps.plain(field(holder, HolderLayout.HELD + tier * Long.BYTES), 0);
                }
                put(holder, HolderLayout.STATE, HolderLayout.LIVE);
                note(holder, HolderLayout.LIVE);
                return holder;
            }
        }
        return -1;
    }

    /** The generation is over: its blocks are dead. */
    void end(int holder) {
        steps.enter(HeaderLayout.HOLDERS_VERSION);
        put(holder, HolderLayout.STATE, HolderLayout.DYING);
        note(holder, HolderLayout.DYING);
    }

    /** Nothing refers to the holder any more. */
    void free(int holder) {
        steps.enter(HeaderLayout.HOLDERS_VERSION);
        put(holder, HolderLayout.STATE, HolderLayout.FREE);
        dyingCount--;
        note(holder, HolderLayout.FREE);
    }

    /** Slot of a holder. NOTE(perf): from the heap; the record is a cache line for each holder of an answer. */
    public int slot(int holder) {
        return slots[holder];
    }

    /** Slots of all holders; not to be changed. */
    int[] slots() {
        return slots;
    }

    /** Domain of a holder. */
    public long domain(int holder) {
        return steps.get(field(holder, HolderLayout.DOMAIN));
    }

    void setDomain(int holder, long domain) {
        put(holder, HolderLayout.DOMAIN, domain);
    }

    /** Whether the record's sum holds. */
    boolean sound(int holder) {
        long sum = 0;
        for (int field = HolderLayout.STATE; field <= HolderLayout.DOMAIN; field += Long.BYTES) {
            sum += steps.get(field(holder, field)) * StepLog.recordWeight(field);
        }
        return sum == steps.get(field(holder, HolderLayout.SUM))
                && state(holder) <= HolderLayout.DYING
                && state(holder) >= 0;
    }

    /** Copies all records, but for what is derived. */
    public void copy(long[] words) {
        int record = HolderLayout.BYTES / Long.BYTES;
        for (int i = 0; i < words.length; i++) {
            int field = i % record * Long.BYTES;
            boolean derived = field >= HolderLayout.HELD && field < HolderLayout.SUM;
            words[i] = derived ? 0 : steps.get(table + (long) i * Long.BYTES);
        }
    }

    /** Lays records into an empty file; the holders must be made anew afterwards. */
    public void restore(long[] words) {
        for (int i = 0; i < words.length; i++) {
            steps.plain(table + (long) i * Long.BYTES, words[i]);
        }
    }

    /** Counts what is held anew from nothing. */
    void forgetHeld() {
        for (int holder = 0; holder < count; holder++) {
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                steps.plain(field(holder, HolderLayout.HELD + tier * Long.BYTES), 0);
            }
        }
    }

    /** Blocks held in a tier. */
    public long held(int holder, int tier) {
        return steps.get(field(holder, HolderLayout.HELD + tier * Long.BYTES));
    }

    void addHeld(int holder, int tier, long delta) {
        if (delta != 0) {
            long offset = field(holder, HolderLayout.HELD + tier * Long.BYTES);
            steps.plain(offset, steps.get(offset) + delta);
        }
    }
}
