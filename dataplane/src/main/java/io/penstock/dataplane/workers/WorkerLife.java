package io.penstock.dataplane.workers;

import io.penstock.dataplane.pipeline.MembershipPort;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import java.io.IOException;
import java.util.List;

/**
 * A worker's way from its configuration into the core and out again.
 *
 * <p><b>Threading:</b> the control thread only; answers of engines and of the core are brought to it.
 */
final class WorkerLife {
    private final FleetConfig config;
    private final MembershipPort core;
    private final EventFeeds feeds;
    private final Names names;
    private final ControlThread control;
    private final EngineDiscovery discovery;
    private final CoreCalls calls;
    private final WorkerHealth health;
    private final Runnable membersChanged;

    WorkerLife(
            FleetConfig config,
            MembershipPort core,
            EventFeeds feeds,
            Names names,
            ControlThread control,
            EngineHttp http,
            Runnable membersChanged) {
        this.config = config;
        this.core = core;
        this.feeds = feeds;
        this.names = names;
        this.control = control;
        this.discovery = new EngineDiscovery(http, config.discoveryTimeoutMs());
        this.calls = new CoreCalls(control);
        this.health = new WorkerHealth(config, core, calls, control, http, this::resolve);
        this.membersChanged = membersChanged;
    }

    void start(Worker worker) {
        if (EngineDiscovery.isNeeded(worker.spec)) {
            resolve(worker);
        } else {
            settled(worker, EngineDiscovery.configured(worker.spec));
        }
        health.watch(worker);
        if (config.adapterRefreshMs() > 0 && EngineDiscovery.isNeeded(worker.spec)) {
            control.later(() -> refresh(worker), config.adapterRefreshMs());
        }
    }

    private void refresh(Worker worker) {
        if (!worker.removed) {
            control.later(() -> refresh(worker), config.adapterRefreshMs());
            if (worker.facts != null && worker.healthy) {
                resolve(worker);
            }
        }
    }

    void reportFailure(Worker worker) {
        health.reportFailure(worker);
    }

    /** Asks the engine, once at a time. */
    void resolve(Worker worker) {
        if (worker.resolving || worker.removed) {
            return;
        }
        worker.resolving = true;
        Thread.ofVirtual().name("penstock-discovery").start(() -> {
            try {
                EngineFacts facts = discovery.resolve(worker.spec);
                control.onControl(() -> answered(worker, facts, null));
            } catch (IOException | RuntimeException e) {
                String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                control.onControl(() -> answered(worker, null, "engine not resolved: " + why));
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
            control.later(() -> resolve(worker), pause);
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
        tell(worker);
        if (worker.draining) {
            calls.call(() -> core.drain(worker.number));
        }
    }

    /** Adds the worker in the core, or describes it anew. */
    private void tell(Worker worker) {
        WorkerAddition addition = worker.addition(names, reply(worker));
        calls.call(() -> core.addWorker(addition));
        if (!worker.healthy) {
            // A new worker counts as healthy in the core; of this one we know better.
            calls.call(() -> core.setHealthy(worker.number, false));
        }
    }

    private void leave(Worker worker) {
        feeds.remove(worker.spec.name());
        worker.fed = false;
        worker.positions = List.of();
        calls.call(() -> core.remove(worker.number));
    }

    private WorkerReply reply(Worker worker) {
        EngineFacts told = worker.facts;
        return new WorkerReply() {
            private boolean again;

            @Override
            public void added(int workerNumber, List<SlotPosition> ranks) {
                // A second call means that the core has reopened its indexes: every feed has to prove its engine again.
                boolean reopened = again;
                again = true;
                control.onControl(() -> joined(worker, told, ranks, reopened));
            }

            @Override
            public void refused(int workerNumber, String why) {
                control.onControl(() -> refusedByCore(worker, told, why));
            }

            @Override
            public void replayWanted(int slot) {
                control.onControl(() -> {
                    if (worker.facts == told && !worker.removed && !told.feeds().isEmpty()) {
                        feeds.replay(worker.spec.name(), slot);
                    }
                });
            }
        };
    }

    private void joined(Worker worker, EngineFacts told, List<SlotPosition> ranks, boolean reopened) {
        // An answer that a later change has overtaken is followed by that change's own.
        if (worker.removed || !told.sameShape(worker.facts)) {
            return;
        }
        worker.positions = ranks;
        worker.refused = false;
        worker.coreProblem = null;
        if ((reopened || !worker.fed) && !told.feeds().isEmpty()) {
            try {
                feeds.add(told.resolved(worker.spec), told.feeds(), ranks);
                worker.fed = true;
            } catch (IllegalArgumentException e) {
                worker.coreProblem = "KV events not read: " + e.getMessage();
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
        worker.coreProblem = "refused by the core: " + why;
        worker.publish();
        membersChanged.run();
        control.later(
                () -> {
                    if (worker.refused && !worker.removed && worker.facts == told) {
                        tell(worker);
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
            tell(worker);
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
}
