package io.penstock.dataplane.workers;

import java.util.List;

/**
 * A worker as of now.
 *
 * @param name its name
 * @param number its number in the core
 * @param url base URL
 * @param engine engine as configured, or as found
 * @param model base model, or null while unknown
 * @param state where it stands
 * @param blockSize tokens of a block, 0 while unknown
 * @param slots slot of each rank; empty until the core gave them
 * @param kvEvents whether its KV events are read
 * @param adapters adapters that it serves
 * @param taints its labels
 * @param transitions changes between healthy and unhealthy so far
 * @param problem what is wrong in one line, or null
 */
public record WorkerStatus(
        String name,
        int number,
        String url,
        String engine,
        String model,
        WorkerState state,
        int blockSize,
        List<Integer> slots,
        boolean kvEvents,
        List<String> adapters,
        List<String> taints,
        long transitions,
        String problem) {}
