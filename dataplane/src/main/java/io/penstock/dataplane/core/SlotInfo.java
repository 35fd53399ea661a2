package io.penstock.dataplane.core;

import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * Who a slot is, as other threads see it.
 *
 * @param slot number
 * @param workerNumber the caller's number of the worker
 * @param worker its name
 * @param dpRank rank
 * @param model number of the model
 * @param blockSize tokens of a block
 * @param endpoint where it takes requests
 * @param adapters adapters served, one bit each; not to be written
 * @param taints labels, one bit each
 */
@SuppressWarnings("ArrayRecordComponent")
public record SlotInfo(
        int slot,
        int workerNumber,
        String worker,
        int dpRank,
        int model,
        int blockSize,
        WorkerEndpoint endpoint,
        long[] adapters,
        long taints) {
    /** Whether the slot serves the adapter; -1 is the base model. */
    public boolean serves(int adapter) {
        return adapter < 0 || (adapter >> 6 < adapters.length && (adapters[adapter >> 6] >>> adapter & 1) != 0);
    }
}
