package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.http.DecisionLog;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.pool.PoolLayout;
import io.penstock.dataplane.workers.WorkerSpec;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures that the documents explain are those that a running router shows. */
class DocumentedFiguresTest {
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) ");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(penstock_\\w+)` \\|");
    private static final Pattern FIELD = Pattern.compile("(?m)^\\| (`\\w+`(?:, `\\w+`)*) \\|");

    @TempDir
    Path data;

    private static String document(String name) throws Exception {
        return Files.readString(Path.of(System.getProperty("penstock.root"), "docs", name));
    }

    /** A pool whose master is not there: its families are. */
    private static PoolConfig absentPool() {
        PoolLayout layout = new PoolLayout(
                "tiny", null, 16, 1, 1, 0, 0, null, false, false, 0, false, null, null, "", null, null, null, null);
        return new PoolConfig(
                "tcp://127.0.0.1:9", "http://127.0.0.1:9", "", "default", List.of(layout), 60, 0, 100, 60, 100);
    }

    @Test
    void shouldExplainEveryMetricWhenARouterServes() throws Exception {
        Set<String> shown = Set.of();
        try (SimulatedEngine engine =
                        SimulatedEngine.start(EngineConfig.defaults().withModel("tiny", List.of()));
                HttpClient http = HttpClient.newHttpClient()) {
            WorkerSpec spec = new WorkerSpec("w", engine.url(), "tiny", "vllm", 0, 0, null, null, null, null, null);
            RouterConfig config = RouterConfig.defaults()
                    .with(HttpConfig.defaults().onLoopback(0, 0), List.of(spec), data.toString())
                    .with(absentPool());
            try (Router router = Router.start(config, () -> {})) {
                HttpRequest metrics = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + router.port() + "/metrics"))
                        .build();
                // Families of worker, feed and index come with the first worker.
                long end = System.nanoTime() + 60_000_000_000L;
                while (!shown.containsAll(Set.of(
                                "penstock_overlap_trust",
                                "penstock_feed_live",
                                "penstock_index_blocks",
                                "penstock_pool_counts"))
                        && System.nanoTime() < end) {
                    shown = FAMILY.matcher(http.send(metrics, HttpResponse.BodyHandlers.ofString())
                                    .body())
                            .results()
                            .map(found -> found.group(1))
                            .collect(Collectors.toCollection(TreeSet::new));
                    Thread.yield();
                }
            }
        }
        Set<String> explained = ROW.matcher(document("operations.md"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> missing = new TreeSet<>(shown);
        missing.removeAll(explained);
        explained.removeAll(shown);
        assertTrue(
                missing.isEmpty() && explained.isEmpty(),
                () -> "docs/operations.md, Metrics: to be added " + missing + ", to be taken out " + explained);
    }

    @Test
    void shouldExplainEveryFieldOfADecision() throws Exception {
        String text = document("formats/decisions.md");
        Set<String> explained = FIELD.matcher(text)
                .results()
                .flatMap(found -> Arrays.stream(found.group(1).split(", ")))
                .map(name -> name.replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> fields = Stream.of(DecisionLog.Entry.class, DecisionLog.Candidate.class)
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(fields, explained);
        int from = text.indexOf("```json\n") + "```json\n".length();
        JsonNode sample = new ObjectMapper()
                .readTree(text.substring(from, text.indexOf("```", from)))
                .get(0);
        Set<String> used = new TreeSet<>();
        sample.fieldNames().forEachRemaining(used::add);
        sample.get("candidates").get(0).fieldNames().forEachRemaining(used::add);
        assertEquals(fields, used);
    }
}
