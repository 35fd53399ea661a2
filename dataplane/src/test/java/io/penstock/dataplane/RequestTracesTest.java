package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.sinks.DynamoTraceJson;
import io.penstock.dataplane.workers.WorkerSpec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a whole router writes for those who know Dynamo's traces. */
class RequestTracesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BLOCK = 64;

    @TempDir
    Path folder;

    private List<JsonNode> rows(Map<String, String> environment, List<HttpRequest.Builder> requests) throws Exception {
        Path file = folder.resolve("trace.jsonl");
        Map<String, String> all = new java.util.HashMap<>(environment);
        all.put("DYN_REQUEST_TRACE_SINKS", "jsonl");
        all.put("DYN_REQUEST_TRACE_FILE_PATH", file.toString());
        EngineConfig settings = EngineConfig.defaults()
                .withModel("tiny", List.of())
                .withSpeedup(100)
                .withBlocks(BLOCK, 1_000);
        try (SimulatedEngine engine = SimulatedEngine.start(settings);
                HttpClient http = HttpClient.newHttpClient()) {
            WorkerSpec worker = new WorkerSpec("w", engine.url(), "tiny", "vllm", 0, 0, null, null, null, null, null);
            RouterConfig config = RouterConfig.defaults()
                    .with(
                            HttpConfig.defaults().onLoopback(0, 0),
                            List.of(worker),
                            folder.resolve("data").toString());
            try (Router router = Router.start(config, all, () -> {})) {
                String url = "http://127.0.0.1:" + router.port();
                HttpRequest ready =
                        HttpRequest.newBuilder(URI.create(url + "/ready")).build();
                long end = System.nanoTime() + 20_000_000_000L;
                while (http.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() != 200) {
                    assertTrue(System.nanoTime() < end, "not ready within 20 s");
                    Thread.yield();
                }
                for (HttpRequest.Builder request : requests) {
                    HttpRequest sent =
                            request.uri(URI.create(url + "/v1/completions")).build();
                    HttpResponse<String> answer = http.send(sent, HttpResponse.BodyHandlers.ofString());
                    assertEquals(200, answer.statusCode(), answer::body);
                }
            }
        }
        List<JsonNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            rows.add(JSON.readTree(line).get("event"));
        }
        return rows;
    }

    private static HttpRequest.Builder prompt(String more) {
        String tokens = IntStream.range(0, 130).mapToObj(Integer::toString).collect(Collectors.joining(","));
        return HttpRequest.newBuilder()
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"tiny\",\"max_tokens\":4,\"prompt\":[" + tokens + "]" + more + "}"));
    }

    @Test
    void shouldWriteOneRowARequestWithTheHashesThatDynamoComputes() throws Exception {
        List<JsonNode> rows = rows(
                Map.of("DYN_REQUEST_TRACE", "1"),
                List.of(
                        prompt("").header("x-dynamo-session-id", "s").header("x-dynamo-parent-session-id", "p"),
                        prompt(",\"stream\":true").header("x-request-id", "mine")));

        assertEquals(2, rows.size());
        JsonNode agent = rows.getFirst();
        assertEquals("dynamo", agent.get("event_source").textValue());
        assertEquals("s", agent.at("/agent_context/session_id").textValue());
        assertEquals("p", agent.at("/agent_context/parent_session_id").textValue());
        assertEquals("tiny", agent.at("/request/model").textValue());
        assertEquals(
                DynamoTraceJson.workerId("w"),
                agent.at("/request/worker/decode_worker_id").longValue());
        assertEquals(
                "length",
                agent.at("/request/finish_reason_metadata/finish_reason").textValue());
        for (JsonNode row : rows) {
            assertEquals(130, row.at("/request/input_tokens").intValue());
            assertEquals(4, row.at("/request/output_tokens").intValue());
            assertEquals(
                    "{\"trace_block_size\":64,\"input_length\":130,\"input_sequence_hashes\":"
                            + "[3480597578098033343,2575318956255022795,6999238864313042084]}",
                    row.at("/request/replay").toString());
            assertTrue(row.at("/request/total_time_ms").doubleValue() > 0);
            assertFalse(row.toString().contains("null"));
        }
        JsonNode nobody = rows.get(1);
        assertFalse(nobody.has("agent_context") || nobody.has("event_source"));
        assertFalse(nobody.get("request").has("x_request_id"));
    }

    @Test
    void shouldWriteContentAndNamedHeadersWhenTheEnvironmentAsksForThem() throws Exception {
        List<JsonNode> rows = rows(
                Map.of(
                        "DYN_REQUEST_TRACE_RECORDS", "request_payload",
                        "DYN_REQUEST_TRACE_HTTP_HEADER_CAPTURE_LIST", "X-Team"),
                List.of(prompt(",\"stream\":true")
                        .header("x-team", "a")
                        .header("X-TEAM", "b")
                        .header("x-other", "c")));

        assertEquals(1, rows.size());
        JsonNode payload = rows.getFirst().get("payload");
        assertEquals("request_payload", rows.getFirst().get("event_type").textValue());
        assertEquals("openai.completion", payload.get("endpoint").textValue());
        assertTrue(payload.get("payload_complete").booleanValue(), payload::toString);
        assertEquals(130, payload.at("/request/prompt").size());
        assertEquals("length", payload.at("/response/choices/0/finish_reason").textValue());
        assertEquals(
                "{\"x-team\":\"a, b\"}", payload.get("http_request_headers").toString());
    }

    @Test
    void shouldKeepNoContentWhenNobodyAskedForIt() throws Exception {
        List<JsonNode> rows = rows(Map.of("DYN_REQUEST_TRACE", "1"), List.of(prompt("")));

        assertEquals(
                List.of("request_end"),
                rows.stream().map(row -> row.get("event_type").textValue()).toList());
    }
}
