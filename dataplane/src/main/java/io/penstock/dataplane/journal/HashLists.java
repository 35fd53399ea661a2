package io.penstock.dataplane.journal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Full hash lists of the records read lately, by position: what later records of the session build on. Bounded by bytes;
 * the one not used longest leaves, and is read again when it is asked for.
 *
 * <p><b>Threading:</b> one thread.
 */
final class HashLists {
    private static final long MOST_BYTES = 64L << 20;

    /** Sequence hashes and, where they differ, trace hashes of a record. */
    record HashList(long[] hashes, long[] traces) {
        long bytes() {
            return (hashes.length + (traces == null ? 0L : traces.length)) * Long.BYTES;
        }
    }

    private final Map<Long, HashList> lists = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    HashList at(long position) {
        return lists.get(position);
    }

    void put(long position, HashList list) {
        HashList before = lists.put(position, list);
        bytes += list.bytes() - (before == null ? 0 : before.bytes());
        Iterator<HashList> oldest = lists.values().iterator();
        while (bytes > MOST_BYTES && lists.size() > 1) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    /** The record's list: leading ones of {@code base}, then its own. */
    static HashList join(HashList base, TraceDecoder record) {
        int shared = record.shared();
        if (shared == 0) {
            return new HashList(record.hashes(), record.traces());
        }
        if (shared > base.hashes().length || (record.traces() == null) != (base.traces() == null)) {
            throw new IllegalStateException("record does not fit what it builds on: shared=" + shared);
        }
        return new HashList(
                join(base.hashes(), shared, record.hashes()),
                record.traces() == null ? null : join(base.traces(), shared, record.traces()));
    }

    private static long[] join(long[] first, int shared, long[] rest) {
        long[] all = new long[shared + rest.length];
        System.arraycopy(first, 0, all, 0, shared);
        System.arraycopy(rest, 0, all, shared, rest.length);
        return all;
    }
}
