package io.penstock.dataplane.core;

/**
 * The requests in flight, by ticket, oldest news first.
 *
 * <p>A ticket is a dense index (22 bits), the slot (16) and a generation (24), so that a late call with an old ticket
 * finds nobody. I1: the list by age holds exactly the entries in use.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated after construction; 80 bytes an entry.
 */
final class ActiveRequests {
    /** No entry, no ticket. */
    static final int NONE = -1;

    private static final int INDEX_BITS = 22;
    private static final int SLOT_BITS = 16;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final int GENERATION_MASK = (1 << 24) - 1;

    final int[] slot;
    /** Node of the prompt in the {@link PathTree}, or NONE where only its length is known. */
    final int[] node;

    final int[] promptBlocks;
    final int[] outputBlocks;
    final int[] promptTokens;
    final int[] predictedTokens;
    /** Part of the prediction that the slot's own tiers were to give. */
    final int[] ownTokens;
    /** Pool whose pages were promised beyond that, or NONE. */
    final int[] promisedPool;

    final int[] promisedPageSize;
    /** First page promised, and the page after the last. */
    final int[] promisedFrom;

    final int[] promisedTo;
    /** Keys of the prompt's pages, the request's own array; null where nothing is promised. */
    final long[][] promisedKeys;

    final long[] prefillTokens;
    final long[] heardNs;
    private final int[] generation;
    private final int[] older;
    private final int[] newer;
    private int oldest = NONE;
    private int newest = NONE;
    private int firstFree;
    private int lastFree;
    private int size;

    ActiveRequests(int capacity, int firstGeneration) {
        slot = new int[capacity];
        node = new int[capacity];
        promptBlocks = new int[capacity];
        outputBlocks = new int[capacity];
        promptTokens = new int[capacity];
        predictedTokens = new int[capacity];
        ownTokens = new int[capacity];
        promisedPool = new int[capacity];
        promisedPageSize = new int[capacity];
        promisedFrom = new int[capacity];
        promisedTo = new int[capacity];
        promisedKeys = new long[capacity][];
        prefillTokens = new long[capacity];
        heardNs = new long[capacity];
        generation = new int[capacity];
        older = new int[capacity];
        newer = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            slot[i] = NONE;
            generation[i] = firstGeneration & GENERATION_MASK;
            newer[i] = i + 1 < capacity ? i + 1 : NONE;
        }
        lastFree = capacity - 1;
    }

    int size() {
        return size;
    }

    /** Slot in a ticket, whether it is still good or not. */
    static int slotOf(long ticket) {
        return (int) (ticket >>> INDEX_BITS) & SLOT_MASK;
    }

    /** A fresh entry, the newest, or {@link #NONE} when all are taken. */
    int take(int forSlot, long nowNs) {
        int i = firstFree;
        if (i == NONE) {
            return NONE;
        }
        firstFree = newer[i];
        if (firstFree == NONE) {
            lastFree = NONE;
        }
        size++;
        slot[i] = forSlot;
        heardNs[i] = nowNs;
        outputBlocks[i] = 0;
        promisedPool[i] = NONE;
        link(i);
        return i;
    }

    long ticket(int i) {
        return (long) generation[i] << (INDEX_BITS + SLOT_BITS) | (long) slot[i] << INDEX_BITS | i;
    }

    /** The entry of a ticket, or {@link #NONE} for an old one. */
    int find(long ticket) {
        int i = (int) ticket & INDEX_MASK;
        return ticket >= 0 && i < slot.length && slot[i] != NONE && ticket(i) == ticket ? i : NONE;
    }

    /** The engine was heard of: the entry is the newest again. */
    void heard(int i, long nowNs) {
        heardNs[i] = nowNs;
        unlink(i);
        link(i);
    }

    /** Entry that has been silent for longest, or {@link #NONE}. */
    int oldest() {
        return oldest;
    }

    /** Gives the entry back; its ticket is old from now on. Freed entries are taken in turn, so generations last. */
    void free(int i) {
        unlink(i);
        slot[i] = NONE;
        promisedKeys[i] = null;
        generation[i] = generation[i] + 1 & GENERATION_MASK;
        newer[i] = NONE;
        if (lastFree == NONE) {
            firstFree = i;
        } else {
            newer[lastFree] = i;
        }
        lastFree = i;
        size--;
    }

    private void link(int i) {
        older[i] = newest;
        newer[i] = NONE;
        if (newest == NONE) {
            oldest = i;
        } else {
            newer[newest] = i;
        }
        newest = i;
    }

    private void unlink(int i) {
        if (older[i] == NONE) {
            oldest = newer[i];
        } else {
            newer[older[i]] = newer[i];
        }
        if (newer[i] == NONE) {
            newest = older[i];
        } else {
            older[newer[i]] = older[i];
        }
    }

    /**
     * Carries all of it but what pools promised, of which nothing here depends; tickets name entries, so the free ones keep
     * their order.
     */
    void carry(StateTape tape) {
        int capacity = slot.length;
        tape.carry(slot, capacity);
        tape.carry(node, capacity);
        tape.carry(promptBlocks, capacity);
        tape.carry(outputBlocks, capacity);
        tape.carry(promptTokens, capacity);
        tape.carry(predictedTokens, capacity);
        tape.carry(ownTokens, capacity);
        tape.carry(prefillTokens, capacity);
        tape.carry(heardNs, capacity);
        tape.carry(generation, capacity);
        tape.carry(older, capacity);
        tape.carry(newer, capacity);
        oldest = tape.carry(oldest);
        newest = tape.carry(newest);
        firstFree = tape.carry(firstFree);
        lastFree = tape.carry(lastFree);
        size = tape.carry(size);
    }
}
