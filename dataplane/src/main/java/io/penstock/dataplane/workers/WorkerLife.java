package io.penstock.dataplane.workers;

import io.penstock.dataplane.pipeline.MembershipPort;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's way from its configuration into the core and out again.
 *
 * <p><b>Threading:</b> the control thread only; answers of engines and of the core are brought to it.
 */
final class WorkerLife {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLife.class);

    private final FleetConfig config;
    private final MembershipPort core;
    private final EventFeeds feeds;
    private final Names names;
    private final ScheduledExecutorService control;
    private final EngineHttp http;
    private final EngineDiscovery discovery;
    private final CoreCalls calls;
    private final Runnable membersChanged;

    WorkerLife(
            FleetConfig config,
            MembershipPort core,
            EventFeeds feeds,
            Names names,
            ScheduledExecutorService control,
            EngineHttp http,
            Runnable membersChanged) {
        this.config = config;
        this.core = core;
        this.feeds = feeds;
        this.names = names;
        this.control = control;
        this.http = http;
        this.discovery = new EngineDiscovery(http, config.discoveryTimeoutMs());
        this.calls = new CoreCalls(control);
        this.membersChanged = membersChanged;
    }

    void start(Worker worker) {
        if (EngineDiscovery.isNeeded(worker.spec)) {
            resolve(worker);
        } else {
            settled(worker, EngineDiscovery.configured(worker.spec));
        }
        later(() -> tick(worker), ThreadLocalRandom.current().nextInt(config.healthIntervalMs()));
        if (config.adapterRefreshMs() > 0 && EngineDiscovery.isNeeded(worker.spec)) {
            later(() -> refresh(worker), config.adapterRefreshMs());
        }
    }

    private void refresh(Worker worker) {
        if (!worker.removed) {
            later(() -> refresh(worker), config.adapterRefreshMs());
            if (worker.isIn() && worker.healthy) {
                resolve(worker);
            }
        }
    }

    /** Asks the engine, once at a time. */
    private void resolve(Worker worker) {
        if (worker.resolving || worker.removed) {
            return;
        }
        worker.resolving = true;
        Thread.ofVirtual().name("penstock-discovery").start(() -> {
            try {
                EngineFacts facts = discovery.resolve(worker.spec);
                onControl(() -> answered(worker, facts, null));
            } catch (IOException | RuntimeException e) {
                String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                onControl(() -> answered(worker, null, "engine not resolved: " + why));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void answered(Worker worker, EngineFacts facts, String problem) {
        worker.resolving = false;
        if (worker.removed) {
            return;
        }
        if (facts != null) {
            worker.attempts = 0;
            worker.problem = null;
            settled(worker, facts);
            return;
        }
        worker.problem = problem;
        worker.publish();
        if (worker.facts == null || worker.healthy) {
            long pause = Math.min(
                    config.discoveryMaxBackoffMs(),
                    (long) config.discoveryBackoffMs() << Math.min(worker.attempts++, 20));
            later(() -> resolve(worker), pause);
        }
    }

    /** Nothing is open: tells the core, unless it knows exactly this. */
    private void settled(Worker worker, EngineFacts facts) {
        EngineFacts before = worker.facts;
        if (facts.equals(before)) {
            worker.publish();
            return;
        }
        boolean reshaped = before != null && !before.sameShape(facts);
        if (reshaped) {
            leave(worker);
        }
        worker.facts = facts;
        worker.publish();
        membersChanged.run();
        tell(worker, reshaped || before == null);
        if (worker.draining) {
            calls.call(() -> core.drain(worker.number));
        }
    }

    /** Adds the worker in the core, or describes it anew; {@code feed} when its events are not read yet. */
    private void tell(Worker worker, boolean feed) {
        WorkerReply reply = reply(worker, feed);
        WorkerAddition addition = worker.addition(names, reply);
        calls.call(() -> core.addWorker(addition));
        if (!worker.healthy) {
            // A new worker counts as healthy in the core; of this one we know better.
            calls.call(() -> core.setHealthy(worker.number, false));
        }
    }

    private void leave(Worker worker) {
        feeds.remove(worker.spec.name());
        worker.positions = List.of();
        calls.call(() -> core.remove(worker.number));
    }

    private WorkerReply reply(Worker worker, boolean feed) {
        EngineFacts told = worker.facts;
        return new WorkerReply() {
            private boolean again;

            @Override
            public void added(int workerNumber, List<SlotPosition> ranks) {
                // A second call means that the core has reopened its indexes: every feed has to prove its engine again.
                boolean read = feed || again;
                again = true;
                onControl(() -> joined(worker, told, ranks, read));
            }

            @Override
            public void refused(int workerNumber, String why) {
                onControl(() -> refusedByCore(worker, told, why));
            }

            @Override
            public void replayWanted(int slot) {
                onControl(() -> {
                    if (worker.facts == told && !worker.removed && !told.feeds().isEmpty()) {
                        feeds.replay(worker.spec.name(), slot);
                    }
                });
            }
        };
    }

    private void joined(Worker worker, EngineFacts told, List<SlotPosition> ranks, boolean read) {
        // An answer that a later change has overtaken is followed by that change's own.
        if (worker.removed || !told.sameShape(worker.facts)) {
            return;
        }
        worker.positions = ranks;
        worker.refused = false;
        worker.problem = null;
        if (read && !told.feeds().isEmpty()) {
            try {
                feeds.add(told.resolved(worker.spec), told.feeds(), ranks);
            } catch (IllegalArgumentException e) {
                worker.problem = "KV events not read: " + e.getMessage();
            }
        }
        worker.publish();
        membersChanged.run();
    }

    private void refusedByCore(Worker worker, EngineFacts told, String why) {
        if (worker.removed || worker.facts != told) {
            return;
        }
        worker.refused = true;
        worker.problem = "refused by the core: " + why;
        worker.publish();
        membersChanged.run();
        later(
                () -> {
                    if (worker.refused && !worker.removed && worker.facts == told) {
                        tell(worker, true);
                    }
                },
                config.discoveryMaxBackoffMs());
    }

    void drain(Worker worker) {
        worker.draining = true;
        worker.publish();
        if (worker.isIn()) {
            calls.call(() -> core.drain(worker.number));
        }
    }

    /** Adding a worker that is there ends its drain. */
    void resume(Worker worker) {
        worker.draining = false;
        worker.publish();
        if (worker.isIn()) {
            tell(worker, false);
        }
    }

    void remove(Worker worker) {
        if (worker.facts != null) {
            leave(worker);
        }
        worker.removed = true;
        worker.publish();
        membersChanged.run();
    }

    void reportFailure(Worker worker) {
        if (worker.isIn() && worker.healthy) {
            failed(worker);
            probe(worker);
        }
    }

    private void tick(Worker worker) {
        if (!worker.removed) {
            later(() -> tick(worker), config.healthIntervalMs());
            probe(worker);
        }
    }

    private void probe(Worker worker) {
        if (worker.isIn() && !worker.probing) {
            worker.probing = true;
            http.isOk(worker.spec.url() + config.healthPath(), config.healthTimeoutMs())
                    .thenAccept(ok -> onControl(() -> probed(worker, ok)));
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
                resolve(worker);
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

    private void later(Runnable task, long ms) {
        try {
            control.schedule(guarded(task), ms, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The fleet has ended; so has this.
            return;
        }
    }

    private void onControl(Runnable task) {
        try {
            control.execute(guarded(task));
        } catch (RejectedExecutionException closed) {
            // An answer that came after the end.
            return;
        }
    }

    /** The executor would keep a defect to itself. */
    static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("A task of the fleet failed; the others go on", e);
            }
        };
    }
}
