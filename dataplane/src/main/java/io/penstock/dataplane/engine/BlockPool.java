package io.penstock.dataplane.engine;

import org.agrona.collections.Long2LongHashMap;

/**
 * Physical KV blocks with reference counts and prefix caching, as vLLM's block pool has them.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>I1: a block is either referenced (count above 0) or in the free list, never both; block 0 is the null
 *       block, in neither.
 *   <li>I2: the free list is in order of eviction; released blocks go to its tail, a sequence's last block first,
 *       so a suffix is evicted before its prefix.
 *   <li>I3: a free block keeps its hash until it is taken again; only then its copy is removed and told.
 *   <li>I4: one hash may have several physical copies; each is stored and removed on its own, a look-up answers the
 *       oldest.
 * </ul>
 *
 * <p><b>Threading:</b> owned by the engine thread. <b>Cost:</b> about 60 bytes a block, nothing allocated after
 * construction.
 */
public final class BlockPool {
    private static final int NIL = -1;

    private final int blocks;
    private final int digestBytes;
    private final KvEventSink sink;
    private final int[] references;
    private final boolean[] hashed;
    private final long[] hashes;
    private final byte[] digests;
    /** Free list: a ring through the sentinel at index 0, the null block's place. */
    private final int[] freeNext;

    private final int[] freePrevious;
    /**
     * Copies of one hash, oldest first. The head's {@code copyPrevious} holds the last one, so that appending needs no
     * walk.
     */
    private final int[] copyNext;

    private final int[] copyPrevious;
    private final Long2LongHashMap cached;
    private int free;

    /**
     * @param blocks physical blocks, the null block included
     * @param digestBytes bytes of a digest to keep for each block, 0 where the sink needs none
     * @param sink hears of stored and removed copies
     */
    BlockPool(int blocks, int digestBytes, KvEventSink sink) {
        this.blocks = blocks;
        this.digestBytes = digestBytes;
        this.sink = sink;
        references = new int[blocks];
        hashed = new boolean[blocks];
        hashes = new long[blocks];
        digests = new byte[digestBytes * blocks];
        freeNext = new int[blocks];
        freePrevious = new int[blocks];
        copyNext = new int[blocks];
        copyPrevious = new int[blocks];
        cached = new Long2LongHashMap(Math.max(16, 2 * blocks), 0.6f, NIL);
        for (int b = 0; b < blocks; b++) {
            freeNext[b] = b + 1 == blocks ? 0 : b + 1;
            freePrevious[b] = b == 0 ? blocks - 1 : b - 1;
        }
        free = blocks - 1;
    }

    /** Blocks that a sequence can ever have. */
    public int usable() {
        return blocks - 1;
    }

    /** Blocks that no sequence holds, cached or not. */
    public int free() {
        return free;
    }

    /** Distinct hashes in the cache. */
    public int cachedHashes() {
        return cached.size();
    }

    /** References to a block. */
    int references(int block) {
        return references[block];
    }

    /** The oldest copy of a hash, or -1. */
    int find(long hash) {
        return (int) cached.get(hash);
    }

    /** Takes a reference to a cached block. */
    void touch(int block) {
        if (references[block]++ == 0) {
            unlink(block);
        }
    }

    /** Takes the next free block, evicting what it caches; the caller has asked {@link #free()}. */
    int take() {
        int block = freeNext[0];
        assert block != 0 : "take() on an empty pool";
        unlink(block);
        if (hashed[block]) {
            evict(block);
        }
        references[block] = 1;
        return block;
    }

    /** Gives a reference back; the last one puts the block at the tail of the free list. */
    void release(int block) {
        assert references[block] > 0 : "block released twice";
        if (--references[block] == 0) {
            int tail = freePrevious[0];
            freeNext[tail] = block;
            freePrevious[block] = tail;
            freeNext[block] = 0;
            freePrevious[0] = block;
            free++;
        }
    }

    /** Puts full blocks {@code from} to {@code to} of a sequence into the cache, and tells of them. */
    void publish(Sequence sequence, int from, int to) {
        BlockHashes chain = sequence.hashes();
        for (int i = from; i < to; i++) {
            int block = sequence.block(i);
            long hash = chain.wire(i);
            assert !hashed[block] : "block published twice";
            hashed[block] = true;
            hashes[block] = hash;
            if (digestBytes != 0) {
                System.arraycopy(chain.digests(), i * digestBytes, digests, block * digestBytes, digestBytes);
            }
            appendCopy(block, hash);
        }
        sink.stored(sequence, from, to);
    }

    /** Forgets all cached blocks; refused while a sequence holds any. */
    boolean reset() {
        if (free != usable()) {
            return false;
        }
        cached.clear();
        java.util.Arrays.fill(hashed, false);
        sink.cleared();
        return true;
    }

    private void evict(int block) {
        long hash = hashes[block];
        int head = (int) cached.get(hash);
        if (head == block) {
            int next = copyNext[block];
            if (next == NIL) {
                cached.remove(hash);
            } else {
                copyPrevious[next] = copyPrevious[block];
                cached.put(hash, next);
            }
        } else {
            int previous = copyPrevious[block];
            int next = copyNext[block];
            copyNext[previous] = next;
            copyPrevious[next == NIL ? head : next] = previous;
        }
        hashed[block] = false;
        sink.removed(hash, digests, block * digestBytes);
    }

    private void appendCopy(int block, long hash) {
        int head = (int) cached.get(hash);
        copyNext[block] = NIL;
        if (head == NIL) {
            copyPrevious[block] = block;
            cached.put(hash, block);
        } else {
            int last = copyPrevious[head];
            copyNext[last] = block;
            copyPrevious[block] = last;
            copyPrevious[head] = block;
        }
    }

    private void unlink(int block) {
        freeNext[freePrevious[block]] = freeNext[block];
        freePrevious[freeNext[block]] = freePrevious[block];
        free--;
    }
}
