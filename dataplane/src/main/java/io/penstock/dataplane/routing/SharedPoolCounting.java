package io.penstock.dataplane.routing;

/** Which pages of a shared pool count for a worker. */
public enum SharedPoolCounting {
    /** Those that follow without a hole on what the worker has in its own tiers: what an engine can use. */
    CONTIGUOUS,
    /** All beyond the worker's device blocks, as Dynamo counts. */
    ALL
}
