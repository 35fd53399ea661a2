package io.penstock.dataplane.http;

import java.util.List;

/**
 * What names in requests stand for.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public interface FleetNames {
    /**
     * What a model's name in a request means.
     *
     * @param model number of the base model
     * @param name its configured name
     * @param adapter number of the LoRA adapter, or -1 for the base model
     * @param adapterName its name, or null
     * @param blockSizes block sizes present in the model's fleet, tokens
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Target(int model, String name, int adapter, String adapterName, int[] blockSizes) {}

    /** What the name stands for, or null. A null name stands for the only model, where there is only one. */
    Target resolve(String modelName);

    /** Number of the worker, or -1. */
    int worker(String name);

    /** Slots of the worker's ranks; empty if there is none of that name. */
    List<Integer> slots(String worker);

    /** Bit of the taint, 0 if no worker has it. */
    long taint(String label);

    /** Names that requests may use: models first, then adapters. */
    List<String> modelNames();
}
