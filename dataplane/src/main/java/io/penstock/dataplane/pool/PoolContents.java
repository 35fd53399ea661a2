package io.penstock.dataplane.pool;

import io.penstock.bindings.mooncake.StoreEventCursor;
import io.penstock.bindings.pool.ObjectLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.collections.LongHashSet;

/**
 * What is told of a pool's objects, by events and by listings. Events are told as they come, also during a listing; a listed
 * object is passed over if an event said since the listing began that it is gone, for a listing is older than the events that
 * come while it is read.
 *
 * <p><b>Threading:</b> owned by the feed. <b>Cost:</b> no allocation an event; during a listing 16 bytes a removed object.
 */
final class PoolContents {
    private static final int MOST_REMEMBERED = 1 << 20;
    private static final byte[] DEFAULT_TENANT = "default".getBytes(StandardCharsets.US_ASCII);

    private final PoolOutbox outbox;
    private final PoolProbes probes;
    private final PoolCounts counts;
    private final byte[] tenant;
    private final StoreEventCursor cursor = new StoreEventCursor();
    private final long[] key = new long[ObjectLayout.KEY_WORDS];

    /** Names that events removed since the listing began. */
    private final LongHashSet gone = new LongHashSet();

    private ObjectNames names;
    private boolean spoiled;
    private boolean named;
    private byte[] bytes;

    PoolContents(String tenant, int pools, PoolOutbox outbox, PoolProbes probes, PoolCounts counts) {
        this.tenant = tenant.isEmpty() ? DEFAULT_TENANT : tenant.getBytes(StandardCharsets.UTF_8);
        this.outbox = outbox;
        this.probes = probes;
        this.counts = counts;
        names = ObjectNames.of(pools);
    }

    ObjectNames names() {
        return names;
    }

    /** A pool's layout is another; null: not known. */
    void layout(int pool, ObjectLayout layout) {
        names = names.with(pool, layout);
        outbox.layout(pool, layout == null ? 0 : layout.pageSize(), layout == null ? 0 : layout.objectsPerPage());
        probes.clear();
    }

    /** Tells all known layouts once more: one that could not be set up is tried again, the others stay as they are. */
    void layoutsAgain() {
        for (int pool = 0; pool < names.pools(); pool++) {
            ObjectLayout layout = names.layout(pool);
            if (layout != null) {
                outbox.layout(pool, layout.pageSize(), layout.objectsPerPage());
            }
        }
    }

    /** Adds a word about every pool whose layout is known. */
    void mark(int word) {
        for (int pool = 0; pool < names.pools(); pool++) {
            if (names.layout(pool) != null) {
                outbox.mark(word, pool);
            }
        }
    }

    /** A listing begins: what it will show is no older than now. */
    void listing() {
        gone.clear();
        spoiled = false;
    }

    /** Whether the listing can no longer be told from what came since it began. */
    boolean spoiled() {
        return spoiled;
    }

    /** When the last batch was made, ms since 1970. */
    long timestampMs() {
        return cursor.timestampMs();
    }

    /** Whether an event has ever named an object. */
    boolean named() {
        return named;
    }

    /** Takes a batch of events; false if it does not decode. */
    boolean events(byte[] source, int offset, int length) {
        bytes = source;
        if (!cursor.wrap(source, offset, length)) {
            return false;
        }
        for (int kind = cursor.next(); kind != StoreEventCursor.END; kind = cursor.next()) {
            if (kind == StoreEventCursor.SKIPPED) {
                counts.add(cursor.skipReason());
            } else if (!ours()) {
                counts.add(PoolCounter.WRONG_TENANT);
            } else if (kind == StoreEventCursor.CLEARED) {
                cleared();
            } else {
                object(kind == StoreEventCursor.STORED);
            }
        }
        return true;
    }

    private boolean ours() {
        int length = cursor.tenantLength();
        byte[] from = length == 0 ? DEFAULT_TENANT : bytes;
        int start = length == 0 ? 0 : cursor.tenantOffset();
        int end = start + (length == 0 ? DEFAULT_TENANT.length : length);
        return Arrays.equals(from, start, end, tenant, 0, tenant.length);
    }

    private void cleared() {
        counts.add(PoolCounter.CLEARED_EVENTS);
        mark(PoolOutbox.CLEARED);
        probes.clear();
        spoiled = true;
    }

    private void object(boolean stored) {
        counts.add(stored ? PoolCounter.STORED_EVENTS : PoolCounter.REMOVED_EVENTS);
        named = true;
        int from = cursor.nameOffset();
        int length = cursor.nameLength();
        long hash = ObjectNames.hash(bytes, from, length);
        boolean known = false;
        boolean odd = false;
        for (int pool = 0; pool < names.pools(); pool++) {
            int object = names.resolve(pool, bytes, from, length, key, 0);
            odd |= object == ObjectLayout.UNKNOWN_PART;
            if (object >= 0) {
                known = true;
                outbox.object(stored ? PoolOutbox.STORED : PoolOutbox.REMOVED, pool, object, key, 0);
                probes.event(stored, hash, pool, object, key);
            }
        }
        if (known) {
            remember(stored, hash);
        } else {
            counts.add(odd ? PoolCounter.UNKNOWN_PARTS : PoolCounter.FOREIGN_NAMES);
        }
    }

    private void remember(boolean stored, long hash) {
        if (stored) {
            gone.remove(hash);
        } else if (gone.size() < MOST_REMEMBERED) {
            gone.add(hash);
        } else {
            // Too many to tell what the listing may still show: a later one will be quieter.
            spoiled = true;
        }
    }

    /** Takes a part of the listing. */
    void listed(Answer.Listed chunk) {
        long[] words = chunk.objects();
        for (int i = 0; i < chunk.count(); i++) {
            int at = i * Answer.Listed.STRIDE;
            if (gone.contains(words[at + 2])) {
                counts.add(PoolCounter.LISTED_GONE);
            } else {
                int pool = (int) words[at];
                int object = (int) words[at + 1];
                outbox.object(PoolOutbox.SEEN, pool, object, words, at + Answer.Listed.KEY);
                probes.seen(words[at + 2], pool, object, words, at + Answer.Listed.KEY);
            }
        }
        counts.add(PoolCounter.LISTED_OBJECTS, chunk.count());
    }
}
