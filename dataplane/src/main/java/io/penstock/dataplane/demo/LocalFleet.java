package io.penstock.dataplane.demo;

import io.penstock.dataplane.IndexFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Simulated engines and a router in front of them, each a process of its own, all cold.
 *
 * <p>Ports are chosen once, so that a process that was killed comes back where it was.
 *
 * <p><b>Threading:</b> thread-safe after {@link #start}; kills and restarts are synchronized.
 */
final class LocalFleet implements AutoCloseable {
    /** Model name that engines serve and clients ask for. */
    static final String MODEL = "sim";

    private static final long READY_MS = 60_000;
    private static final long POLL_MS = 100;
    private static final int FIRST_ENGINE_PORT = 3;
    private static final int PORTS_PER_ENGINE = 3;

    private final DemoSettings settings;
    private final String policy;
    private final long blocksPerEngine;
    private final Path folder;
    private final int[] ports;
    private final List<ChildProcess> engines = new ArrayList<>();
    private ChildProcess router;

    private LocalFleet(DemoSettings settings, String policy, long blocksPerEngine, Path folder) throws IOException {
        this.settings = settings;
        this.policy = policy;
        this.blocksPerEngine = blocksPerEngine;
        this.folder = folder;
        ports = Ports.free(FIRST_ENGINE_PORT + PORTS_PER_ENGINE * settings.engines());
    }

    /** Starts all processes and waits until the router is ready. */
    static LocalFleet start(DemoSettings settings, String policy, long blocksPerEngine, Path folder)
            throws IOException, InterruptedException {
        LocalFleet fleet = new LocalFleet(settings, policy, blocksPerEngine, folder);
        try {
            Files.writeString(fleet.config(), fleet.routerYaml());
            for (int i = 0; i < settings.engines(); i++) {
                fleet.engines.add(fleet.startEngine(i));
            }
            fleet.router = fleet.startRouter();
            for (int i = 0; i < settings.engines(); i++) {
                fleet.engines.get(i).awaitReady(fleet.engine(i).resolve("/health"), READY_MS);
            }
            fleet.router.awaitReady(fleet.router().resolve("/ready"), READY_MS);
            fleet.awaitWorkers();
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /** Ready means one worker; a comparison wants all of them from its first request on. */
    private void awaitWorkers() throws InterruptedException {
        long deadline = System.nanoTime() + READY_MS * 1_000_000;
        while (WorkersView.read(admin()).healthy() < settings.engines()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "not all engines joined within " + READY_MS / 1_000 + " s: " + admin() + "/workers");
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Where clients send. */
    URI router() {
        return URI.create("http://127.0.0.1:" + ports[0]);
    }

    /** Where the router is administered. */
    URI admin() {
        return URI.create("http://127.0.0.1:" + ports[1]);
    }

    /** Where agents report what their tools do. */
    String toolEvents() {
        return "tcp://127.0.0.1:" + ports[2];
    }

    /** Base address of an engine. */
    URI engine(int number) {
        return URI.create("http://127.0.0.1:" + enginePort(number, 0));
    }

    int engines() {
        return settings.engines();
    }

    /** Name of an engine, as the router knows it. */
    static String engineName(int number) {
        return "engine-" + (number + 1);
    }

    /** SIGKILL of one engine. */
    synchronized void killEngine(int number) throws InterruptedException {
        engines.get(number).kill();
    }

    /** Starts an engine again, empty, on its old ports. */
    synchronized void restartEngine(int number) throws IOException {
        engines.set(number, startEngine(number));
    }

    /** SIGKILL of the router. */
    synchronized void killRouter() throws InterruptedException {
        router.kill();
    }

    /** Starts the router again on its old ports and files. */
    synchronized ChildProcess restartRouter() throws IOException {
        router = startRouter();
        return router;
    }

    private ChildProcess startEngine(int number) throws IOException {
        List<String> command = new ArrayList<>(settings.engineJava());
        command.addAll(List.of(
                "engine",
                "--port",
                Integer.toString(enginePort(number, 0)),
                "--kv-port",
                Integer.toString(enginePort(number, 1)),
                "--replay-port",
                Integer.toString(enginePort(number, 2)),
                "--model",
                MODEL,
                "--block-size",
                Integer.toString(settings.blockSize()),
                "--blocks",
                Long.toString(blocksPerEngine),
                "--speedup",
                Double.toString(settings.engineSpeedup())));
        String name = engineName(number);
        return ChildProcess.start(name, command, folder.resolve(name + ".log"), Map.of());
    }

    private ChildProcess startRouter() throws IOException {
        List<String> command = new ArrayList<>(settings.routerJava());
        command.addAll(List.of("route", "--config", config().toString()));
        Map<String, String> tools = Map.of("DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT", toolEvents());
        return ChildProcess.start("router", command, folder.resolve("router.log"), tools);
    }

    private int enginePort(int number, int which) {
        return ports[FIRST_ENGINE_PORT + PORTS_PER_ENGINE * number + which];
    }

    private Path config() {
        return folder.resolve("router.yaml");
    }

    private String routerYaml() {
        StringBuilder yaml = new StringBuilder();
        yaml.append("http:\n");
        yaml.append("  host: 127.0.0.1\n");
        yaml.append("  port: ").append(ports[0]).append('\n');
        yaml.append("  adminPort: ").append(ports[1]).append('\n');
        yaml.append("  drainTimeoutMs: 1000\n");
        // The demo's agents send ids beside their messages.
        yaml.append("tokens:\n  fallback:\n    clientTokens: true\n");
        yaml.append("routing:\n");
        yaml.append("  policy: ").append(policy).append('\n');
        // All engines' blocks and a quarter more, for blocks that are dropped and stored again meanwhile.
        long capacity = Math.max(IndexFiles.defaults().capacityBlocks(), blocksPerEngine * settings.engines() * 5 / 4);
        yaml.append("index:\n  capacityBlocks: ").append(capacity).append('\n');
        yaml.append("dataDir: \"").append(folder.resolve("data")).append("\"\n");
        yaml.append("workers:\n");
        for (int i = 0; i < settings.engines(); i++) {
            yaml.append("  - name: ").append(engineName(i)).append('\n');
            yaml.append("    url: ").append(engine(i)).append('\n');
            yaml.append("    model: ").append(MODEL).append('\n');
            yaml.append("    engine: vllm\n");
        }
        return yaml.toString();
    }

    /** Stops everything, the router first. */
    @Override
    public synchronized void close() {
        List<ChildProcess> all = new ArrayList<>(engines);
        if (router != null) {
            all.addFirst(router);
        }
        all.forEach(ChildProcess::askToStop);
        boolean interrupted = Thread.interrupted();
        for (ChildProcess child : all) {
            try {
                child.stop();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
