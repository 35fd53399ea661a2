package io.penstock.dataplane;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.dataplane.hints.Hints;
import io.penstock.dataplane.http.HttpFront;
import io.penstock.dataplane.http.MetricsPage;
import io.penstock.dataplane.http.PayloadCapture;
import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.inputlog.InputLog;
import io.penstock.dataplane.inputlog.InputLogConfig;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.journal.PayloadConfig;
import io.penstock.dataplane.journal.PayloadRedactor;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.CoreTap;
import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.session.SessionFollower;
import io.penstock.dataplane.session.SessionMeters;
import io.penstock.dataplane.session.SessionTable;
import io.penstock.dataplane.sinks.DynamoTracing;
import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.IngestFeeds;
import io.penstock.dataplane.workers.LayoutWatch;
import io.penstock.dataplane.workers.WorkerSpec;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * A router: every room built from one configuration, started in order and stopped in the reverse one.
 *
 * <p>Start: counters, sinks of request traces, trace journal, pipeline, hints, tool events, event ingest, fleet (engines are asked
 * while the rest starts), prompt encoder, HTTP. Stop: no new connection, answers in flight get their time, then fleet,
 * ingest, core; the index files close clean, journal and sinks write what waits (ten seconds at most), the counters last.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class Router implements AutoCloseable {
    /** Exit status after the core has failed twice. */
    public static final int EXIT_CORE_FAILED = 70;

    private static final String COUNTERS = "counters.dat";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final RouterPipeline pipeline;
    private final EventIngest ingest;
    private final Fleet fleet;
    private final PromptEncoder encoder;
    private final HttpFront front;
    private boolean stopped;

    private Router(
            RouterConfig config,
            Map<String, String> environment,
            IndexFolder indexes,
            StartTimes times,
            Runnable onCoreFailed) {
        try {
            config.libraries().use();
            part(DataFolder.take(config.dataDir()));
            CounterFile counters = part(CounterFile.create(Path.of(config.dataDir(), COUNTERS)));
            DynamoTracing tracing = part(new DynamoTracing(environment));
            Exercising exercise = part(
                    new Exercising(Path.of(config.dataDir()), config.index().exerciseMs(), counters::error));
            JournalWriter journal =
                    part(new JournalWriter(config.journal(), Path.of(config.dataDir()), counters, counters::error));
            pipeline = part(new RouterPipeline(
                    config.pipeline(),
                    config.core(),
                    config.routing(),
                    indexes,
                    counters,
                    tap(config, counters),
                    failure -> {
                        counters.error(failure);
                        onCoreFailed.run();
                    }));
            tracing.follow(pipeline);
            SessionTable sessions = new SessionTable(config.sessions());
            pipeline.addConsumer("sessions", new SessionFollower(sessions));
            pipeline.addConsumer("journal", journal);
            Hints hints = part(Hints.follow(
                    config.hints(), pipeline, indexes::reader, hintSites(config), counters, counters::error));
            PoolRoom pool = config.pool().enabled()
                    ? part(new PoolRoom(
                            config.pool(),
                            config.ingest().transport(),
                            pipeline,
                            indexes.pools()::problems,
                            counters::error))
                    : null;
            pipeline.start();
            if (pool != null) {
                pool.follow();
            }
            part(tracing.takeToolEvents(pipeline.requests(), config.ingest().transport()));
            if (config.index().imageIntervalS() > 0) {
                part(new IndexImages(indexes::open, config.index().imageIntervalS(), counters::error));
            }
            ingest = part(new EventIngest(config.ingest(), pipeline.events()));
            fleet = part(new Fleet(config.fleet(), pipeline.membership(), new IngestFeeds(ingest)));
            indexes.nameModels(fleet.names()::modelName);
            config.models().forEach(fleet::configureModel);
            for (WorkerSpec worker : config.workers()) {
                fleet.add(worker);
            }
            encoder = part(PromptEncoder.open(config.tokens(), fleet::url));
            part(new RenderingWatch(fleet, encoder));
            if (pool != null) {
                encoder.keyPages(pool.layouts());
                part(new LayoutWatch(fleet, pool.layouts()));
            }
            RouterStatus status = new RouterStatus(
                    pipeline.view(),
                    fleet,
                    ingest,
                    encoder,
                    indexes::recoveries,
                    journal,
                    hints,
                    times,
                    exercise,
                    pool);
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            tracing.bindTo(registry);
            if (pool != null) {
                PoolMeters.register(pool::status, registry);
            }
            PayloadConfig payload =
                    tracing.settings().wantsPayload() ? config.payload().keeping() : config.payload();
            SessionMeters.register(sessions, registry);
            front = part(HttpFront.start(
                    config.http(),
                    new HttpFront.Rooms(
                            pipeline.requests(),
                            encoder,
                            new RouterNames(fleet),
                            status,
                            new RouterAdmin(
                                    fleet, pipeline, ingest, config.routing().busy()),
                            sessions,
                            new PayloadCapture(
                                    payload,
                                    redactors(payload),
                                    tracing.settings().capturedHeaders(),
                                    registry,
                                    counters::error),
                            hints.requests(),
                            fleet::reportFailure,
                            counters::error,
                            registry,
                            new OnFirstUse(() -> new MetricsPage(
                                    registry,
                                    counters,
                                    pipeline.view(),
                                    fleet.names()::modelName,
                                    ingest::status,
                                    encoder)))));
            times.reached(StartTimes.Step.LISTENING);
            times.watch(status::ready, pipeline.view(), fleet, line -> System.out.println("router " + line));
        } catch (RuntimeException failed) {
            stop();
            throw failed;
        }
    }

    private static List<HintSite> hintSites(RouterConfig config) {
        return config.workers().stream()
                .flatMap(worker -> worker.hints().agentSites().stream())
                .toList();
    }

    /** Closed after the pipeline that it hears, since it is made before it. */
    private CoreTap tap(RouterConfig config, CounterFile counters) {
        InputLogConfig log = config.inputLog();
        if (!log.enabled()) {
            return CoreTap.NONE;
        }
        Path folder = log.folder().isEmpty() ? Path.of(config.dataDir(), "inputlog") : Path.of(log.folder());
        return part(InputLog.open(log, folder, config.core(), config.routing(), counters, counters::error))
                .tap();
    }

    /** What stands on the class path to take out of payloads what must not be kept; looked for only where some are kept. */
    private static List<PayloadRedactor> redactors(PayloadConfig config) {
        try {
            return config.keep()
                    ? ServiceLoader.load(PayloadRedactor.class).stream()
                            .map(ServiceLoader.Provider::get)
                            .toList()
                    : List.of();
        } catch (ServiceConfigurationError broken) {
            throw new IllegalArgumentException("a payload redactor cannot be had: " + broken.getMessage(), broken);
        }
    }

    private <T extends AutoCloseable> T part(T made) {
        parts.push(made);
        return made;
    }

    /**
     * Starts a router; it listens when this returns, and is ready once a worker has joined. When its core fails twice the
     * process ends with status {@link #EXIT_CORE_FAILED}.
     *
     * @throws IllegalArgumentException in one line, if the configuration cannot be had
     */
    public static Router start(RouterConfig config) {
        return start(config, new StartTimes());
    }

    /** The same, with {@code onCoreFailed} in place of the exit. */
    public static Router start(RouterConfig config, Runnable onCoreFailed) {
        return start(config, new StartTimes(), onCoreFailed);
    }

    /** The same; the steps reached before are in {@code times}. */
    public static Router start(RouterConfig config, StartTimes times) {
        // From another thread: the exit waits for the shutdown hooks, and one of them may wait for the core.
        return start(config, times, () -> new Thread(() -> System.exit(EXIT_CORE_FAILED), "penstock-exit").start());
    }

    private static Router start(RouterConfig config, StartTimes times, Runnable onCoreFailed) {
        return new Router(config, System.getenv(), new IndexFolder(config, times), times, onCoreFailed);
    }

    /** The same, with {@code environment} in place of the process's own: request traces are asked for there. */
    static Router start(RouterConfig config, Map<String, String> environment, Runnable onCoreFailed) {
        StartTimes times = new StartTimes();
        return new Router(config, environment, new IndexFolder(config, times), times, onCoreFailed);
    }

    /** Public port in effect. */
    public int port() {
        return front.port();
    }

    /** Admin port in effect, or -1. */
    public int adminPort() {
        return front.adminPort();
    }

    /** The workers. */
    public Fleet fleet() {
        return fleet;
    }

    /** The pipeline's figures. */
    public PipelineView view() {
        return pipeline.view();
    }

    /** The HTTP side. */
    public HttpFront front() {
        return front;
    }

    /** Stops in order; a part that fails to close does not keep the others open. */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        RuntimeException first = null;
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception failed) {
                if (first == null) {
                    first = new IllegalStateException("a part of the router did not close", failed);
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public void close() {
        stop();
    }
}
