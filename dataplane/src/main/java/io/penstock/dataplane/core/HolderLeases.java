package io.penstock.dataplane.core;

import io.penstock.index.ChainHash;
import java.util.Arrays;

/**
 * Prompts that slots hold for a limited time, in one kind of {@link PathTree}, oldest first.
 *
 * <p>A lease ends when its time is over, when an event confirms the prompt's last block, when the slot is dropped, or
 * when a newer one needs its place. Confirmation: an event's local hash, chained to the last block's parent, gives the
 * last block's sequence hash.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated after construction, 36 bytes a lease;
 * confirmation one chain step per live lease of the slot.
 */
final class HolderLeases {
    private final PathTree paths;
    private final int kind;
    private final int capacity;
    private final int[] slot;
    private final int[] node;
    private final int[] nextOfSlot;
    private final long[] expiryNs;
    private final long[] before;
    private final long[] last;
    private final int[] headOfSlot;
    private final int[] tailOfSlot;
    private long head;
    private long tail;

    HolderLeases(PathTree paths, int kind, int capacity, int slots) {
        this.paths = paths;
        this.kind = kind;
        this.capacity = capacity;
        slot = new int[capacity];
        node = new int[capacity];
        nextOfSlot = new int[capacity];
        expiryNs = new long[capacity];
        before = new long[capacity];
        last = new long[capacity];
        headOfSlot = new int[slots];
        tailOfSlot = new int[slots];
        Arrays.fill(headOfSlot, -1);
    }

    /** Leases not yet past, those that ended early included. */
    int size() {
        return (int) (tail - head);
    }

    /** Makes room for one lease by ending the oldest; false when there was none. */
    boolean endOldest() {
        if (head == tail) {
            return false;
        }
        endHead();
        return true;
    }

    /**
     * Notes a lease of a prompt just added at {@code atNode}. Leases are noted in the order of their expiry.
     *
     * @param hashes the prompt's chained hashes
     * @param count blocks, at least 1
     */
    void add(int ofSlot, int atNode, long[] hashes, int count, long untilNs) {
        if (size() == capacity) {
            endHead();
        }
        int i = (int) (tail % capacity);
        tail++;
        slot[i] = ofSlot;
        node[i] = atNode;
        nextOfSlot[i] = -1;
        expiryNs[i] = untilNs;
        before[i] = count > 1 ? hashes[count - 2] : 0;
        last[i] = hashes[count - 1];
        if (headOfSlot[ofSlot] < 0) {
            headOfSlot[ofSlot] = i;
        } else {
            nextOfSlot[tailOfSlot[ofSlot]] = i;
        }
        tailOfSlot[ofSlot] = i;
    }

    /**
     * Ends the slot's leases whose last block this is.
     *
     * @return how many
     */
    int confirm(int ofSlot, long localHash) {
        int confirmed = 0;
        for (int i = headOfSlot[ofSlot]; i >= 0; i = nextOfSlot[i]) {
            if (node[i] >= 0 && (last[i] == localHash || last[i] == ChainHash.next(before[i], localHash))) {
                end(i);
                confirmed++;
            }
        }
        return confirmed;
    }

    /**
     * Ends the leases whose time is over, at most {@code most}.
     *
     * @return how many were still held
     */
    int expire(long nowNs, int most) {
        int expired = 0;
        for (int n = 0; n < most && head != tail; n++) {
            int i = (int) (head % capacity);
            if (node[i] >= 0 && expiryNs[i] > nowNs) {
                break;
            }
            expired += node[i] >= 0 ? 1 : 0;
            endHead();
        }
        return expired;
    }

    /** Ends all leases of the slot. */
    void drop(int ofSlot) {
        for (int i = headOfSlot[ofSlot]; i >= 0; i = nextOfSlot[i]) {
            end(i);
        }
    }

    private void endHead() {
        int i = (int) (head % capacity);
        end(i);
        // The oldest of all is the oldest of its slot.
        headOfSlot[slot[i]] = nextOfSlot[i];
        head++;
    }

    private void end(int i) {
        if (node[i] >= 0) {
            paths.release(node[i], slot[i], kind);
            node[i] = -1;
        }
    }

    /** Carries all leases; the nodes they name are those of the tree carried with them. */
    void carry(StateTape tape) {
        tape.carry(slot, capacity);
        tape.carry(node, capacity);
        tape.carry(nextOfSlot, capacity);
        tape.carry(expiryNs, capacity);
        tape.carry(before, capacity);
        tape.carry(last, capacity);
        tape.carry(headOfSlot, headOfSlot.length);
        tape.carry(tailOfSlot, tailOfSlot.length);
        head = tape.carry(head);
        tail = tape.carry(tail);
    }
}
