package io.penstock.dataplane.export;

import org.agrona.collections.Long2LongHashMap;

/**
 * Small ids for hashes, numbered from 0 as they are met: what the public traces have, and what readers that keep ids in
 * signed or floating numbers can hold.
 *
 * <p>Costs some 30 bytes a distinct block.
 *
 * <p><b>Threading:</b> one thread.
 */
final class CompactIds {
    private static final long NONE = -1;

    private final Long2LongHashMap ids = new Long2LongHashMap(NONE);

    /** The id of a hash. */
    long id(long hash) {
        long id = ids.get(hash);
        if (id == NONE) {
            id = ids.size();
            ids.put(hash, id);
        }
        return id;
    }

    /** Distinct hashes met. */
    int size() {
        return ids.size();
    }
}
