package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.Router;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.config.ConfigFile;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** From a served request to its explanation, over real sockets. */
class ExplainCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path data;

    private final HttpClient http = HttpClient.newHttpClient();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldExplainAServedRequestByTheNumberThatItsAnswerNames() throws Exception {
        EngineConfig engines =
                EngineConfig.defaults().withModel("tiny", List.of()).withSpeedup(100);
        RouterConfig config = ConfigFile.read(RouterConfig.defaults(), null, List.of("inputLog.enabled=true"));
        String seq;
        try (SimulatedEngine a = SimulatedEngine.start(engines);
                SimulatedEngine b = SimulatedEngine.start(engines);
                Router router = Router.start(
                        config.with(
                                HttpConfig.defaults().onLoopback(0, 0),
                                List.of(worker("a", a), worker("b", b)),
                                data.toString()),
                        () -> {})) {
            long end = System.nanoTime() + 20_000_000_000L;
            HttpResponse<String> answer = ask(router);
            while (answer.statusCode() != 200) {
                assertTrue(System.nanoTime() < end, answer.body());
                Thread.yield();
                answer = ask(router);
            }
            seq = answer.headers().firstValue("x-penstock-seq").orElseThrow();
            JsonNode decision = JSON.readTree(get(router, "/decisions?limit=1")).get(0);
            assertEquals(seq, decision.get("seq").asText());
        }
        String log = data.resolve("inputlog").toString();
        assertEquals(0, run("explain", seq, "--log", log, "--policy", "random"), err.toString());
        String text = out.toString();
        assertTrue(text.startsWith("request " + seq + " of "), text);
        assertTrue(text.contains("equal to the decision of then, byte for byte"), text);
        assertTrue(text.contains("with policy random: "), text);
        out.getBuffer().setLength(0);
        assertEquals(0, run("explain", seq, "--log", log, "--json"), err.toString());
        JsonNode json = JSON.readTree(out.toString());
        assertTrue(json.get("equal").asBoolean());
        assertEquals("ROUTED", json.get("status").asText());
        assertEquals(1 + json.get("decisionsBefore").asInt(), all(log));
        refusals(log);
    }

    private int all(String log) throws Exception {
        out.getBuffer().setLength(0);
        assertEquals(0, run("explain", "--all", "--log", log, "--json"), err.toString());
        JsonNode json = JSON.readTree(out.toString());
        assertEquals(json.get("decisions").asInt(), json.get("equal").asInt());
        return json.get("equal").asInt();
    }

    private void refusals(String log) {
        assertRefused(1, "not in the log: seq=99999999", "explain", "99999999", "--log", log);
        assertRefused(
                2,
                "no input log there: log=",
                "explain",
                "7",
                "--log",
                data.resolve("none").toString());
        assertRefused(
                2,
                "not one of kv, round-robin, least-loaded, random: --policy=best",
                "explain",
                "7",
                "--policy",
                "best");
        assertRefused(2, "either SEQ or --all is expected", "explain", "--log", log);
    }

    private void assertRefused(int status, String line, String... args) {
        err.getBuffer().setLength(0);
        assertEquals(status, run(args));
        assertTrue(err.toString().startsWith(line), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    private static WorkerSpec worker(String name, SimulatedEngine engine) {
        return new WorkerSpec(name, engine.url(), "tiny", "vllm", 0, 0, null, null, null, null, null);
    }

    private HttpResponse<String> ask(Router router) throws Exception {
        String body = JSON.writeValueAsString(java.util.Map.of(
                "model", "tiny", "prompt", IntStream.range(0, 200).boxed().toList(), "max_tokens", 4));
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + "/v1/completions"))
                        .header("x-penstock-explain", "1")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String get(Router router, String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.adminPort() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private int run(String... args) {
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }
}
