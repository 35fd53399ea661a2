package io.penstock.index.structure;

import io.penstock.index.PrefixIndex;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.SlotLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The slots: which worker's rank each is, its generation, its holder, its event position.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> opening a slot compares names and allocates; positions do not.
 */
public final class Directory {
    private final StepLog steps;
    private final Holders holders;
    private final long table;
    private final String[] workers;

    /** The directory of a file for {@code maxSlots}. */
    public Directory(StepLog steps, Holders holders, Geometry geometry, int maxSlots) {
        this.steps = steps;
        this.holders = holders;
        table = geometry.slots;
        workers = new String[maxSlots];
        for (int slot = 0; slot < Math.min(limit(), maxSlots); slot++) {
            workers[slot] = get(slot, SlotLayout.OPEN) == 1 ? loadName(slot) : null;
        }
    }

    /** Highest slot ever given plus one. */
    public int limit() {
        return (int) steps.root(HeaderLayout.SLOT_LIMIT);
    }

    /** Slots at a time. */
    int capacity() {
        return workers.length;
    }

    /** Slot of the worker's rank, opened if need be; the caller makes room among the holders first. */
    public int open(String worker, int dpRank) {
        int limit = limit();
        int free = limit;
        for (int slot = limit - 1; slot >= 0; slot--) {
            if (workers[slot] == null) {
                free = slot;
            } else if (workers[slot].equals(worker) && dpRank(slot) == dpRank) {
                return slot;
            }
        }
        if (free == workers.length) {
            return PrefixIndex.NO_SLOT_LEFT;
        }
        byte[] name = worker.getBytes(StandardCharsets.UTF_8);
        if (name.length > SlotLayout.MAX_NAME_BYTES) {
            throw new IllegalArgumentException("worker name is longer than 255 bytes: worker=" + worker);
        }
        if (free == limit) {
            steps.put(HeaderLayout.SLOT_LIMIT, limit + 1L);
        }
        steps.enter(HeaderLayout.HOLDERS_VERSION);
        storeName(free, name);
        put(free, SlotLayout.HOLDER, holders.begin(free));
        put(free, SlotLayout.DP_RANK, dpRank);
        put(free, SlotLayout.SEQUENCE, PrefixIndex.NO_POSITION);
        put(free, SlotLayout.TIMESTAMP, 0);
        put(free, SlotLayout.BATCH_HASH, 0);
        put(free, SlotLayout.BATCH_OPEN, 0);
        put(free, SlotLayout.OPEN, 1);
        steps.commit();
        workers[free] = worker;
        return free;
    }

    /** Whether the slot is a worker's. */
    public boolean isOpen(int slot) {
        return slot >= 0 && slot < workers.length && workers[slot] != null;
    }

    /** Worker or null. */
    public String worker(int slot) {
        return isOpen(slot) ? workers[slot] : null;
    }

    /** Rank of an open slot. */
    public int dpRank(int slot) {
        return (int) get(slot, SlotLayout.DP_RANK);
    }

    /** Generation of any slot number. */
    public int generation(int slot) {
        return slot >= 0 && slot < limit() ? (int) get(slot, SlotLayout.GENERATION) : 0;
    }

    /** Holder of an open slot. */
    public int holder(int slot) {
        return (int) get(slot, SlotLayout.HOLDER);
    }

    /** Ends the slot's generation; the slot goes on under a fresh holder, or is closed. */
    public void end(int slot, boolean close) {
        steps.enter(HeaderLayout.HOLDERS_VERSION);
        holders.end(holder(slot));
        put(slot, SlotLayout.GENERATION, get(slot, SlotLayout.GENERATION) + 1);
        if (close) {
            put(slot, SlotLayout.OPEN, 0);
        } else {
            put(slot, SlotLayout.HOLDER, holders.begin(slot));
        }
        steps.commit();
        if (close) {
            workers[slot] = null;
        }
    }

    /** Notes that a batch is being applied. */
    public void batchBegun(int slot) {
        enter(slot);
        put(slot, SlotLayout.BATCH_OPEN, 1);
        steps.commit();
    }

    /** Whether a batch was begun and not ended. */
    public boolean batchOpen(int slot) {
        return isOpen(slot) && get(slot, SlotLayout.BATCH_OPEN) == 1;
    }

