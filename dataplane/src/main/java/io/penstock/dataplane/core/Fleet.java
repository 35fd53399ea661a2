package io.penstock.dataplane.core;

import io.penstock.dataplane.routing.BusyThresholds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The slots and pools of one model, in the order in which they came.
 *
 * <p><b>Threading:</b> owned by the core.
 */
final class Fleet {
    final int model;
    final List<Pool> pools = new ArrayList<>(2);
    BusyThresholds busy;
    int[] slots = new int[16];
    int size;

    Fleet(int model, BusyThresholds busy) {
        this.model = model;
        this.busy = busy;
    }

    Pool pool(int blockSize) {
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).blockSize == blockSize) {
                return pools.get(i);
            }
        }
        return null;
    }

    void add(int slot) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, size * 2);
        }
        slots[size++] = slot;
    }

    void remove(int slot) {
        for (int i = 0; i < size; i++) {
            if (slots[i] == slot) {
                System.arraycopy(slots, i + 1, slots, i, size - i - 1);
                size--;
                return;
            }
        }
    }

    /** Carries slots, pools and thresholds; {@code all} are the pools by id. */
    void carry(StateTape tape, List<Pool> all) {
        size = tape.carry(size);
        if (tape.isReading()) {
            slots = new int[Math.max(16, size)];
        }
        tape.carry(slots, size);
        int count = tape.carry(pools.size());
        for (int i = 0; i < count; i++) {
            int id = tape.carry(tape.isReading() ? 0 : pools.get(i).id);
            if (tape.isReading()) {
                pools.add(all.get(id));
            }
        }
        double decode = tape.carry(busy.activeDecodeBlocksFraction());
        long prefill = tape.carry(busy.activePrefillTokens());
        double fraction = tape.carry(busy.activePrefillTokensFraction());
        if (tape.isReading()) {
            busy = new BusyThresholds(decode, prefill, fraction);
        }
    }
}
