package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.penstock.bindings.kvhint.HintAction;
import io.penstock.bindings.kvhint.HintMessage;
import io.penstock.bindings.kvhint.KvFetch;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.hints.HintsConfig;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.workers.HintWay;
import io.penstock.dataplane.workers.WorkerHints;
import io.penstock.dataplane.workers.WorkerSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole router: an engine's events, a request that goes elsewhere, and the hint in it. */
class HintsInRouterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BLOCK = 16;

    @TempDir
    Path data;

    private static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within twenty seconds: " + what);
            }
            Thread.yield();
        }
    }

    /** An engine without events that keeps what it is sent. */
    private static HttpServer keeping(List<String> bodies) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!body.isEmpty()) {
                bodies.add(body);
            }
            byte[] answer = "{\"choices\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static WorkerSpec worker(String name, String url, String engine, WorkerHints hints) {
        return new WorkerSpec(
                name, url, "tiny", engine, BLOCK, 0, null, null, null, null, null, null, hints);
    }

    private static void complete(HttpClient http, Router router, String worker) throws Exception {
        String body = JSON.writeValueAsString(Map.of(
                "model", "tiny", "prompt", IntStream.range(0, 10 * BLOCK + 3).boxed().toList(), "max_tokens", 1));
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + "/v1/completions"))
                        .header("x-dynamo-worker-instance-id", worker)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
    }

    @Test
    void shouldTellTheEngineInTheRequestWhomToFetchFrom() throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer taker = keeping(bodies);
        WorkerHints source = new WorkerHints(HintWay.NONE, "x", List.of("tcp://10.1.2.3:7000"), null);
        WorkerHints takes = new WorkerHints(HintWay.REQUEST, "x", null, null);
        try (SimulatedEngine engine = SimulatedEngine.start(
                        EngineConfig.defaults().withModel("tiny", List.of()).withSpeedup(100));
                HttpClient http = HttpClient.newHttpClient();
                Router router = Router.start(
                        RouterConfig.defaults()
                                .with(
                                        HttpConfig.defaults().onLoopback(0, 0),
                                        List.of(
                                                worker("holds", engine.url(), "vllm", source),
                                                worker(
                                                        "takes",
                                                        "http://127.0.0.1:"
                                                                + taker.getAddress().getPort(),
                                                        "none",
                                                        takes)),
                                        data.toString())
                                .with(new HintsConfig(true, 16, 4_096, 1_000, "router", 0)),
                        () -> {})) {
            until("both are in", () -> router.view().slots().size() == 2);
            complete(http, router, "holds");
            until("its events are in", () -> router.view().slots().stream().anyMatch(slot -> slot.deviceBlocks() >= 10));
            complete(http, router, "takes");
            until("the request is there", () -> !bodies.isEmpty());
            JsonNode hint = JSON.readTree(bodies.getLast()).at("/kv_transfer_params/kv_hint");
            byte[] text = JSON.writeValueAsBytes(hint);
            HintAction action =
                    HintMessage.decode(text, 0, text.length).actions().getFirst();
            KvFetch fetch = KvFetch.decode(action);
            assertEquals("tcp://10.1.2.3:7000", fetch.sourceControlEndpoint());
            assertEquals(10, fetch.blockHashes().length);
            String metrics = http.send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + router.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            assertTrue(metrics.lines().anyMatch("penstock_hints_sent_total 1.0"::equals), metrics);
        } finally {
            taker.stop(0);
        }
    }
}
