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
    private static final int LOWER_TIERS = Tier.COUNT - 1;

    private final int[] slots;
    private final int[] device;
    private final int[] lower;
    private boolean deviceOnly;
    private int size;
    private int dropped;

    /** Room for {@code capacity} slots. */
    public Overlaps(int capacity) {
        slots = new int[capacity];
        device = new int[capacity];
        lower = new int[capacity * LOWER_TIERS];
        clear();
    }

    /** Forgets all entries. */
    public void clear() {
        deviceOnly = true;
        size = 0;
        dropped = 0;
    }

    /** Adds an entry; used by indexes. An answer is made by this method or by {@link #addDevice}, never by both. */
    public void add(int slot, int device, int host, int disk, int external) {
        if (size == slots.length) {
            dropped++;
            return;
        }
        deviceOnly = false;
        slots[size] = slot;
        this.device[size] = device;
        int at = size * LOWER_TIERS;
        lower[at] = host;
        lower[at + 1] = disk;
        lower[at + 2] = external;
        size++;
    }

    /**
     * Adds an entry of {@code blocks} on the device for each holder whose bit is set; used by indexes.
     *
     * @param slotOf slot of each holder
     * @param first holder of bit 0
     */
    public void addDevice(long bits, int[] slotOf, int first, int blocks) {
        int room = slots.length - size;
        int at = size;
        for (long rest = bits; rest != 0 && room > 0; rest &= rest - 1) {
            slots[at] = slotOf[first + Long.numberOfTrailingZeros(rest)];
            device[at++] = blocks;
            room--;
        }
        dropped += Long.bitCount(bits) - (at - size);
        size = at;
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
        if (tier == Tier.DEVICE) {
            return device[i];
        }
        return deviceOnly ? 0 : lower[i * LOWER_TIERS + tier - 1];
    }

    /** Blocks of entry {@code i} over all tiers. */
    public int total(int i) {
        if (deviceOnly) {
            return device[i];
        }
        int at = i * LOWER_TIERS;
        return device[i] + lower[at] + lower[at + 1] + lower[at + 2];
    }
}
