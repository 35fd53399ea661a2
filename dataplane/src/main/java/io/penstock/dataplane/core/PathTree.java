package io.penstock.dataplane.core;

import java.util.Arrays;

/**
 * The prompts that slots are assumed to hold because of what was sent there: by requests in flight ({@link #ACTIVE}),
 * by decisions not yet confirmed by events ({@link #PREDICTED}), and by recent prompts of workers without events
 * ({@link #RECENT}).
 *
 * <p>A node is a stretch of consecutive blocks of one prefix; its holders are slots with a count per kind. Sequence
 * hashes are chained, so that equality at a position is equality of the prefix: a node costs one compare where it
 * matches whole, a halving search where a prompt leaves it. Children are found by the hash of their first block.
 *
 * <p>I1: a slot that holds a node holds all above it, kind by kind. I2: a node without holders does not exist.
 * I3: the blocks of a slot and kind are the distinct blocks of the prompts added and not released.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated after construction; a node 24 bytes, a holder
 * 20, a hash 8.
 */
final class PathTree {
    /** A request in flight. */
    static final int ACTIVE = 0;

    /** A decision that events will confirm. */
    static final int PREDICTED = 1;

    /** A recent prompt on a worker without events. */
    static final int RECENT = 2;

    /** Number of kinds. */
    static final int KINDS = 3;

    /** No room; also: no node. */
    static final int NONE = -1;

    private final HashArena arena;
    private final int[] parent;
    private final int[] offset;
    private final int[] length;
    private final int[] stretch;
    private final int[] pool;
    private final int[] holders;
    private final int[] table;
    private final int mask;
    private int freeNode;
    private int freeNodes;
    /** Nodes from here on were never taken. */
    private int usedNodes;

    private final int[] holderSlot;
    private final int[] holderNext;
    private final int[] holderCounts;
    private int freeHolder;
    private int freeHolders;
    private int usedHolders;

    /** Blocks that the last {@link #add} made newly active for its slot. */
    int newlyActive;

    PathTree(int maxNodes, int maxHolders, int maxHashes) {
        arena = new HashArena(maxHashes);
        parent = new int[maxNodes];
        offset = new int[maxNodes];
        length = new int[maxNodes];
        stretch = new int[maxNodes];
        pool = new int[maxNodes];
        holders = new int[maxNodes];
        table = new int[Integer.highestOneBit(maxNodes) * 4];
        mask = table.length - 1;
        holderSlot = new int[maxHolders];
        holderNext = new int[maxHolders];
        holderCounts = new int[maxHolders * KINDS];
        freeNodes = chain(parent);
        freeHolders = chain(holderNext);
    }

    private static int chain(int[] next) {
        for (int i = 0; i < next.length; i++) {
            next[i] = i + 1 < next.length ? i + 1 : NONE;
        }
        return next.length;
    }

    /** Nodes in use. */
    int nodes() {
        return parent.length - freeNodes;
    }

    /** Longs in use for hashes. */
    int hashes() {
        return arena.used();
    }

    /** Notes in {@code out}, per slot and kind, how many leading blocks it holds. */
    void walk(int inPool, long[] hashes, int count, Depths out) {
        int at = 0;
        while (at < count) {
            int node = find(inPool, hashes[at]);
            if (node == NONE) {
                return;
            }
            int common = common(node, hashes, at, count);
            for (int h = holders[node]; h != NONE; h = holderNext[h]) {
                for (int kind = 0; kind < KINDS; kind++) {
                    if (holderCounts[h * KINDS + kind] > 0) {
                        out.set(holderSlot[h], kind, at + common);
                    }
                }
            }
            if (common < length[node]) {
                return;
            }
            at += common;
        }
    }

    /**
     * The slot holds this prompt, once more, in each kind of {@code kinds} (bit per kind).
     *
     * @param count blocks, at least 1
     * @return the node to {@link #release} it by, once per kind, or {@link #NONE} if there is no room; then nothing
     *     has changed
     */
    int add(int inPool, int slot, long[] hashes, int count, int kinds) {
        newlyActive = 0;
        int at = 0;
        int deepest = NONE;
        int passed = 1;
        int cut = 0;
        while (at < count) {
            int node = find(inPool, hashes[at]);
            if (node == NONE) {
                break;
            }
            passed++;
            deepest = node;
            int common = common(node, hashes, at, count);
            at += common;
            if (common < length[node]) {
                cut = common;
                break;
            }
        }
        int rest = count - at;
        int holdersNeeded = passed + (cut > 0 ? holdersOf(deepest) : 0);
        if (freeNodes < 2 || freeHolders < holdersNeeded || (rest > 0 && !arena.hasRoom(rest))) {
            return NONE;
        }
        if (cut > 0) {
            deepest = split(deepest, cut);
        }
        if (rest > 0) {
            deepest = append(inPool, deepest, hashes, at, rest);
        }
        for (int node = deepest; node != NONE; node = parent[node]) {
            hold(node, slot, kinds);
        }
        return deepest;
    }

    /**
     * Takes back one {@link #add} in one kind.
     *
     * @return blocks that the slot no longer holds in that kind
     */
    int release(int fromNode, int slot, int kind) {
        int freed = 0;
        int node = fromNode;
        while (node != NONE) {
            int above = parent[node];
            int before = NONE;
            int h = holders[node];
            while (holderSlot[h] != slot) {
                before = h;
                h = holderNext[h];
            }
            int counts = h * KINDS;
            if (--holderCounts[counts + kind] == 0) {
                freed += length[node];
                if (holderCounts[counts] + holderCounts[counts + 1] + holderCounts[counts + 2] == 0) {
                    drop(node, h, before);
                }
            }
            node = above;
        }
        return freed;
    }

