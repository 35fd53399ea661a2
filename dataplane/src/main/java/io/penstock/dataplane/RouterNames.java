package io.penstock.dataplane;

import io.penstock.dataplane.http.FleetNames;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.Models;
import io.penstock.dataplane.workers.WorkerStatus;
import java.util.List;

/**
 * The fleet's names as the front asks for them.
 *
 * <p><b>Threading:</b> thread-safe.
 */
record RouterNames(Fleet fleet) implements FleetNames {
    @Override
    public Target resolve(String modelName) {
        Models.Target found = fleet.models().resolve(modelName);
        return found == null
                ? null
                : new Target(found.model(), found.name(), found.adapter(), found.adapterName(), found.blockSizes());
    }

    @Override
    public int worker(String name) {
        return fleet.names().worker(name);
    }

    @Override
    public List<Integer> slots(String worker) {
        for (WorkerStatus status : fleet.list()) {
            if (status.name().equals(worker)) {
                return status.slots();
            }
        }
        return List.of();
    }

    @Override
    public long taint(String label) {
        return fleet.names().taint(label);
    }

    @Override
    public List<String> modelNames() {
        return fleet.models().names();
    }
}
