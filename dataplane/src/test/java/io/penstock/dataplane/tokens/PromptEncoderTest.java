package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.hashing.PromptHasher;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.jinja.PyJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class PromptEncoderTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static PromptEncoder local() {
        return TinyModel.encoder(TinyModel.local(), m -> null);
    }

    private static PromptEncoder textOnly() {
        return TinyModel.encoder(ModelTokens.defaults(), m -> null);
    }

    private static long[] hashes(int[] tokens, int blockSize, String adapter, String salt) {
        PromptHasher hasher = PromptHasher.of(blockSize, adapter, salt);
        long[] out = new long[hasher.blocks(tokens.length)];
        hasher.chain(tokens, tokens.length, 0, out);
        return out;
    }

    @Test
    void shouldHashTheGivenIdsWhenTheRequestHoldsThem() {
        int[] ids = IntStream.range(0, 100).toArray();
        String list = IntStream.of(ids).mapToObj(Integer::toString).collect(Collectors.joining(","));
        try (PromptEncoder encoder = textOnly()) {
            for (String body : List.of(
                    "{\"max_tokens\":1,\"prompt\":[" + list + "]}",
                    "{\"prompt\":[[" + list + "]]}",
                    "{\"logit_bias\":{\"prompt\":[1]},\"prompt_token_ids\":[" + list + "]}")) {
                RouteRequest out = TinyModel.request();
                assertEquals(
                        TokenSource.IDS,
                        encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, body, 1, "lora", "salt"), out));
                assertEquals(100, out.promptTokens);
                assertEquals(2, out.hashings);
                assertArrayEquals(new int[] {16, 32}, out.blockSizes);
                assertArrayEquals(hashes(ids, 16, "lora", "salt"), out.sequenceHashes[0]);
                assertArrayEquals(hashes(ids, 32, "lora", "salt"), out.sequenceHashes[1]);
                assertEquals(6, out.blockCounts[0]);
            }
            RouteRequest out = TinyModel.request();
            assertEquals(
                    TokenSource.IDS,
                    encoder.encode(TinyModel.input(ApiKind.EMBEDDINGS, "{\"input\":[" + list + "]}", 0), out));
            assertEquals(100, out.promptTokens);
        }
    }

    @Test
    void shouldBelieveIdsBesideMessagesOnlyWhenToldTo() {
        int[] ids = IntStream.range(0, 100).toArray();
        byte[] body = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}".getBytes(StandardCharsets.UTF_8);
        for (boolean believed : new boolean[] {false, true}) {
            ModelTokens settings = new ModelTokens(null, null, false, 2_000, true, true, 4, believed);
            try (PromptEncoder encoder = TinyModel.encoder(settings, m -> null)) {
                for (ApiKind api : List.of(ApiKind.CHAT, ApiKind.MESSAGES)) {
                    PromptInput in = new PromptInput(
                            api, body, 0, body.length, TinyModel.NAME, null, null, 0, new int[] {16}, ids, false);
                    RouteRequest out = TinyModel.request();
                    assertEquals(believed ? TokenSource.IDS : TokenSource.TEXT_CHUNKS, encoder.encode(in, out));
                    assertEquals(believed, out.promptTokens == 100);
                }
            }
        }
    }

    @Test
    void shouldTokeniseAsPythonWhenChatsAreRendered() throws IOException {
        JsonNode golden;
        try (InputStream in = PromptEncoderTest.class.getResourceAsStream("/tokens/golden.json")) {
            golden = JSON.readTree(in);
        }
        try (NativeTokenizer tokenizer = NativeTokenizer.load(Path.of(TinyModel.folder(), "tokenizer.json"))) {
            for (Map.Entry<String, JsonNode> chat : golden.get("ids").properties()) {
                String text =
                        golden.get("rendered").get("tiny").get(chat.getKey()).asText();
                int[] want = JSON.convertValue(chat.getValue(), int[].class);
                assertArrayEquals(want, tokenizer.encode(text, false), chat.getKey());
            }
        }
    }

    @Test
    void shouldGiveTheTokensOfARealEngineWhenItsRequestIsRepeated() throws IOException {
        Path samples = Path.of(System.getProperty("penstock.shared", "absent"), "data", "vllm_http_samples.json");
        if (!Files.exists(samples)) {
            Assumptions.abort("recorded samples absent: " + samples);
        }
        JsonNode recorded = JSON.readTree(samples.toFile());
        int[] rendered = JSON.convertValue(recorded.get("render_response").get("token_ids"), int[].class);
        int[] served = JSON.convertValue(recorded.get("chat_response").get("prompt_token_ids"), int[].class);
        try (ModelPrompts model = ModelPrompts.load(TinyModel.local(), () -> TinyModel.NOW)) {
            for (int[] want : List.of(rendered, served)) {
                String text = decode(model, want);
                List<Object> messages = new ArrayList<>();
                for (String part : text.split("<\\|im_start\\|>")) {
                    if (part.contains("<|im_end|>")) {
                        Map<String, Object> m = new LinkedHashMap<>();
                        m.put("role", part.substring(0, part.indexOf('\n')));
                        m.put("content", part.substring(part.indexOf('\n') + 1, part.indexOf("<|im_end|>")));
                        messages.add(m);
                    }
                }
                Conversation c = model.chatBody().chat(new LinkedHashMap<>(Map.of("messages", messages)));
                assertArrayEquals(want, model.tokenizer().encode(model.render(c), false));
            }
        }
    }

    /** The text of byte-level tokens: each character of the vocabulary stands for a byte. */
    private static String decode(ModelPrompts model, int[] ids) throws IOException {
        Map<Integer, String> words = new LinkedHashMap<>();
        JsonNode file =
                JSON.readTree(Path.of(TinyModel.folder(), "tokenizer.json").toFile());
        file.get("model")
                .get("vocab")
                .properties()
                .forEach(e -> words.put(e.getValue().asInt(), e.getKey()));
        file.get("added_tokens")
                .forEach(t -> words.put(t.get("id").asInt(), t.get("content").asText()));
        StringBuilder out = new StringBuilder();
        for (int id : ids) {
            out.append(words.get(id).replace('\u0120', ' ').replace('\u010a', '\n'));
        }
        return out.toString();
    }

    @Test
    void shouldReadAnthropicAndResponsesAsTheChatTheyStandFor() {
        String chat = """
                {"messages":[{"role":"system","content":"Be terse."},{"role":"user","content":"weather?"},
                {"role":"assistant","content":"Let me see","tool_calls":[{"id":"t1","type":"function","function":
                {"name":"get_weather","arguments":"{\\"city\\": \\"Paris\\"}"}}]},
                {"role":"tool","tool_call_id":"t1","content":"rain\\nwind"},{"role":"user","content":"thanks"}]}""";
        String messages = """
                {"max_tokens":5,"system":[{"type":"text","text":"x-anthropic-billing-header: a=1;"},
                {"type":"text","text":"Be terse.","cache_control":{"type":"ephemeral"}}],"messages":[
                {"role":"user","content":"weather?"},{"role":"assistant","content":[{"type":"text","text":"Let me see"},
                {"type":"tool_use","id":"t1","name":"get_weather","input":{"city":"Paris"}}]},
                {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"rain"},
                {"type":"text","text":"wind"}]},{"type":"text","text":"thanks","cache_control":{"type":"ephemeral"}}]}]}""";
        String responses = """
                {"instructions":"Be terse.","input":[{"role":"user","content":"weather?"},{"type":"message",
                "role":"assistant","content":[{"type":"output_text","text":"Let me see"}]},
                {"type":"function_call","call_id":"t1","name":"get_weather","arguments":"{\\"city\\": \\"Paris\\"}"},
                {"type":"function_call_output","call_id":"t1","output":"rain\\nwind"},
                {"role":"user","content":[{"type":"input_text","text":"thanks"}]}]}""";
        try (PromptEncoder encoder = local()) {
            RouteRequest want = TinyModel.request();
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.CHAT, chat, 0), want));
            RouteRequest a = TinyModel.request();
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.MESSAGES, messages, 0), a));
            RouteRequest r = TinyModel.request();
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.RESPONSES, responses, 0), r));
            assertTrue(want.promptTokens > 32);
            assertEquals(want.promptTokens, a.promptTokens);
            assertArrayEquals(want.sequenceHashes[0], a.sequenceHashes[0]);
            assertEquals(want.promptTokens, r.promptTokens);
            assertArrayEquals(want.sequenceHashes[0], r.sequenceHashes[0]);
        }
    }

    @Test
    void shouldNotClaimTokensWhenAPartIsNotText() {
        String image = """
                {"messages":[{"role":"user","content":[{"type":"text","text":"what is this, and where was it taken, and when?"},
                {"type":"image_url","image_url":{"url":"http://x/y.png"}}]}]}""";
        try (PromptEncoder encoder = local()) {
            RouteRequest out = TinyModel.request();
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.CHAT, image, 0), out));
            assertEquals(1, encoder.counts().unsupported.sum());
            assertTrue(out.hashings > 0);
        }
    }

    @Test
    void shouldKeepThePrefixWhenCacheMarksMoveAndKeysAreReordered() {
        String text = "word ".repeat(200);
        String first =
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" + text
                        + "\",\"cache_control\":{\"type\":\"ephemeral\"}}]}],\"system\":\"S\",\"tools\":[{\"name\":\"f\"}]}";
        String second = "{ \"tools\": [ {\"name\": \"f\"} ], \"system\": \"S\", \"messages\": [ {\"role\": \"user\","
                + " \"content\": [ {\"type\": \"text\", \"text\": \"" + text + "\"} ] }, {\"role\": \"assistant\","
                + " \"content\": \"more\"}, {\"role\": \"user\", \"content\": \"and more and more and more and more\"} ] }";
        try (PromptEncoder encoder = textOnly()) {
            RouteRequest a = TinyModel.request();
            RouteRequest b = TinyModel.request();
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.MESSAGES, first, 1), a));
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.MESSAGES, second, 1), b));
            assertTrue(b.blockCounts[0] > a.blockCounts[0]);
            for (int i = 0; i < a.blockCounts[0]; i++) {
                assertEquals(a.sequenceHashes[0][i], b.sequenceHashes[0][i], "block " + i);
            }
            RouteRequest salted = TinyModel.request();
            encoder.encode(TinyModel.input(ApiKind.MESSAGES, first, 1, "", "tenant"), salted);
            assertNotEquals(a.sequenceHashes[0][0], salted.sequenceHashes[0][0]);
        }
    }

    @Test
    void shouldTellTextsFromChatsWhenTokenizeOrEmbeddingsAsk() {
        String words = "the weather in Paris is what the user asks about, again and again and again and again";
        String chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"" + words + "\"}]}";
        try (PromptEncoder encoder = local()) {
            RouteRequest a = TinyModel.request();
            RouteRequest b = TinyModel.request();
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.TOKENIZE, chat, 0), a));
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.CHAT, chat, 0), b));
            assertArrayEquals(b.sequenceHashes[0], a.sequenceHashes[0]);
            RouteRequest t = TinyModel.request();
            RouteRequest e = TinyModel.request();
            encoder.encode(TinyModel.input(ApiKind.TOKENIZE, "{\"prompt\":\"" + words + "\"}", 0), t);
            assertEquals(
                    TokenSource.TOKENIZER,
                    encoder.encode(TinyModel.input(ApiKind.EMBEDDINGS, "{\"input\":[\"" + words + "\"]}", 0), e));
            assertArrayEquals(t.sequenceHashes[0], e.sequenceHashes[0]);
            assertFalse(t.promptTokens == a.promptTokens);
        }
    }

    @Test
    void shouldCountAndAnswerNoneWhenBodiesAreMalformed() {
        List<String> bad = List.of(
                "",
                "null",
                "[]",
                "1",
                "{",
                "{\"messages\":",
                "{}",
                "{\"messages\":null}",
                "{\"messages\":[]}",
                "\u0000",
                "{\"prompt\":null}",
                "{\"messages\":{\"role\":\"user\"}}");
        try (PromptEncoder encoder = local()) {
            for (ApiKind api : ApiKind.values()) {
                for (String body : bad) {
                    RouteRequest out = TinyModel.request();
                    TokenSource source = encoder.encode(TinyModel.input(api, body, 1), out);
                    assertTrue(source == TokenSource.NONE || body.contains("[]"), api + " " + body + " gave " + source);
                }
            }
            assertTrue(encoder.counts().of(TokenSource.NONE) > 40);
            assertEquals(0, encoder.counts().internalErrors.sum());
        }
    }

    @Test
    void shouldNeverThrowWhenBodiesAreTruncatedOrFlipped() {
        long seed = 99L;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Map<ApiKind, String> good = Map.of(
                ApiKind.CHAT,
                "{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]}",
                ApiKind.MESSAGES,
                "{\"system\":[{\"type\":\"text\",\"text\":\"s\"}],\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"r\"}]}]}",
                ApiKind.RESPONSES,
                "{\"instructions\":\"i\",\"input\":[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"n\",\"arguments\":\"{}\"},{\"type\":\"reasoning\",\"summary\":[]}]}",
                ApiKind.COMPLETIONS,
                "{\"prompt\":[1,2,3,[4]],\"add_special_tokens\":true}");
        try (PromptEncoder encoder = local()) {
            good.forEach((api, body) -> {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < bytes.length; i++) {
                    byte[] flipped = bytes.clone();
                    flipped[i] = (byte) (random.nextInt(95) + 32);
                    for (PromptInput in : List.of(
                            new PromptInput(api, bytes, 0, i, TinyModel.NAME, null, null, 1, new int[] {16}),
                            new PromptInput(
                                    api, flipped, 0, bytes.length, TinyModel.NAME, null, null, 1, new int[] {16}))) {
                        encoder.encode(in, TinyModel.request());
                    }
                }
            });
            assertEquals(0, encoder.counts().internalErrors.sum());
        }
    }

    @Test
    void shouldReadAtOnceWhenThereIsNobodyToAsk() throws IOException {
        String chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"" + "word ".repeat(100) + "\"}]}";
        PromptInput in = TinyModel.input(ApiKind.CHAT, chat, 0);
        AtomicInteger asked = new AtomicInteger();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", x -> {
            asked.incrementAndGet();
            x.sendResponseHeaders(200, 2);
            x.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            x.close();
        });
        other.start();
        String url = "http://127.0.0.1:" + other.getAddress().getPort();
        try (PromptEncoder encoder = textOnly();
                PromptEncoder local = local();
                PromptEncoder engine = TinyModel.encoder(ModelTokens.defaults(), m -> url)) {
            RouteRequest want = TinyModel.request();
            RouteRequest got = TinyModel.request();
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(in, want));
            assertTrue(encoder.encodeAtOnce(in, got));
            assertArrayEquals(want.sequenceHashes[0], got.sequenceHashes[0]);
            assertFalse(got.exact);

            assertFalse(local.encodeAtOnce(in, TinyModel.request()));

            assertFalse(engine.encodeAtOnce(in, TinyModel.request()));
            // What answers there has no tokens, at neither endpoint: it is asked once for each, then no more.
            assertEquals(TokenSource.TEXT_CHUNKS, engine.encode(in, TinyModel.request()));
            assertEquals(TokenSource.TEXT_CHUNKS, engine.encode(in, TinyModel.request()));
            assertTrue(engine.encodeAtOnce(in, TinyModel.request()));
            assertEquals(2, asked.get());
        } finally {
            other.stop(0);
        }
    }

    @Test
    void shouldNotClaimTokensWhenTextIsNotUnicode() {
        try (PromptEncoder encoder = local()) {
            for (String lone : List.of("\\ud800", "x\\udc00y", "\\ud83d \\ude00")) {
                RouteRequest out = TinyModel.request();
                String body = "{\"prompt\":\"" + lone + "\"}";
                assertEquals(
                        TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, body, 1), out));
            }
            RouteRequest out = TinyModel.request();
            String nul = "{\"prompt\":\"a\\u0000b\"}";
            assertEquals(TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, nul, 1), out));
            assertEquals(3, out.promptTokens);
        }
    }

    @Test
    void shouldRefuseWhenTooManyPromptsWait() throws Exception {
        ModelTokens settings = ModelTokens.defaults();
        TokensConfig config = new TokensConfig(1, 1, 0, null, settings, Map.of());
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        try (PromptEncoder encoder = PromptEncoder.open(config, m -> null)) {
            PromptInput in = TinyModel.input(ApiKind.COMPLETIONS, "{\"prompt\":\"x\"}", 0);
            assertTrue(encoder.submit(in, TinyModel.request(), (s, r) -> {
                entered.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            assertTrue(entered.await(10, TimeUnit.SECONDS));
            CountDownLatch second = new CountDownLatch(1);
            assertTrue(encoder.submit(in, TinyModel.request(), (s, r) -> second.countDown()));
            assertFalse(encoder.submit(in, TinyModel.request(), (s, r) -> {}));
            assertEquals(1, encoder.counts().refused.sum());
            release.countDown();
            assertTrue(second.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenFilesAreAbsent() {
        ModelTokens absent = ModelTokens.of("/nowhere/at/all");
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> TinyModel.encoder(absent, m -> null));
        assertTrue(e.getMessage().contains("/nowhere/at/all"), e.getMessage());
    }

    @Test
    void shouldTouchNeitherHomeNorNetworkWhenTheNativeLibraryIsLoaded() {
        try (PromptEncoder encoder = local()) {
            RouteRequest out = TinyModel.request();
            encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, "{\"prompt\":\"x\"}", 0), out);
            assertEquals(1, out.promptTokens);
        }
        assertFalse(Files.exists(Path.of(System.getProperty("user.home"), ".djl.ai")));
        assertEquals("true", System.getProperty("ai.djl.offline"));
    }

    @Test
    void shouldEscapeAsPythonWhenJsonIsWritten() {
        assertEquals(
                "{\"a\": [1, 1.0, 1e+16, null, true], \"b\": \"\\u00fc\\n\"}",
                PyJson.dumps(ordered("a", java.util.Arrays.asList(1L, 1.0, 1e16, null, true), "b", "ü\n"), true));
    }

    private static Map<String, Object> ordered(String a, Object x, String b, Object y) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put(a, x);
        out.put(b, y);
        return out;
    }
}