    /** Notes the last batch applied. */
    public void position(int slot, long sequence, long timestampBits, long batchHash) {
        enter(slot);
        put(slot, SlotLayout.SEQUENCE, sequence);
        put(slot, SlotLayout.TIMESTAMP, timestampBits);
        put(slot, SlotLayout.BATCH_HASH, batchHash);
        put(slot, SlotLayout.BATCH_OPEN, 0);
        steps.commit();
    }

    /** Readers beside the writer see all of a position or nothing. */
    private void enter(int slot) {
        steps.enter(table + (long) slot * SlotLayout.BYTES + SlotLayout.VERSION);
    }

    /** Makes the records' versions even. */
    void settle() {
        for (int slot = 0; slot < capacity(); slot++) {
            steps.settle(table + (long) slot * SlotLayout.BYTES + SlotLayout.VERSION);
        }
    }

    /** Engine sequence of the last batch. */
    public long sequence(int slot) {
        return get(slot, SlotLayout.SEQUENCE);
    }

    /** Its timestamp. */
    public long timestampBits(int slot) {
        return get(slot, SlotLayout.TIMESTAMP);
    }

    /** Its hash. */
    public long batchHash(int slot) {
        return get(slot, SlotLayout.BATCH_HASH);
    }

    /** Open slots within a batch. */
    public int openBatches() {
        int open = 0;
        for (int slot = limit() - 1; slot >= 0; slot--) {
            open += batchOpen(slot) ? 1 : 0;
        }
        return open;
    }

    /** Copies the records of all slots ever given. */
    public void copy(long[] words) {
        for (int i = limit() * SlotLayout.BYTES / Long.BYTES - 1; i >= 0; i--) {
            words[i] = steps.get(table + (long) i * Long.BYTES);
        }
    }

    /** Lays records into an empty file; the directory must be made anew afterwards. */
    public void restore(long[] words, int slots) {
        for (int i = 0; i < words.length; i++) {
            steps.plain(table + (long) i * Long.BYTES, words[i]);
        }
        steps.put(HeaderLayout.SLOT_LIMIT, slots);
        steps.commit();
    }

    private long get(int slot, int field) {
        return steps.get(table + (long) slot * SlotLayout.BYTES + field);
    }

    private void put(int slot, int field, long value) {
        steps.putSummed(table + (long) slot * SlotLayout.BYTES, field, SlotLayout.SUM, value);
    }

    /** Whether the slot below the limit was ever given, and none from it on. */
    boolean usedUpTo(int limit) {
        boolean used = limit == 0 || get(limit - 1, SlotLayout.SUM) != 0;
        for (int slot = limit; slot < capacity(); slot++) {
            used &= get(slot, SlotLayout.SUM) == 0 && get(slot, SlotLayout.OPEN) == 0;
        }
        return used;
    }

    /** Whether the record's sum holds and an open slot stands under a live holder of its own. */
    boolean sound(int slot) {
        long sum = 0;
        for (int field = SlotLayout.OPEN; field < SlotLayout.SUM; field += Long.BYTES) {
            sum += get(slot, field) * StepLog.recordWeight(field);
        }
        if (sum != get(slot, SlotLayout.SUM)) {
            return false;
        }
        long holder = get(slot, SlotLayout.HOLDER);
        return get(slot, SlotLayout.OPEN) != 1
                || holder >= 0
                        && holder < holders.count()
                        && holders.isLive((int) holder)
                        && holders.slot((int) holder) == slot;
    }

    private void storeName(int slot, byte[] name) {
        ByteBuffer words = ByteBuffer.allocate(SlotLayout.MAX_NAME_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        words.put(0, name);
        for (int at = 0; at < words.capacity(); at += Long.BYTES) {
            put(slot, SlotLayout.NAME + at, words.getLong(at));
        }
        put(slot, SlotLayout.NAME_BYTES, name.length);
    }

    private String loadName(int slot) {
        ByteBuffer words = ByteBuffer.allocate(SlotLayout.MAX_NAME_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < words.capacity(); at += Long.BYTES) {
            words.putLong(at, get(slot, SlotLayout.NAME + at));
        }
        int bytes = (int) get(slot, SlotLayout.NAME_BYTES);
        return new String(words.array(), 0, Math.clamp(bytes, 0, SlotLayout.MAX_NAME_BYTES), StandardCharsets.UTF_8);
    }
}
