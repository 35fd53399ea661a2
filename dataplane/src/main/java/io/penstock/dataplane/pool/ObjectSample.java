package io.penstock.dataplane.pool;

import java.util.SplittableRandom;
import org.agrona.collections.Long2LongHashMap;

/**
 * Some of the objects that are held to be there, each as likely as the other, to be asked for between two listings. What
 * they show of drift holds for all.
 *
 * <p><b>Threading:</b> owned by the feed. <b>Cost:</b> 80 bytes an object of the sample.
 */
final class ObjectSample {
    private static final long NOWHERE = -1;

    private final SplittableRandom random;
    private final Long2LongHashMap places = new Long2LongHashMap(NOWHERE);
    private final long[] hashes;
    private final long[] keys;
    private final int[] pools;
    private final int[] objects;
    private int size;
    private int next;
    private long offered;

    ObjectSample(int capacity, long seed) {
        random = new SplittableRandom(seed);
        hashes = new long[capacity];
        keys = new long[4 * capacity];
        pools = new int[capacity];
        objects = new int[capacity];
    }

    int size() {
        return size;
    }

    /** Forgets all. */
    void clear() {
        places.clear();
        size = 0;
        offered = 0;
    }

    /** An object that is there: taken in by chance (reservoir sampling), or known already. */
    void offer(long hash, int pool, int object, long[] key, int at) {
        if (hashes.length == 0 || places.containsKey(hash)) {
            return;
        }
        offered++;
        if (size < hashes.length) {
            put(size++, hash, pool, object, key, at);
            return;
        }
        long place = random.nextLong(offered);
        if (place < hashes.length) {
            places.remove(hashes[(int) place]);
            put((int) place, hash, pool, object, key, at);
        }
    }

    private void put(int place, long hash, int pool, int object, long[] key, int at) {
        places.put(hash, place);
        hashes[place] = hash;
        pools[place] = pool;
        objects[place] = object;
        System.arraycopy(key, at, keys, 4 * place, 4);
    }

    /** An object is gone. */
    void drop(long hash) {
        long found = places.remove(hash);
        if (found == NOWHERE) {
            return;
        }
        int place = (int) found;
        size--;
        if (place != size) {
            put(place, hashes[size], pools[size], objects[size], keys, 4 * size);
        }
    }

    /** Adds the object whose turn it is to a batch; false if there is none, or its layout is gone. */
    boolean turn(ProbeBatch batch, ObjectNames names) {
        if (size == 0) {
            return false;
        }
        int place = next++ % size;
        next = next == Integer.MAX_VALUE ? 0 : next;
        if (names.layout(pools[place]) == null) {
            return false;
        }
        String name = names.layout(pools[place]).name(keys, 4 * place, objects[place]);
        batch.add(name, pools[place], objects[place], keys, 4 * place, false);
        return true;
    }
}
