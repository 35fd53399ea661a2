package io.penstock.dataplane.core;

import io.penstock.index.PrefixIndex;
import java.util.Arrays;

/**
 * The workers of one model and block size, and their index. Index slots are the file's numbers; the core's are given
 * here.
 *
 * <p><b>Threading:</b> owned by the core.
 */
final class Pool {
    final int id;
    final int model;
    final int blockSize;
    final PrefixIndex index;
    /** Whether dead blocks may be waiting for {@link PrefixIndex#sweep}. */
    boolean sweepDue;

    private int[] coreSlot = new int[64];

    Pool(int id, int model, int blockSize, PrefixIndex index) {
        this.id = id;
        this.model = model;
        this.blockSize = blockSize;
        this.index = index;
        this.sweepDue = true;
        Arrays.fill(coreSlot, -1);
    }

    void bind(int indexSlot, int slot) {
        if (indexSlot >= coreSlot.length) {
            int before = coreSlot.length;
            coreSlot = Arrays.copyOf(coreSlot, Math.max(indexSlot + 1, before * 2));
            Arrays.fill(coreSlot, before, coreSlot.length, -1);
        }
        coreSlot[indexSlot] = slot;
    }

    void unbind(int indexSlot) {
        coreSlot[indexSlot] = -1;
    }

    /** The core's number of an index slot, or -1 for one that no worker has taken up since the start. */
    int coreSlot(int indexSlot) {
        return indexSlot < coreSlot.length ? coreSlot[indexSlot] : -1;
    }

    /** Carries which core slot an index slot is, and whether a sweep is due. */
    void carry(StateTape tape) {
        int size = tape.carry(coreSlot.length);
        if (tape.isReading()) {
            coreSlot = new int[size];
        }
        tape.carry(coreSlot, size);
        sweepDue = tape.carry(sweepDue);
    }
}
