package io.penstock.dataplane.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.bindings.pool.SglangStorage;
import io.penstock.dataplane.pipeline.MembershipPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The workers: who they are, where they publish, whether they live. Tells the core of every change, in order, and the
 * event feeds what to read.
 *
 * <p>A worker joins when its engine has said what its configuration leaves open; while the engine is down it is asked
 * again, with growing pauses. When an unhealthy engine answers again it is asked anew, since it may be another one: if
 * it differs in shape, the worker leaves and joins again.
 *
 * <p><b>Threading:</b> thread-safe. One control thread owns the workers; engines are asked on virtual threads.
 */
public final class Fleet implements AutoCloseable {
    private final FleetConfig config;
    private final Names names = new Names();
    private final Models models = new Models(names);
    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final ControlThread control = new ControlThread();
    private final EngineHttp http;
    private final WorkerLife life;

    /** A fleet without workers. */
    public Fleet(FleetConfig config, MembershipPort core, EventFeeds feeds) {
        this.config = config;
        this.http = new EngineHttp(config.healthTimeoutMs());
        this.life = new WorkerLife(config, core, feeds, names, control, http, this::membersChanged);
    }

    /** Numbers of workers, adapters and taints. */
    public Names names() {
        return names;
    }

    /** What models' names in requests stand for. */
    public Models models() {
        return models;
    }

    /** Makes a model known before any worker serves it, so that asking for it is no mistake. */
    public void configureModel(String model) {
        synchronized (workers) {
            models.configure(model);
            models.rebuild(served());
        }
    }

    /**
     * Adds a worker; it joins when its engine has answered. Adding one that drains, unchanged, ends its drain.
     *
     * @throws IllegalArgumentException when its name is taken, or there are too many workers or taints
     */
    public void add(WorkerSpec spec) {
        synchronized (workers) {
            Worker known = workers.get(spec.name());
            if (known != null) {
                if (known.status().state() != WorkerState.DRAINING || !known.spec.equals(spec)) {
                    throw new IllegalArgumentException("a worker of that name is there: worker=" + spec.name());
                }
                control.onControl(() -> life.resume(known));
                return;
            }
            if (spec.model() != null) {
                configureModel(spec.model());
            }
            long taints = names.addTaints(spec.taints());
            Worker worker = new Worker(spec, names.addWorker(spec.name()), taints);
            workers.put(spec.name(), worker);
            control.onControl(() -> life.start(worker));
        }
    }

    /** Sends nothing new to a worker; false when there is none of that name. */
    public boolean drain(String name) {
        return withWorker(name, false, life::drain);
    }

    /** Forgets a worker and its blocks; false when there is none of that name. */
    public boolean remove(String name) {
        return withWorker(name, true, life::remove);
    }

    /** A connection to a worker failed: counts as a failed probe, and the next probe comes at once. */
    public void reportFailure(String name) {
        withWorker(name, false, life::reportFailure);
    }

    private boolean withWorker(String name, boolean forget, Consumer<Worker> action) {
        synchronized (workers) {
            Worker worker = forget ? workers.remove(name) : workers.get(name);
            if (worker == null) {
                return false;
            }
            if (forget) {
                names.removeWorker(name);
            }
            control.onControl(() -> action.accept(worker));
            return true;
        }
    }

    /** All workers, in the order in which they were added. */
    public List<WorkerStatus> list() {
        synchronized (workers) {
            return workers.values().stream().map(Worker::status).toList();
        }
    }

    /** Base URL of a healthy worker of the model, another one now and then; null when there is none. */
    public String url(String model) {
        List<String> urls = new ArrayList<>();
        for (WorkerStatus status : list()) {
            if (status.state() == WorkerState.HEALTHY && model.equals(status.model())) {
                urls.add(status.url());
            }
        }
        return urls.isEmpty() ? null : urls.get((int) (System.nanoTime() / 1_000 % urls.size()));
    }

    /**
     * What a worker's engine says of its storage in the shared pool. Blocks while the engine answers.
     *
     * @throws IOException when it does not answer
     */
    SglangStorage storage(WorkerStatus worker) throws IOException, InterruptedException {
        if (!worker.engine().equals("sglang")) {
            return SglangStorage.none("the engine is no SGLang: engine=" + worker.engine());
        }
        JsonNode info = http.json(worker.url() + "/server_info", config.discoveryTimeoutMs());
        return info == null ? SglangStorage.none("no /server_info: url=" + worker.url()) : SglangStorage.of(info);
    }

    private void membersChanged() {
        synchronized (workers) {
            models.rebuild(served());
        }
    }

    private List<Models.Served> served() {
        return workers.values().stream()
                .map(Worker::served)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Stops asking and probing. Core and feeds are left as they are. */
    @Override
    public void close() {
        try {
            if (!control.stop(config.discoveryTimeoutMs())) {
                throw new IllegalStateException("the fleet's control thread does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            http.close();
        }
    }
}
