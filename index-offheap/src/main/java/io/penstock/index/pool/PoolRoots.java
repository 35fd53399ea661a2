package io.penstock.index.pool;

import io.penstock.index.layout.PoolLayout;
import io.penstock.index.pages.Memory;

/**
 * The roots in the header of the shared pool's region.
 *
 * <p><b>Threading:</b> owned by the writer.
 */
final class PoolRoots {
    private final long header;

    PoolRoots(long headerAddress) {
        header = headerAddress;
    }

    long get(int root) {
        return Memory.getLong(header + root);
    }

    void set(int root, long value) {
        Memory.putLong(header + root, value);
    }

    void add(int root, long value) {
        set(root, get(root) + value);
    }

    /** Puts the roots of an empty region in place; its table must be empty as well. */
    void format() {
        for (int root = PoolLayout.STATE; root <= PoolLayout.CURSOR; root += Long.BYTES) {
            set(root, 0);
        }
        // Complete since listing 0 is "not complete".
        set(PoolLayout.LISTING, 1);
        set(PoolLayout.PROVEN, 1);
        set(PoolLayout.CURSOR, PoolLayout.SWEPT);
        set(PoolLayout.STATE, PoolLayout.USED);
    }
}
