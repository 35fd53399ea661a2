package io.penstock.dataplane.core;

import java.util.Arrays;

/**
 * Stretches of longs of any length out of one array: a binary buddy allocator with shared stretches.
 *
 * <p>I1: a stretch lies in one aligned block of a power of two; free blocks are linked through their own first two
 * longs. I2: a stretch is freed when as many {@link #release} as {@link #retain} plus one were called.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated after construction; at most half of a block
 * is waste.
 */
final class HashArena {
    /** No room. */
    static final int NONE = -1;

    private static final int MIN_ORDER = 3;
    private static final byte IN_USE = 0x40;

    /** The longs; a stretch starts at its offset. */
    final long[] longs;

    private final int maxOrder;
    private final int[] freeHead;
    /** Per smallest block: order of the block that starts here, plus {@link #IN_USE}; 0 where none starts. */
    private final byte[] state;

    private final int[] references;
    private int used;

    HashArena(int capacity) {
        maxOrder = Integer.numberOfTrailingZeros(capacity);
        longs = new long[capacity];
        state = new byte[capacity >> MIN_ORDER];
        references = new int[capacity >> MIN_ORDER];
        freeHead = new int[maxOrder + 1];
        Arrays.fill(freeHead, NONE);
        push(0, maxOrder);
    }

    /** Longs in blocks in use. */
    int used() {
        return used;
    }

    /** Whether {@link #allocate} of so many would find room. */
    boolean hasRoom(int length) {
        for (int order = orderOf(length); order <= maxOrder; order++) {
            if (freeHead[order] != NONE) {
                return true;
            }
        }
        return false;
    }

    /**
     * A stretch of {@code length} longs, referred to once.
     *
     * @return its offset, or {@link #NONE}
     */
    int allocate(int length) {
        int wanted = orderOf(length);
        int order = wanted;
        while (order <= maxOrder && freeHead[order] == NONE) {
            order++;
        }
        if (order > maxOrder) {
            return NONE;
        }
        int at = freeHead[order];
        unlink(at, order);
        while (order > wanted) {
            order--;
            push(at + (1 << order), order);
        }
        state[at >> MIN_ORDER] = (byte) (wanted | IN_USE);
        references[at >> MIN_ORDER] = 1;
        used += 1 << wanted;
        return at;
    }

    /** One more reference. */
    void retain(int stretch) {
        references[stretch >> MIN_ORDER]++;
    }

    /** One reference less; the last frees the stretch. */
    void release(int stretch) {
        assert references[stretch >> MIN_ORDER] > 0 : "not in use: " + stretch;
        if (--references[stretch >> MIN_ORDER] > 0) {
            return;
        }
        int at = stretch;
        int order = state[at >> MIN_ORDER] & ~IN_USE;
        used -= 1 << order;
        state[at >> MIN_ORDER] = 0;
        while (order < maxOrder) {
            int buddy = at ^ (1 << order);
            if (state[buddy >> MIN_ORDER] != order) {
                break;
            }
            unlink(buddy, order);
            state[buddy >> MIN_ORDER] = 0;
            at = Math.min(at, buddy);
            order++;
        }
        push(at, order);
    }

    private int orderOf(int length) {
        return Math.max(MIN_ORDER, 32 - Integer.numberOfLeadingZeros(length - 1));
    }

    private void push(int at, int order) {
        int next = freeHead[order];
        longs[at] = next;
        longs[at + 1] = NONE;
        if (next != NONE) {
            longs[next + 1] = at;
        }
        freeHead[order] = at;
        state[at >> MIN_ORDER] = (byte) order;
    }

    private void unlink(int at, int order) {
        int next = (int) longs[at];
        int previous = (int) longs[at + 1];
        if (previous == NONE) {
            freeHead[order] = next;
        } else {
            longs[previous] = next;
        }
        if (next != NONE) {
            longs[next + 1] = previous;
        }
        state[at >> MIN_ORDER] = 0;
    }

    /** Carries the blocks in use, and the free ones in the order in which they will be taken. */
    void carry(StateTape tape) {
        if (tape.isReading()) {
            // The one free block of a new arena.
            state[0] = 0;
            for (int at = tape.carry(0); at != NONE; at = tape.carry(0)) {
                carryBlock(tape, at);
            }
        } else {
            // Blocks lie side by side, and each tells its size.
            int at = 0;
            while (at < longs.length) {
                int order = state[at >> MIN_ORDER];
                if ((order & IN_USE) != 0) {
                    tape.carry(at);
                    carryBlock(tape, at);
                }
                at += 1 << (order & ~IN_USE);
            }
            tape.carry(NONE);
        }
        used = tape.carry(used);
        for (int order = MIN_ORDER; order <= maxOrder; order++) {
            carryFree(tape, order);
        }
    }

    private void carryBlock(StateTape tape, int at) {
        int unit = at >> MIN_ORDER;
        state[unit] = (byte) tape.carry(state[unit]);
        references[unit] = tape.carry(references[unit]);
        tape.carry(longs, at, 1 << (state[unit] & ~IN_USE));
    }

    private void carryFree(StateTape tape, int order) {
        if (!tape.isReading()) {
            for (int at = freeHead[order]; at != NONE; at = (int) longs[at]) {
                tape.carry(at);
            }
            tape.carry(NONE);
            return;
        }
        int[] free = new int[16];
        int size = 0;
        for (int at = tape.carry(0); at != NONE; at = tape.carry(0)) {
            free = size == free.length ? Arrays.copyOf(free, size * 2) : free;
            free[size++] = at;
        }
        freeHead[order] = NONE;
        while (size > 0) {
            push(free[--size], order);
        }
    }
}
