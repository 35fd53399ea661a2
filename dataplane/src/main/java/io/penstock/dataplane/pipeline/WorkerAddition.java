package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.workers.WorkerEndpoint;
import java.util.List;

/**
 * A worker on its way into the core.
 *
 * @param number the caller's number of the worker, from 0
 * @param name name that stays the same over restarts; the index knows the worker by it
 * @param model number of the base model
 * @param blockSize tokens of a KV block
 * @param kvEvents whether its KV events are fed; without them the core assumes that it keeps what it was sent
 * @param endpoints one per rank, in the order of the ranks; the core fills in the slots
 * @param adapters numbers of the adapters served beside the base model
 * @param taints labels of the worker, one bit each
 * @param totalKvBlocks blocks of its device cache, 0 if unknown
 * @param maxBatchedTokens tokens of its largest batch, 0 if unknown
 * @param reply receives the slots
 */
public record WorkerAddition(
        int number,
        String name,
        int model,
        int blockSize,
        boolean kvEvents,
        List<WorkerEndpoint> endpoints,
        List<Integer> adapters,
        long taints,
        long totalKvBlocks,
        long maxBatchedTokens,
        WorkerReply reply) {
    /** Refuses what the core could not place. */
    public WorkerAddition {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException("out of 0..65535: worker number=" + number);
        }
        if (model < 0) {
            throw new IllegalArgumentException("not a model: model=" + model);
        }
        if (blockSize < 1) {
            throw new IllegalArgumentException("not a block size: blockSize=" + blockSize);
        }
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("a worker needs an endpoint per rank: worker=" + name);
        }
        endpoints = List.copyOf(endpoints);
        adapters = List.copyOf(adapters);
    }

    /** Data-parallel ranks. */
    public int dpSize() {
        return endpoints.size();
    }
}
