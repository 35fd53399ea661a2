package io.penstock.dataplane.pool;

import java.util.ArrayList;
import java.util.List;

/**
 * Objects to ask for, and what was answered.
 *
 * <p><b>Threading:</b> filled by the feed, answered by the errand's thread, read by the feed; handed over each time.
 */
final class ProbeBatch {
    /** Most objects of a batch. */
    static final int SIZE = 128;

    final List<String> names = new ArrayList<>(SIZE);
    final int[] pools = new int[SIZE];
    final int[] objects = new int[SIZE];
    final long[] hashes = new long[SIZE];
    final long[] keys = new long[4 * SIZE];
    final byte[] answers = new byte[SIZE];

    /** Whether an object was asked for because an engine did not find its page. */
    final boolean[] suspected = new boolean[SIZE];

    /** Objects that the store answered for; 0 if it could not be asked. */
    int known;

    int size() {
        return names.size();
    }

    boolean full() {
        return names.size() == SIZE;
    }

    void add(String name, int pool, int object, long[] key, int at, boolean suspect) {
        int i = names.size();
        names.add(name);
        pools[i] = pool;
        objects[i] = object;
        hashes[i] = ObjectNames.hash(name);
        System.arraycopy(key, at, keys, 4 * i, 4);
        suspected[i] = suspect;
    }
}
