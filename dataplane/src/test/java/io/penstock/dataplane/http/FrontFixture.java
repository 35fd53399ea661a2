package io.penstock.dataplane.http;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.dataplane.hints.RequestHints;
import io.penstock.dataplane.journal.PayloadConfig;
import io.penstock.dataplane.journal.PayloadRedactor;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.session.SessionConfig;
import io.penstock.dataplane.session.SessionTable;
import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.tokens.TokensConfig;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A front before scripted engines, placed by a scripted core. */
final class FrontFixture implements Closeable, FleetNames, RouterHealth, FleetAdmin {
    final ScriptedPlacement placement;
    final HttpFront front;
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final SessionTable sessions = new SessionTable(SessionConfig.defaults());
    final List<String> unreachable = new CopyOnWriteArrayList<>();
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    /** Redactors' failures. */
    final List<Throwable> failed = new CopyOnWriteArrayList<>();

    final List<WorkerSpec> added = new CopyOnWriteArrayList<>();
    /** Holds whoever reads a request for the model {@code slow}. */
    volatile CountDownLatch slow = new CountDownLatch(0);

    /** What the front is told of hints. */
    volatile RequestHints hints = RequestHints.NONE;

    final AtomicInteger reading = new AtomicInteger();
    private final int ranks;
    private final PromptEncoder encoder;
    private final List<Closeable> owned = new ArrayList<>();

    FrontFixture(Transport transport, UnaryOperator<HttpConfig> settings, int dpSize, ScriptedEngine... engines) {
        this(transport, settings, dpSize, PayloadConfig.defaults(), List.of(), engines);
    }

    private FrontFixture(
            Transport transport,
            UnaryOperator<HttpConfig> settings,
            int dpSize,
            PayloadConfig payload,
            List<PayloadRedactor> redactors,
            ScriptedEngine... engines) {
        ranks = dpSize;
        List<WorkerEndpoint> workers = new ArrayList<>();
        for (ScriptedEngine engine : engines) {
            int slot = workers.size();
            workers.add(new WorkerEndpoint(
                    slot, "w" + slot / dpSize, slot % dpSize, dpSize, "127.0.0.1", engine.port(), "", engine.kind()));
            owned.add(engine);
        }
        placement = new ScriptedPlacement(workers);
        encoder = PromptEncoder.open(TokensConfig.defaults(), model -> null);
        HttpConfig config = settings.apply(HttpConfig.defaults().onLoopback(0, 0));
        front = HttpFront.start(
                config,
                new HttpFront.Rooms(
                        placement,
                        encoder,
                        this,
                        this,
                        this,
                        sessions,
                        new PayloadCapture(payload, redactors, registry, failed::add),
                        new LaterHints(),
                        unreachable::add,
                        errors::add,
                        registry,
                        registry::scrape),
                transport);
    }

    static FrontFixture before(ScriptedEngine... engines) {
        return new FrontFixture(Transport.best(), same -> same, 1, engines);
    }

    static FrontFixture keeping(PayloadConfig payload, List<PayloadRedactor> redactors, ScriptedEngine... engines) {
        return new FrontFixture(Transport.best(), same -> same, 1, payload, redactors, engines);
    }

    static FrontFixture with(UnaryOperator<HttpConfig> settings, ScriptedEngine... engines) {
        return new FrontFixture(Transport.best(), settings, 1, engines);
    }

    private final class LaterHints implements RequestHints {
        @Override
        public boolean ours() {
            return hints.ours();
        }

        @Override
        public byte[] message(RouteRequest decided, boolean takes) {
            return hints.message(decided, takes);
        }
    }

    RawClient client() throws IOException {
        return new RawClient(front.port());
    }

    RawClient admin() throws IOException {
        return new RawClient(front.adminPort());
    }

    /** Waits for a condition, at most ten seconds. */
    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within ten seconds: " + what);
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    @Override
    public Target resolve(String modelName) {
        if ("broken".equals(modelName)) {
            throw new IllegalStateException("as the test wants it");
        }
        if ("slow".equals(modelName)) {
            reading.incrementAndGet();
            try {
                slow.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            return resolve("tiny");
        }
        return modelName == null || modelName.equals("tiny") ? new Target(0, "tiny", -1, null, new int[] {32}) : null;
    }

    @Override
    public int worker(String name) {
        return name.startsWith("w") ? Integer.parseInt(name.substring(1)) : -1;
    }

    @Override
    public List<Integer> slots(String worker) {
        int first = worker(worker) * ranks;
        return java.util.stream.IntStream.range(first, first + ranks).boxed().toList();
    }

    @Override
    public long taint(String label) {
        return label.equals("gpu") ? 1 : 0;
    }

    @Override
    public List<String> modelNames() {
        return List.of("tiny");
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("state", "normal");
    }

    @Override
    public List<Map<String, Object>> workers() {
        return List.of(Map.of("name", "w0"));
    }

    @Override
    public void add(WorkerSpec spec) {
        added.add(spec);
    }

    @Override
    public boolean drain(String worker) {
        return worker.equals("w0");
    }

    @Override
    public boolean remove(String worker) {
        return worker.equals("http://host:1/a b");
    }

    @Override
    public boolean busyThresholds(String model, BusyThresholds thresholds) {
        return model == null || model.equals("tiny");
    }

    @Override
    public Map<String, BusyThresholds> busyThresholds() {
        return Map.of("tiny", BusyThresholds.defaults());
    }

    @Override
    public void close() throws IOException {
        front.close();
        placement.close();
        encoder.close();
        for (Closeable each : owned) {
            each.close();
        }
        if (!errors.isEmpty()) {
            throw new AssertionError("the front failed where it should not", errors.getFirst());
        }
    }
}
