package io.penstock.dataplane.http;

import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.workers.WorkerSpec;
import java.util.List;
import java.util.Map;

/**
 * What the admin port does to the fleet.
 *
 * <p><b>Threading:</b> thread-safe; called off the event loops, may block.
 */
public interface FleetAdmin {
    /** The workers with their state and figures; becomes JSON. */
    List<Map<String, Object>> workers();

    /**
     * Adds a worker; adding one that drains, unchanged, ends its drain.
     *
     * @throws IllegalArgumentException if the specification makes no sense, or its name is taken
     */
    void add(WorkerSpec spec);

    /** Sends nothing new to the worker; false if there is none of that name. */
    boolean drain(String worker);

    /** Forgets the worker; false if there is none of that name. */
    boolean remove(String worker);

    /**
     * Sets when a model's workers are too busy.
     *
     * @param model configured name; null for every model
     * @return false if there is no such model
     */
    boolean busyThresholds(String model, BusyThresholds thresholds);

    /** The thresholds in effect, by model. */
    Map<String, BusyThresholds> busyThresholds();
}
