package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.routing.BusyThresholds;

/**
 * Where workers come, change and go. Travels on the event ring, in order with KV events; false means that the ring is
 * full: try again.
 *
 * <p>Workers, models, adapters and taints are numbers here; whoever calls keeps the names.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public interface MembershipPort {
    /**
     * Adds a worker, or changes adapters, taints and endpoints of one that is there (and ends its drain). Its slots come
     * through {@link WorkerAddition#reply()}.
     */
    boolean addWorker(WorkerAddition worker);

    /** Sends nothing new to the worker; what it has is served to its end. */
    boolean drain(int workerNumber);

    /** Forgets the worker and its blocks. */
    boolean remove(int workerNumber);

    /** Whether the worker may take requests; a new worker may. */
    boolean setHealthy(int workerNumber, boolean healthy);

    /** When the workers of a model are too busy to take more. */
    boolean setBusyThresholds(int model, BusyThresholds thresholds);
}
