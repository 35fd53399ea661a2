package io.penstock.dataplane.engine;

import static io.penstock.dataplane.engine.EngineFixture.JSON;
import static io.penstock.dataplane.engine.EngineFixture.await;
import static io.penstock.dataplane.engine.EngineFixture.complete;
import static io.penstock.dataplane.engine.EngineFixture.completion;
import static io.penstock.dataplane.engine.EngineFixture.config;
import static io.penstock.dataplane.engine.EngineFixture.get;
import static io.penstock.dataplane.engine.EngineFixture.json;
import static io.penstock.dataplane.engine.EngineFixture.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The engine's HTTP against recorded answers of a real vLLM. */
class EngineHttpTest {
    private static final String CHAT =
            "{\"model\":\"tiny\",\"max_tokens\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"What is the"
                    + " weather?\"}]%s}";
    private static final String TOOLS =
            ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"parameters\":{}}}]";
    private static SimulatedEngine engine;

    @BeforeAll
    static void start() {
        engine = SimulatedEngine.start(config().withBlocks(32, 2048));
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @Test
    void shouldStreamTheRecordedShapeWhenUsageIsAskedFor() throws Exception {
        String recorded = Recordings.http().get("stream_raw").asText();
        String mine = post(
                        engine,
                        "/v1/chat/completions",
                        CHAT.formatted(5, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}"))
                .body();
        assertEquals(shape(recorded), shape(mine));
    }

    @Test
    void shouldStreamTheRecordedShapeWhenAToolIsRequired() throws Exception {
        String recorded = Recordings.http().get("tool_required_stream_raw").asText();
        String more =
                ",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"tool_choice\":\"required\"" + TOOLS;
        String mine = post(engine, "/v1/chat/completions", CHAT.formatted(60, more), "x-sim-finish", "length")
                .body();
        // A token that completes no character has no chunk in the real stream, so repetitions are counted once.
        assertEquals(
                shape(recorded).lines().distinct().toList(),
                shape(mine).lines().distinct().toList());
    }

    @Test
    void shouldCallTheToolWhenItIsNamed() throws Exception {
        String choice = ",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"get_weather\"}}" + TOOLS;
        JsonNode choiceNode =
                json(engine, "/v1/chat/completions", CHAT.formatted(40, choice)).at("/choices/0");
        assertEquals("tool_calls", choiceNode.get("finish_reason").asText());
        assertEquals(
                "get_weather",
                choiceNode.at("/message/tool_calls/0/function/name").asText());
        assertTrue(JSON.readTree(choiceNode
                        .at("/message/tool_calls/0/function/arguments")
                        .asText())
                .isObject());
        JsonNode message = json(engine, "/v1/messages", CHAT.formatted(40, ""), "x-sim-tool-call", "get_weather");
        assertEquals("tool_use", message.get("stop_reason").asText());
        assertTrue(message.at("/content/0/input").isObject());
        JsonNode response = json(
                engine,
                "/v1/responses",
                "{\"input\":\"hi\",\"max_output_tokens\":40}",
                "x-sim-tool-call",
                "get_weather");
        assertEquals("function_call", response.at("/output/0/type").asText());
    }

    @Test
    void shouldAnswerWithTheRecordedFieldsWhenNotStreaming() throws Exception {
        JsonNode recorded = Recordings.http();
        JsonNode chat = json(engine, "/v1/chat/completions", CHAT.formatted(8, ",\"return_token_ids\":true"));
        assertEquals(fields(recorded.get("chat_response")), fields(chat));
        assertEquals(8, chat.at("/choices/0/token_ids").size());
        JsonNode rendered = json(engine, "/v1/chat/completions/render", CHAT.formatted(8, ""));
        assertEquals(fields(recorded.get("render_response")), fields(rendered));
        JsonNode generated = json(engine, "/inference/v1/generate", rendered.toString());
        assertTrue(fields(recorded.get("generate_response")).containsAll(fields(generated)));
        JsonNode tokenized = json(engine, "/tokenize", CHAT.formatted(8, ""));
        assertEquals(fields(recorded.get("tokenize")), fields(tokenized));
    }

    @Test
    void shouldSeeTheSameTokensWhenTokenizedRenderedAndServed() throws Exception {
        JsonNode served = json(engine, "/v1/chat/completions", CHAT.formatted(8, ",\"return_token_ids\":true" + TOOLS));
        assertEquals(
                served.get("prompt_token_ids"),
                json(engine, "/tokenize", CHAT.formatted(8, TOOLS)).get("tokens"));
        assertEquals(
                served.get("prompt_token_ids"),
                json(engine, "/v1/chat/completions/render", CHAT.formatted(8, TOOLS))
                        .get("token_ids"));
        String text = "<|im_start|>user\nÄ 漢 \u0001<|im_end|>";
        JsonNode tokens = json(
                        engine,
                        "/tokenize",
                        JSON.createObjectNode().put("prompt", text).toString())
                .get("tokens");
        assertEquals(1, tokens.get(0).asInt());
        assertEquals(2, tokens.get(tokens.size() - 1).asInt());
        String back = json(engine, "/detokenize", "{\"tokens\":" + tokens + "}")
                .get("prompt")
                .asText();
        assertEquals("user\nÄ 漢 \u0001", back);
    }

    @Test
    void shouldFindItsOwnAnswerCachedWhenTheContextGrows() throws Exception {
        String first = "{\"role\":\"user\",\"content\":\"" + "a".repeat(100) + "\"}";
        JsonNode turn = json(
                engine,
                "/v1/chat/completions",
                "{\"max_tokens\":200,\"messages\":[" + first + "]}",
                "x-sim-output-tokens",
                "120");
        assertEquals("stop", turn.at("/choices/0/finish_reason").asText());
        String second = JSON.createObjectNode()
                .put("role", "assistant")
                .put("content", turn.at("/choices/0/message/content").asText())
                .toString();
        JsonNode next = json(
                engine,
                "/v1/chat/completions",
                "{\"max_tokens\":5,\"messages\":[" + first + "," + second + "," + first + "]}");
        int known = turn.at("/usage/total_tokens").asInt() - 1;
        assertEquals(
                known / 32 * 32,
                next.at("/usage/prompt_tokens_details/cached_tokens").asInt());
    }

    @Test
    void shouldAnswerEachApiWhenStreamingAndNot() throws Exception {
        JsonNode message = json(
                engine, "/v1/messages", CHAT.formatted(7, ",\"system\":[{\"type\":\"text\",\"text\":\"be brief\"}]"));
        assertEquals("max_tokens", message.get("stop_reason").asText());
        assertEquals(7, message.at("/usage/output_tokens").asInt());
        String events = post(engine, "/v1/messages", CHAT.formatted(7, ",\"stream\":true"))
                .body();
        assertTrue(events.startsWith("event: message_start\ndata: {"), events);
        assertTrue(events.endsWith("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), events);
        JsonNode response = json(
                engine,
                "/v1/responses",
                "{\"model\":\"tiny\",\"input\":\"hi\",\"max_output_tokens\":7}",
                "x-sim-finish",
                "stop");
        assertEquals("completed", response.get("status").asText());
        assertEquals(7, response.at("/usage/output_tokens").asInt());
        events = post(
                        engine,
                        "/v1/responses",
                        "{\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}]}],\"stream\":true}")
                .body();
        int number = 0;
        for (String line : events.lines().filter(l -> l.startsWith("data: ")).toList()) {
            assertEquals(
                    number++,
                    JSON.readTree(line.substring(6)).get("sequence_number").asInt());
        }
        assertTrue(number > 8);
        String stream =
                post(engine, "/v1/completions", completion(5, 40, 3, true)).body();
        assertEquals(3 + 1, stream.split("\n\n").length);
        assertTrue(stream.endsWith("data: [DONE]\n\n"));
    }

    @Test
    void shouldRefuseInTheApisOwnWordsWhenARequestIsBad() throws Exception {
        HttpResponse<String> broken = post(engine, "/v1/chat/completions", "{\"messages\":[");
        assertEquals(400, broken.statusCode());
        assertEquals(400, JSON.readTree(broken.body()).at("/error/code").asInt());
        HttpResponse<String> unknown = post(engine, "/v1/messages", "{\"model\":\"nobody\",\"messages\":[]}");
        assertEquals(404, unknown.statusCode());
        assertEquals(
                "not_found_error",
                JSON.readTree(unknown.body()).at("/error/type").asText());
        assertEquals(
                400,
                post(engine, "/v1/completions", completion(0, 32 * 2047, 1, false))
                        .statusCode());
        assertEquals(
                400, post(engine, "/v1/completions", "{\"prompt\":[1,\"a\"]}").statusCode());
        assertEquals(
                400, post(engine, "/v1/completions", "{\"prompt\":[1],\"n\":2}").statusCode());
        assertEquals(400, post(engine, "/v1/completions", "{\"prompt\":[]}").statusCode());
        assertEquals(
                400,
                post(engine, "/v1/completions", completion(0, 3, 1, false), "X-data-parallel-rank", "7")
                        .statusCode());
        assertEquals(404, post(engine, "/v1/nothing", "{}").statusCode());
        assertEquals(0, engine.usedBlocks(0));
    }

    @Test
    void shouldNameItsMetricsAsVllmDoesWhenScraped() throws Exception {
        complete(engine, 70_000, 64, 2);
        TreeSet<String> recorded = names(Recordings.http().get("metrics").asText());
        String text = get(engine, "/metrics");
        TreeSet<String> mine = names(text);
        for (String name : mine) {
            assertTrue(recorded.contains(name), "vLLM has no " + name);
        }
        assertTrue(mine.containsAll(List.of(
                "vllm:kv_cache_usage_perc",
                "vllm:num_requests_running",
                "vllm:cache_config_info",
                "vllm:prefix_cache_hits_total")));
        assertTrue(
                text.contains(
                        "vllm:num_requests_waiting_by_reason{engine=\"0\",model_name=\"tiny\",reason=\"capacity\"}"
                                + " 0.0"),
                text);
        assertTrue(
                text.contains(
                        "vllm:request_success_total{engine=\"0\",finished_reason=\"length\",model_name=\"tiny\"}"),
                text);
        assertTrue(text.contains("num_gpu_blocks=\"2048\""));
    }

    @Test
    void shouldAnswerAllWhenFiftyComeAtOnce() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            var request = EngineFixture.request(
                    engine, "/v1/completions", completion(200_000 + 1000 * (i % 7), 500 + i, 20, i % 2 == 0));
            answers.add(EngineFixture.client().sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertEquals(200, answer.get().statusCode());
            assertTrue(answer.get().body().contains("\"finish_reason\":\"length\""));
        }
        await("all blocks back", () -> engine.usedBlocks(0) == 0);
        assertEquals("{\"server_load\":0}", get(engine, "/load"));
    }

    @Test
    void shouldFreeItsBlocksWhenTheClientGoesAway() throws Exception {
        byte[] body = completion(300_000, 320, 100_000, true)
                .replace("100000", "20000")
                .getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("127.0.0.1", engine.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            await("a running request", () -> engine.usedBlocks(0) >= 10);
            assertEquals('H', socket.getInputStream().read());
        }
        await("all blocks back", () -> engine.usedBlocks(0) == 0 && engine.activeRequests(0) == 0);
    }

    /** A stream with everything that differs from run to run replaced. */
    private static String shape(String stream) {
        return stream.replaceAll("\"id\":\"chatcmpl-tool-[0-9a-f]+\"", "\"id\":\"TOOL\"")
                .replaceAll("\"id\":\"chatcmpl-[0-9a-f]{16}\"", "\"id\":\"ID\"")
                .replaceAll("\"created\":\\d+", "\"created\":N")
                .replaceAll("\"content\":\"(?:[^\"\\\\]|\\\\.)+\"", "\"content\":\"T\"")
                .replaceAll("\"arguments\":\"(?:[^\"\\\\]|\\\\.)*\"", "\"arguments\":\"T\"")
                .replaceAll("_tokens\":\\d+", "_tokens\":N")
                .replaceAll("\"system_fingerprint\":\"[^\"]+\"", "\"system_fingerprint\":\"F\"");
    }

    /** All field paths of an object. */
    private static TreeSet<String> fields(JsonNode node) {
        TreeSet<String> paths = new TreeSet<>();
        collect(node, "", paths);
        return paths;
    }

    private static void collect(JsonNode node, String path, TreeSet<String> paths) {
        if (node.isArray() && !node.isEmpty()) {
            collect(node.get(0), path + "[]", paths);
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            paths.add(path + "/" + name);
            collect(node.get(name), path + "/" + name, paths);
        }
    }

    private static TreeSet<String> names(String metrics) {
        TreeSet<String> names = new TreeSet<>();
        metrics.lines().filter(l -> l.startsWith("vllm:")).forEach(l -> names.add(l.substring(0, l.indexOf('{'))));
        return names;
    }
}
