package io.penstock.dataplane.workers;

import io.penstock.dataplane.pipeline.MembershipPort;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Whether engines live: a probe at an interval, and failures reported by whoever could not connect.
 *
 * <p><b>Threading:</b> the control thread only; answers of engines are brought to it.
 */
final class WorkerHealth {
    private final FleetConfig config;
    private final MembershipPort core;
    private final CoreCalls calls;
    private final ControlThread control;
    private final EngineHttp http;
    private final Consumer<Worker> recovered;

    /** Tells {@code recovered} of workers that may have another engine than before. */
    WorkerHealth(
            FleetConfig config,
            MembershipPort core,
            CoreCalls calls,
            ControlThread control,
            EngineHttp http,
            Consumer<Worker> recovered) {
        this.config = config;
        this.core = core;
        this.calls = calls;
        this.control = control;
        this.http = http;
        this.recovered = recovered;
    }

    /** Begins to probe a worker, some time within the first interval. */
    void watch(Worker worker) {
        control.later(() -> tick(worker), ThreadLocalRandom.current().nextInt(config.healthIntervalMs()));
    }

    void reportFailure(Worker worker) {
        if (worker.isIn() && worker.healthy) {
            failed(worker);
            probe(worker);
        }
    }

    private void tick(Worker worker) {
        if (!worker.removed) {
            control.later(() -> tick(worker), config.healthIntervalMs());
            probe(worker);
        }
    }

    private void probe(Worker worker) {
        if (worker.isIn() && !worker.probing) {
            worker.probing = true;
            http.isOk(worker.spec.url() + config.healthPath(), config.healthTimeoutMs())
                    .thenAccept(ok -> control.onControl(() -> probed(worker, ok)));
        }
    }

    private void probed(Worker worker, boolean ok) {
        worker.probing = false;
        if (worker.removed) {
            return;
        }
        if (!ok) {
            failed(worker);
            return;
        }
        worker.failures = 0;
        worker.successes++;
        if (!worker.healthy && worker.successes >= config.healthyAfter()) {
            healthy(worker, true);
            if (EngineDiscovery.isNeeded(worker.spec)) {
                // What answers now may be another engine on the same address.
                recovered.accept(worker);
            }
        }
    }

    private void failed(Worker worker) {
        worker.successes = 0;
        worker.failures++;
        if (worker.healthy && worker.failures >= config.unhealthyAfter()) {
            healthy(worker, false);
        }
    }

    private void healthy(Worker worker, boolean healthy) {
        worker.healthy = healthy;
        worker.transitions++;
        worker.publish();
        calls.call(() -> core.setHealthy(worker.number, healthy));
    }
}
