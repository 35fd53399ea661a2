package io.penstock.dataplane.cli;

import io.penstock.dataplane.Router;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.config.ConfigFile;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code penstock train}: goes through a router's and an engine's start in this JVM, so that the launcher can keep the
 * classes, linked, in an archive that later starts map.
 *
 * <p>The router starts twice on one folder: the first start makes the index file, the second finds it and proves its
 * engine. A few requests of each kind pass through.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "train",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Exercises start and requests for the launcher's class archive.")
final class TrainCommand implements Callable<Integer> {
    private static final long READY_NS = 60_000_000_000L;
    private static final int POLL_MS = 10;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of requests.")
    private int rounds = 20;

    private final HttpClient client = HttpClient.newHttpClient();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-train");
        EngineConfig.Events events = EngineConfig.Events.defaults();
        EngineConfig config = EngineConfig.defaults()
                .withPort(0)
                .withSpeedup(100)
                .withEvents(new EngineConfig.Events(
                        true, 0, 0, events.topic(), events.bufferSteps(), events.bufferBytes(), events.intHashes()));
        try (SimulatedEngine engine = SimulatedEngine.start(config)) {
            Path yaml = Files.writeString(folder.resolve("router.yaml"), yaml(folder, engine, config.model()));
            silent("route", "--config", yaml.toString(), "--print-config");
            silent("engine", "--help");
            silent("demo", "--help");
            for (int start = 0; start < 2; start++) {
                pass(yaml, config.model());
            }
        } finally {
            delete(folder);
        }
        return 0;
    }

    private static String yaml(Path folder, SimulatedEngine engine, String model) {
        return String.join(
                "\n",
                "http:",
                "  host: 127.0.0.1",
                "  port: 0",
                "  adminPort: 0",
                "  drainTimeoutMs: 1000",
                "routing:",
                "  policy: kv",
                "index:",
                "  capacityBlocks: 4096",
                "dataDir: '" + folder.resolve("data").toString().replace("'", "''") + "'",
                "workers:",
                "  - name: engine-1",
                "    url: " + engine.url(),
                "    model: " + model,
                "    engine: vllm",
                "");
    }

    private static void silent(String... command) {
        PrintWriter nothing = new PrintWriter(Writer.nullWriter());
        Penstock.commandLine().setOut(nothing).setErr(nothing).execute(command);
    }

    private void pass(Path yaml, String model) throws IOException, InterruptedException {
        RouterConfig config = ConfigFile.read(RouterConfig.defaults(), yaml, List.of());
        try (Router router = Router.start(config)) {
            URI site = URI.create("http://127.0.0.1:" + router.port());
            URI admin = URI.create("http://127.0.0.1:" + router.adminPort());
            long deadline = System.nanoTime() + READY_NS;
            while (get(site.resolve("/ready")) != 200 && System.nanoTime() < deadline) {
                Thread.sleep(POLL_MS);
            }
            for (int round = 0; round < rounds; round++) {
                post(site.resolve("/v1/completions"), completion(model, round));
                post(site.resolve("/v1/chat/completions"), chat(model, round, true));
                post(site.resolve("/v1/chat/completions"), chat(model, round, false));
                get(admin.resolve("/workers"));
            }
            post(site.resolve("/v1/messages"), chat(model, 0, true));
            for (String path : List.of("/health", "/metrics", "/v1/models")) {
                get(site.resolve(path));
            }
            get(admin.resolve("/decisions"));
        }
    }

    private static String completion(String model, int round) {
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            ids.append(i == 0 ? "" : ",").append(1 + i + 1_000 * (round % 4));
        }
        return "{\"model\":\"" + model + "\",\"max_tokens\":4,\"stream\":true,\"prompt\":[" + ids + "]}";
    }

    private static String chat(String model, int round, boolean stream) {
        return "{\"model\":\"" + model + "\",\"max_tokens\":4,\"stream\":" + stream
                + ",\"messages\":[{\"role\":\"user\",\"content\":\"" + "A word of round " + round + ". ".repeat(50)
                + "\"}]}";
    }

    private int get(URI address) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray())
                .statusCode();
    }

    private void post(URI address, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
