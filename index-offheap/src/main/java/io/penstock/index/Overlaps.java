package io.penstock.index;

/**
 * Answer of a lookup, owned and reused by the caller: one entry per slot that holds at least one leading block.
 *
 * <p>Counts are blocks, exclusive per tier ({@link PrefixIndex#match}). Entries beyond the capacity are dropped and
 * counted in {@link #dropped}.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> 20 bytes an entry, nothing allocated after construction.
 */
public final class Overlaps {
    private final int[] slots;
    private final int[] blocks;
    private int size;
    private int dropped;

    /** Room for {@code capacity} slots. */
    public Overlaps(int capacity) {
        slots = new int[capacity];
        blocks = new int[capacity * Tier.COUNT];
    }

    /** Forgets all entries. */
    public void clear() {
        size = 0;
        dropped = 0;
    }

    /** Adds an entry; used by indexes. */
    public void add(int slot, int device, int host, int disk, int external) {
        if (size == slots.length) {
            dropped++;
            return;
        }
        slots[size] = slot;
        int at = size * Tier.COUNT;
        blocks[at] = device;
        blocks[at + 1] = host;
        blocks[at + 2] = disk;
        blocks[at + 3] = external;
        size++;
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** Entries that found no room. */
    public int dropped() {
        return dropped;
    }

    /** Slot of entry {@code i}. */
    public int slot(int i) {
        return slots[i];
    }

    /** Blocks of entry {@code i} in {@code tier}. */
    public int blocks(int i, int tier) {
        return blocks[i * Tier.COUNT + tier];
    }

    /** Blocks of entry {@code i} over all tiers. */
    public int total(int i) {
        int at = i * Tier.COUNT;
        return blocks[at] + blocks[at + 1] + blocks[at + 2] + blocks[at + 3];
    }
}