    private void drop(int node, int holder, int before) {
        if (before == NONE) {
            holders[node] = holderNext[holder];
        } else {
            holderNext[before] = holderNext[holder];
        }
        holderNext[holder] = freeHolder;
        freeHolder = holder;
        freeHolders++;
        if (holders[node] == NONE) {
            forget(node);
            arena.release(stretch[node]);
            parent[node] = freeNode;
            freeNode = node;
            freeNodes++;
        }
    }

    private void hold(int node, int slot, int kinds) {
        int h = holders[node];
        while (h != NONE && holderSlot[h] != slot) {
            h = holderNext[h];
        }
        if (h == NONE) {
            h = takeHolder(slot);
            holderNext[h] = holders[node];
            holders[node] = h;
        }
        int counts = h * KINDS;
        if ((kinds & 1 << ACTIVE) != 0 && holderCounts[counts + ACTIVE] == 0) {
            newlyActive += length[node];
        }
        for (int kind = 0; kind < KINDS; kind++) {
            holderCounts[counts + kind] += kinds >>> kind & 1;
        }
    }

    private int takeHolder(int slot) {
        int h = freeHolder;
        usedHolders = Math.max(usedHolders, h + 1);
        freeHolder = holderNext[h];
        freeHolders--;
        holderSlot[h] = slot;
        Arrays.fill(holderCounts, h * KINDS, h * KINDS + KINDS, 0);
        return h;
    }

    private int holdersOf(int node) {
        int n = 0;
        for (int h = holders[node]; h != NONE; h = holderNext[h]) {
            n++;
        }
        return n;
    }

    private int takeNode() {
        int node = freeNode;
        usedNodes = Math.max(usedNodes, node + 1);
        freeNode = parent[node];
        freeNodes--;
        return node;
    }

    private int append(int inPool, int above, long[] hashes, int from, int count) {
        int at = arena.allocate(count);
        System.arraycopy(hashes, from, arena.longs, at, count);
        int node = takeNode();
        parent[node] = above;
        offset[node] = at;
        length[node] = count;
        stretch[node] = at;
        pool[node] = inPool;
        holders[node] = NONE;
        enter(node);
        return node;
    }

    /** Cuts a node after {@code blocks}; it keeps its lower part, so that prompts that end in it still do. */
    private int split(int node, int blocks) {
        int upper = takeNode();
        parent[upper] = parent[node];
        offset[upper] = offset[node];
        length[upper] = blocks;
        stretch[upper] = stretch[node];
        pool[upper] = pool[node];
        holders[upper] = NONE;
        arena.retain(stretch[node]);
        table[slotOf(node)] = upper + 1;
        offset[node] += blocks;
        length[node] -= blocks;
        parent[node] = upper;
        enter(node);
        for (int h = holders[node]; h != NONE; h = holderNext[h]) {
            int copy = takeHolder(holderSlot[h]);
            System.arraycopy(holderCounts, h * KINDS, holderCounts, copy * KINDS, KINDS);
            holderNext[copy] = holders[upper];
            holders[upper] = copy;
        }
        return upper;
    }

    /** Blocks that the node and the prompt from {@code at} on have in common; at least 1. */
    private int common(int node, long[] hashes, int at, int count) {
        int high = Math.min(length[node], count - at);
        int base = offset[node] - 1;
        if (arena.longs[base + high] == hashes[at + high - 1]) {
            return high;
        }
        int low = 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (arena.longs[base + middle] == hashes[at + middle - 1]) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int home(int inPool, long hash) {
        return (int) ((hash ^ inPool * 0x9E3779B97F4A7C15L) * 0xD6E8FEB86659FD93L >>> 32) & mask;
    }

    private int find(int inPool, long hash) {
        for (int i = home(inPool, hash); table[i] != 0; i = i + 1 & mask) {
            int node = table[i] - 1;
            if (arena.longs[offset[node]] == hash && pool[node] == inPool) {
                return node;
            }
        }
        return NONE;
    }

    private int slotOf(int node) {
        int i = home(pool[node], arena.longs[offset[node]]);
        while (table[i] != node + 1) {
            i = i + 1 & mask;
        }
        return i;
    }

    private void enter(int node) {
        int i = home(pool[node], arena.longs[offset[node]]);
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = node + 1;
    }

    /** Takes the node out of the table and moves those up that its place kept away (Knuth, 6.4, algorithm R). */
    private void forget(int node) {
        int hole = slotOf(node);
        int i = hole;
        while (true) {
            i = i + 1 & mask;
            if (table[i] == 0) {
                break;
            }
            int other = table[i] - 1;
            int home = home(pool[other], arena.longs[offset[other]]);
            if ((i - home & mask) >= (i - hole & mask)) {
                table[hole] = table[i];
                hole = i;
            }
        }
        table[hole] = 0;
    }

    /** Carries all that was ever used, free lists included; the rest is as construction left it. */
    void carry(StateTape tape) {
        arena.carry(tape);
        usedNodes = tape.carry(usedNodes);
        tape.carry(parent, usedNodes);
        tape.carry(offset, usedNodes);
        tape.carry(length, usedNodes);
        tape.carry(stretch, usedNodes);
        tape.carry(pool, usedNodes);
        tape.carry(holders, usedNodes);
        tape.carry(table, table.length);
        freeNode = tape.carry(freeNode);
        freeNodes = tape.carry(freeNodes);
        usedHolders = tape.carry(usedHolders);
        tape.carry(holderSlot, usedHolders);
        tape.carry(holderNext, usedHolders);
        tape.carry(holderCounts, usedHolders * KINDS);
        freeHolder = tape.carry(freeHolder);
        freeHolders = tape.carry(freeHolders);
    }
}
