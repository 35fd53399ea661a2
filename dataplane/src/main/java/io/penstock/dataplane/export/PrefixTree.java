package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;

/**
 * Holds the prompts of a conversation in one entry a distinct block: a chained hash stands for the whole prefix up to it,
 * so a prompt is its last block and its length.
 *
 * <p>Hashes of a foreign trace that are not chained cannot be held so; their requests are held one by one.
 *
 * <p><b>Threading:</b> one thread.
 */
final class PrefixTree {
    /** The block ids of a prompt. */
    interface Ids {
        /** From block 0 on, small numbers from 0 that are local to the tree. */
        int[] ids();
    }

    private static final long NONE = -1;
    private static final int ROOT = -1;

    private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);
    private final IntArrayList parents = new IntArrayList();

    /** Takes a prompt's first {@code count} hashes. */
    Ids add(TraceRecord record, int count) {
        int[] ids = new int[count];
        boolean chained = true;
        int parent = ROOT;
        for (int i = 0; i < count; i++) {
            int id = id(record.traceHash(i), parent);
            chained &= parents.getInt(id) == parent;
            ids[i] = id;
            parent = id;
        }
        int last = parent;
        return chained ? () -> upFrom(last, count) : () -> ids;
    }

    private int id(long hash, int parent) {
        long known = byHash.get(hash);
        if (known != NONE) {
            return (int) known;
        }
        int id = parents.size();
        byHash.put(hash, id);
        parents.addInt(parent);
        return id;
    }

    private int[] upFrom(int last, int count) {
        int[] ids = new int[count];
        int at = last;
        for (int i = count - 1; i >= 0; i--) {
            ids[i] = at;
            at = parents.getInt(at);
        }
        return ids;
    }
}
