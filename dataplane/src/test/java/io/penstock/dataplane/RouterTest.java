package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole router before simulated engines, over real sockets. */
class RouterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BLOCK = 16;

    @TempDir
    Path data;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<SimulatedEngine> engines = new ArrayList<>();
    private Router router;

    @AfterEach
    void stop() {
        if (router != null) {
            router.close();
        }
        engines.forEach(SimulatedEngine::close);
        http.close();
    }

    private SimulatedEngine engine() {
        SimulatedEngine engine = SimulatedEngine.start(
                EngineConfig.defaults().withModel("tiny", List.of()).withSpeedup(100));
        engines.add(engine);
        return engine;
    }

    private static WorkerSpec worker(String name, SimulatedEngine engine) {
        return new WorkerSpec(name, engine.url(), "tiny", "vllm", 0, 0, null, null, null, null, null);
    }

    private void start(WorkerSpec... workers) throws Exception {
        RouterConfig config =
                RouterConfig.defaults().with(HttpConfig.defaults().onLoopback(0, 0), List.of(workers), data.toString());
        router = Router.start(config, () -> {});
        until(
                "all workers are healthy",
                () -> get(router.adminPort(), "/workers").findValuesAsText("state").stream()
                                .filter("healthy"::equals)
                                .count()
                        == workers.length);
    }

    private static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within twenty seconds: " + what);
            }
            Thread.yield();
        }
    }

    private JsonNode get(int port, String path) throws IOException, InterruptedException {
        return JSON.readTree(text(port, path));
    }

    private String text(int port, String path) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private HttpResponse<String> complete(List<Integer> tokens, boolean stream, String... headers) throws Exception {
        String body = JSON.writeValueAsString(
                java.util.Map.of("model", "tiny", "prompt", tokens, "max_tokens", 4, "stream", stream));
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + router.port() + "/v1/completions"))
                .header("x-penstock-explain", "1")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static List<Integer> tokens(int from, int count) {
        return java.util.stream.IntStream.range(from, from + count).boxed().toList();
    }

    /** Blocks that the index knows over all workers. */
    private long indexed() {
        return router.view().slots().stream()
                .mapToLong(slot -> slot.deviceBlocks())
                .sum();
    }

    private static int cached(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body())
                .path("usage")
                .path("prompt_tokens_details")
                .path("cached_tokens")
                .asInt(0);
    }

    private static int predicted(HttpResponse<String> answer) {
        return Integer.parseInt(answer.headers()
                .firstValue("x-penstock-predicted-cached-tokens")
                .orElseThrow());
    }

    private static String chosen(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-penstock-worker").orElseThrow();
    }

    @Test
    void shouldSendASessionWhereItsPrefixLiesAndPredictWhatTheEngineReports() throws Exception {
        start(worker("a", engine()), worker("b", engine()));
        for (int session = 0; session < 4; session++) {
            String home = null;
            for (int turn = 1; turn <= 4; turn++) {
                long before = indexed();
                HttpResponse<String> answer = complete(tokens(1_000 * session, turn * 4 * BLOCK + 3), false);
                assertEquals(200, answer.statusCode(), answer.body());
                assertEquals(cached(answer), predicted(answer), "session " + session + " turn " + turn);
                assertEquals(turn == 1 ? 0 : (turn - 1) * 4 * BLOCK, cached(answer));
                home = turn == 1 ? chosen(answer) : home;
                assertEquals(home, chosen(answer));
                until("the events are in the index", () -> indexed() >= before + 4);
            }
        }
        JsonNode workers = get(router.adminPort(), "/workers");
        assertTrue(workers.findValuesAsText("trust").stream().allMatch("1.0"::equals), workers.toString());
        String metrics = text(router.port(), "/metrics");
        assertTrue(metrics.contains("penstock_requests_routed_total 16.0"), metrics);
        JsonNode decisions = get(router.adminPort(), "/decisions?limit=1");
        assertEquals("ROUTED", decisions.get(0).get("status").asText());
    }

    @Test
    void shouldShowTheSessionsOfItsRequestsWithTheirChildren() throws Exception {
        start(worker("a", engine()));
        for (int turn = 1; turn <= 3; turn++) {
            complete(tokens(0, turn * 2 * BLOCK), turn == 2, "x-dynamo-session-id", "root/1");
        }
        complete(tokens(50, BLOCK), true, "x-dynamo-session-id", "sub", "x-dynamo-parent-session-id", "root/1");
        until(
                "four records",
                () -> get(router.adminPort(), "/sessions").get("sessions").findValuesAsText("turns").stream()
                                .mapToInt(Integer::parseInt)
                                .sum()
                        == 4);
        JsonNode root = get(router.adminPort(), "/sessions/root%2F1");
        assertEquals(3, root.get("turns").asInt());
        assertEquals(12 * BLOCK, root.get("inputTokens").asInt());
        assertEquals(12, root.get("outputTokens").asInt());
        assertEquals("a", root.get("worker").asText());
        assertEquals("dynamo", root.get("source").asText());
        assertEquals("length", root.get("finishReason").asText());
        assertEquals("sub", root.get("children").get(0).get("session").asText());
        assertEquals(13 * BLOCK, root.at("/tree/inputTokens").asInt());
        String metrics = text(router.port(), "/metrics");
        assertTrue(metrics.contains("penstock_sessions 2.0"), metrics);
        assertTrue(metrics.contains("penstock_identified_total{source=\"dynamo\"} 4.0"), metrics);
    }

    @Test
    void shouldFailNoRequestThatHadNotBegunWhenAnEngineDies() throws Exception {
        SimulatedEngine dying = engine();
        start(worker("a", dying), worker("b", engine()));
        for (int i = 0; i < 40; i++) {
            if (i == 20) {
                dying.kill();
            }
            HttpResponse<String> answer = complete(tokens(500 * i, 100), i % 2 == 0);
            assertEquals(200, answer.statusCode(), answer.body());
        }
        until(
                "the dead worker is seen",
                () -> get(router.adminPort(), "/workers")
                        .findValuesAsText("state")
                        .contains("unhealthy"));
        assertTrue(get(router.port(), "/ready").get("ready").asBoolean());
    }

    @Test
    void shouldKnowWhatTheEnginesHoldWhenItIsStartedAgain() throws Exception {
        SimulatedEngine first = engine();
        SimulatedEngine second = engine();
        start(worker("a", first), worker("b", second));
        List<Integer> prompt = tokens(7, 20 * BLOCK + 1);
        String home = chosen(complete(prompt, false));
        until("the events are in the index", () -> indexed() >= 20);
        router.close();
        long beginNs = System.nanoTime();
        start(worker("a", first), worker("b", second));
        until(
                "the engine has proven to be the same",
                () -> get(router.adminPort(), "/workers").findValuesAsText("state").stream()
                                .filter("proven"::equals)
                                .count()
                        == 2);
        System.out.println("warm after " + (System.nanoTime() - beginNs) / 1_000_000 + " ms");
        HttpResponse<String> again = complete(prompt, false);
        assertEquals(home, chosen(again));
        assertEquals(20 * BLOCK, predicted(again));
        assertEquals(20 * BLOCK, cached(again));
    }

    @Test
    void shouldPickTheRankThatHoldsThePrefix() throws Exception {
        SimulatedEngine engine = SimulatedEngine.start(EngineConfig.defaults()
                .withModel("tiny", List.of())
                .withSpeedup(100)
                .withDpSize(2));
        engines.add(engine);
        start(worker("dp", engine));
        for (int session = 0; session < 4; session++) {
            for (int turn = 1; turn <= 2; turn++) {
                long before = indexed();
                HttpResponse<String> answer = complete(tokens(2_000 * session, turn * 4 * BLOCK + 3), true);
                assertEquals(200, answer.statusCode(), answer.body());
                assertEquals(turn == 1 ? 0 : 4 * BLOCK, predicted(answer));
                until("the events are in the index", () -> indexed() >= before + 4);
            }
        }
        until(
                "all ends are told",
                () -> router.view().slots().stream()
                                .mapToLong(slot -> slot.activeRequests())
                                .sum()
                        == 0);
        long actual = router.view().slots().stream()
                .mapToLong(slot -> slot.actualTokens())
                .sum();
        assertEquals(4 * 4 * BLOCK, actual);
        assertTrue(router.view().slots().stream().allMatch(slot -> slot.deviceBlocks() > 0));
    }

    @Test
    void shouldTakeWorkersInAndOutThroughTheAdminPort() throws Exception {
        start();
        assertEquals(404, complete(tokens(0, 10), false).statusCode());
        SimulatedEngine engine = engine();
        String spec = "{\"name\":\"late\",\"url\":\"" + engine.url() + "\",\"model\":\"tiny\"}";
        assertEquals(200, admin("POST", "/workers", spec).statusCode());
        until("it is ready", () -> get(router.port(), "/ready").get("ready").asBoolean());
        until("it serves", () -> complete(tokens(0, 10), false).statusCode() == 200);
        assertEquals(400, admin("POST", "/workers", spec).statusCode());
        assertEquals(200, admin("POST", "/workers/late/drain", "").statusCode());
        until("nothing new is sent to it", () -> complete(tokens(0, 10), false).statusCode() == 503);
        assertEquals(200, admin("DELETE", "/workers/late", "").statusCode());
        until("it is forgotten", () -> get(router.adminPort(), "/workers").isEmpty());
    }

    private HttpResponse<String> admin(String method, String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.adminPort() + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldRefuseAFolderThatAnotherRouterUses() throws Exception {
        start(worker("a", engine()));
        RouterConfig second =
                RouterConfig.defaults().with(HttpConfig.defaults().onLoopback(0, 0), List.of(), data.toString());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Router.start(second, () -> {}));
        assertEquals(
                "another router (pid " + ProcessHandle.current().pid() + ") uses this folder: dataDir=" + data,
                refused.getMessage());
        assertFalse(data.resolve("counters.dat.previous").toFile().exists());
    }

    @Test
    void shouldSayHowTheIndexWasFoundWhenAskedForItsHealth() throws Exception {
        SimulatedEngine engine = engine();
        start(worker("a", engine));
        assertEquals("created", outcome());
        router.close();
        start(worker("a", engine));
        assertEquals("clean", outcome());
    }

    @Test
    void shouldHaveAnEntryForEachNativeLibraryInHealth() throws Exception {
        start(worker("a", engine()));
        URI health = URI.create("http://127.0.0.1:" + router.port() + "/health");
        JsonNode body =
                JSON.readTree(http.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        Map<String, JsonNode> libraries = new TreeMap<>();
        body.get("libraries")
                .forEach(library -> libraries.put(library.get("name").textValue(), library));
        assertEquals(Set.of("Mooncake store", "NIXL"), libraries.keySet());
        // Another test of this JVM may have asked for one.
        NativeLibrary nixl = NativeLibrary.asked(LibrarySpec.NIXL);
        String state = nixl == null ? "unused" : nixl.state().name().toLowerCase(Locale.ROOT);
        assertEquals(state, libraries.get("NIXL").get("state").textValue());
        // What was looked for is found with its version, or absent with its cause.
        NativeLibrary store = NativeLibrary.of(LibrarySpec.MOONCAKE_STORE);
        body = JSON.readTree(http.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString())
                .body());
        JsonNode entry = body.get("libraries").get(1);
        assertEquals("Mooncake store", entry.get("name").textValue());
        assertEquals(store.version(), entry.path("version").textValue());
        assertEquals(store.cause(), entry.path("cause").textValue());
    }

    private String outcome() throws Exception {
        URI health = URI.create("http://127.0.0.1:" + router.port() + "/health");
        JsonNode body =
                JSON.readTree(http.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        assertEquals("tiny-16.pst", body.at("/index/0/file").asText());
        return body.at("/index/0/outcome").asText();
    }
}
