package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * A slot that holds a longer prefix of a prompt than the slot that was chosen, which takes hints to fetch it.
 *
 * <p><b>Threading:</b> as the decision or record that it is part of.
 */
public final class FetchOffer {
    /** The source's slot, or -1: there is nothing to fetch. */
    public int slot = -1;

    /** The source's number in the index. */
    public int indexSlot = -1;

    /** The source. */
    public WorkerEndpoint source;

    /** Leading blocks of the prompt that the source holds on device and host. */
    public int blocks;

    /** Leading blocks of the prompt that the chosen slot holds there; fewer. */
    public int held;

    /** Whether there is something to fetch. */
    public boolean there() {
        return slot >= 0;
    }

    /** There is nothing to fetch. */
    public void clear() {
        slot = -1;
        indexSlot = -1;
        source = null;
        blocks = 0;
        held = 0;
    }

    /** Takes over what the other one says. */
    public void copy(FetchOffer other) {
        slot = other.slot;
        indexSlot = other.indexSlot;
        source = other.source;
        blocks = other.blocks;
        held = other.held;
    }
}
