package io.penstock.dataplane.pool;

import io.penstock.dataplane.pipeline.BlockBuffer;
import java.util.Arrays;

/**
 * What waits to be told to the pipeline, in order; picks up where it was refused. Objects that follow one another with the
 * same word and pool go out together.
 *
 * <p><b>Threading:</b> owned by the feed. <b>Cost:</b> grows to the largest message or listed chunk, nothing after that.
 */
final class PoolOutbox {
    /** Objects became resident. */
    static final int STORED = 0;

    /** A listing shows objects. */
    static final int SEEN = 1;

    /** Objects left. */
    static final int REMOVED = 2;

    /** The pool was emptied. */
    static final int CLEARED = 3;

    /** Nothing counts. */
    static final int DOUBTED = 4;

    /** A listing begins. */
    static final int LISTING = 5;

    /** A listing is complete. */
    static final int LISTED = 6;

    /** The layout is another: the words are page size and objects a page. */
    static final int LAYOUT = 7;

    /** Objects that share a buffer: what fits the pool's second class. */
    private static final int MOST_OBJECTS = 512 / PoolObjects.ENTRIES;

    private static final int KEY = 3;
    private static final int STRIDE = KEY + 4;

    private final PoolPort port;
    private final PoolCounts counts;
    private long[] words = new long[256 * STRIDE];
    private int head;
    private int tail;

    PoolOutbox(PoolPort port, PoolCounts counts) {
        this.port = port;
        this.counts = counts;
    }

    /** Whether something waits. */
    boolean pending() {
        return head < tail;
    }

    /** Adds an object, its key in four words from {@code at} on. */
    void object(int word, int pool, int object, long[] key, int at) {
        int i = entry(word, pool, object);
        System.arraycopy(key, at, words, i + KEY, 4);
    }

    /** Adds a word about the whole pool. */
    void mark(int word, int pool) {
        entry(word, pool, 0);
    }

    /** Adds a layout. */
    void layout(int pool, int pageSize, int objectsPerPage) {
        // Not in one expression: the entry may bring a longer array.
        int i = entry(LAYOUT, pool, objectsPerPage);
        words[i + KEY] = pageSize;
    }

    private int entry(int word, int pool, int object) {
        if (tail + STRIDE > words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        int i = tail;
        words[i] = word;
        words[i + 1] = pool;
        words[i + 2] = object;
        tail += STRIDE;
        return i;
    }

    /** Offers what waits; false if something is left. */
    boolean flush() {
        while (head < tail) {
            int word = (int) words[head];
            int taken = word <= REMOVED ? objects(word) : told(word) ? 1 : 0;
            if (taken == 0) {
                counts.add(PoolCounter.REFUSED_OFFERS);
                return false;
            }
            head += taken * STRIDE;
        }
        head = 0;
        tail = 0;
        return true;
    }

    private boolean told(int word) {
        int pool = (int) words[head + 1];
        return switch (word) {
            case CLEARED -> port.cleared(pool);
            case DOUBTED -> port.doubted(pool);
            case LISTING -> port.listing(pool);
            case LISTED -> port.listed(pool);
            default -> port.layout(pool, (int) words[head + KEY], (int) words[head + 2]);
        };
    }

    /** Offers the run of objects at the head; answers how many were taken. */
    private int objects(int word) {
        int pool = (int) words[head + 1];
        int count = 1;
        while (count < MOST_OBJECTS && same(head + count * STRIDE, word, pool)) {
            count++;
        }
        BlockBuffer buffer = port.acquire(count);
        if (buffer == null) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            int at = head + i * STRIDE;
            PoolObjects.add(buffer, words, at + KEY, (int) words[at + 2]);
        }
        boolean taken = switch (word) {
            case STORED -> port.stored(pool, buffer);
            case SEEN -> port.seen(pool, buffer);
            default -> port.removed(pool, buffer);
        };
        if (!taken) {
            port.release(buffer);
            return 0;
        }
        return count;
    }

    private boolean same(int at, int word, int pool) {
        return at < tail && words[at] == word && words[at + 1] == pool;
    }
}
