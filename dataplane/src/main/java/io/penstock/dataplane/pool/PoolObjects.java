package io.penstock.dataplane.pool;

import io.penstock.dataplane.pipeline.BlockBuffer;

/**
 * Pool objects in a {@link BlockBuffer}: page key and object number, {@value #ENTRIES} entries of both its arrays each.
 * {@link BlockBuffer#count} counts entries, not objects.
 *
 * <p><b>Threading:</b> as the buffer.
 */
public final class PoolObjects {
    /** Entries that an object takes. */
    public static final int ENTRIES = 3;

    private PoolObjects() {}

    /** Objects in the buffer. */
    public static int count(BlockBuffer buffer) {
        return buffer.count / ENTRIES;
    }

    /** Appends an object: four words of {@code key} from {@code at} on, and its number. */
    public static void add(BlockBuffer buffer, long[] key, int at, int object) {
        int i = buffer.count;
        buffer.engineHashes[i] = key[at];
        buffer.engineHashes[i + 1] = key[at + 1];
        buffer.engineHashes[i + 2] = key[at + 2];
        buffer.localHashes[i] = key[at + 3];
        buffer.localHashes[i + 1] = object;
        buffer.localHashes[i + 2] = 0;
        buffer.count = i + ENTRIES;
    }

    /** Reads the key of object {@code i}; its number is returned. */
    public static int get(BlockBuffer buffer, int i, long[] key, int at) {
        int from = i * ENTRIES;
        key[at] = buffer.engineHashes[from];
        key[at + 1] = buffer.engineHashes[from + 1];
        key[at + 2] = buffer.engineHashes[from + 2];
        key[at + 3] = buffer.localHashes[from];
        return (int) buffer.localHashes[from + 1];
    }
}
