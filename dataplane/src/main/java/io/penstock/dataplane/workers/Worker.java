package io.penstock.dataplane.workers;

import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import java.util.ArrayList;
import java.util.List;

/**
 * One worker as the control thread knows it.
 *
 * <p><b>Threading:</b> owned by the fleet's control thread; {@link #status} and {@link #served} are read by any.
 */
final class Worker {
    final WorkerSpec spec;
    final int number;
    final long taints;
    EngineFacts facts;
    List<SlotPosition> positions = List.of();
    boolean removed;
    boolean draining;
    boolean refused;
    boolean fed;
    boolean healthy = true;
    boolean probing;
    boolean resolving;
    int failures;
    int successes;
    int attempts;
    long transitions;
    /** Why the engine could not be asked, or null. */
    String problem;
    /** Why the core or the feeds did not take what is known, or null. */
    String coreProblem;

    private volatile WorkerStatus status;
    private volatile Models.Served served;

    Worker(WorkerSpec spec, int number, long taints) {
        this.spec = spec;
        this.number = number;
        this.taints = taints;
        publish();
    }

    /** Shows what has changed. */
    void publish() {
        served = isIn() ? new Models.Served(facts.model(), facts.aliases(), facts.adapters(), facts.blockSize()) : null;
        status = new WorkerStatus(
                spec.name(),
                number,
                spec.url(),
                facts == null ? spec.engine() : facts.engine(),
                facts == null ? spec.model() : facts.model(),
                state(),
                facts == null ? spec.blockSize() : facts.blockSize(),
                positions.stream().map(SlotPosition::slot).toList(),
                facts != null && !facts.feeds().isEmpty(),
                facts == null ? spec.adapters() : facts.adapters(),
                spec.taints(),
                transitions,
                firstProblem());
    }

    private String firstProblem() {
        if (problem != null) {
            return problem;
        }
        if (coreProblem != null || facts == null) {
            return coreProblem;
        }
        return facts.problem() != null ? facts.problem() : spec.hints().problem(facts.dpSize());
    }

    WorkerStatus status() {
        return status;
    }

    private WorkerState state() {
        if (draining) {
            return WorkerState.DRAINING;
        }
        if (refused) {
            return WorkerState.REFUSED;
        }
        if (facts == null) {
            return WorkerState.RESOLVING;
        }
        if (positions.isEmpty()) {
            return WorkerState.JOINING;
        }
        return healthy ? WorkerState.HEALTHY : WorkerState.UNHEALTHY;
    }

    /** Whether the core has it, or will. */
    boolean isIn() {
        return facts != null && !refused && !removed;
    }

    /** What the core is told. */
    WorkerAddition addition(Names names, WorkerReply reply) {
        List<WorkerEndpoint> endpoints = new ArrayList<>();
        String path = spec.uri().getPath();
        for (int rank = 0; rank < facts.dpSize(); rank++) {
            endpoints.add(new WorkerEndpoint(
                    -1,
                    spec.name(),
                    rank,
                    facts.dpSize(),
                    spec.uri().getHost(),
                    spec.port(),
                    path == null ? "" : path,
                    facts.engine(),
                    spec.hints().site(rank, facts.dpSize())));
        }
        return new WorkerAddition(
                number,
                spec.name(),
                names.addModel(facts.model()),
                facts.blockSize(),
                !facts.feeds().isEmpty(),
                endpoints,
                facts.adapters().stream().map(names::addAdapter).toList(),
                taints,
                facts.kvBlocks(),
                facts.maxBatchedTokens(),
                reply);
    }

    /** Its part in the table of models, or null while it has none. */
    Models.Served served() {
        return served;
    }
}
