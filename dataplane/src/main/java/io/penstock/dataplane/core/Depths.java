package io.penstock.dataplane.core;

/**
 * Per slot, how many leading blocks of one request it holds, by kind of holding; answer of {@link PathTree#walk}.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> forgetting all is one increment.
 */
final class Depths {
    private final int[] depth;
    private final int[] stamps;
    private int stamp;

    Depths(int slots) {
        depth = new int[slots * PathTree.KINDS];
        stamps = new int[slots];
    }

    /** Forgets all. */
    void clear() {
        if (++stamp == 0) {
            java.util.Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    void set(int slot, int kind, int blocks) {
        int at = slot * PathTree.KINDS;
        if (stamps[slot] != stamp) {
            stamps[slot] = stamp;
            for (int k = 0; k < PathTree.KINDS; k++) {
                depth[at + k] = 0;
            }
        }
        depth[at + kind] = blocks;
    }

    /** Leading blocks held. */
    int of(int slot, int kind) {
        return stamps[slot] == stamp ? depth[slot * PathTree.KINDS + kind] : 0;
    }
}
