package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PassThroughTest {
    private static final String SSE_HEAD =
            "HTTP/1.1 200 OK\r\nServer: uvicorn\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                    + "Transfer-Encoding: chunked\r\nX-Engine: a\r\n\r\n";
    private static final String ASKED =
            "{\"model\":\"tiny\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[]}";
    private static final String NOT_ASKED = "{ \"model\" : \"tiny\",\"stream\":true,\n\"messages\":[] }";

    static byte[] chunked(byte[] body, int chunkBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int from = 0; from < body.length; from += chunkBytes) {
            int length = Math.min(chunkBytes, body.length - from);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(UTF_8));
            out.write(body, from, length);
            out.writeBytes("\r\n".getBytes(UTF_8));
        }
        out.writeBytes("0\r\n\r\n".getBytes(UTF_8));
        return out.toByteArray();
    }

    static byte[] join(String head, byte[] body) {
        byte[] first = head.getBytes(UTF_8);
        byte[] out = java.util.Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, out, first.length, body.length);
        return out;
    }

    private static JsonNode samples() throws IOException {
        Path file = Path.of(System.getProperty("penstock.shared", "absent"), "data", "vllm_http_samples.json");
        if (!Files.exists(file)) {
            Assumptions.abort("recorded answers absent: " + file);
        }
        return new ObjectMapper().readTree(Files.readAllBytes(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream_raw", "tool_named_stream_raw", "tool_required_stream_raw"})
    void shouldPassARecordedStreamOnByteForByteWhenTheClientAskedForUsage(String name) throws Exception {
        byte[] stream = samples().get(name).asText().getBytes(UTF_8);
        try (ScriptedEngine engine = ScriptedEngine.answering(join(SSE_HEAD, chunked(stream, 100)));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            RawClient.Answer answer = client.post("/v1/chat/completions?x=1", ASKED, "Authorization: Bearer k")
                    .answer();
            assertArrayEquals(stream, answer.body());
            assertTrue(answer.whole());
            assertEquals("a", answer.header("X-Engine"));
            assertTrue(answer.head().contains("\r\nX-Engine: a\r\n"), answer.head());
            ScriptedEngine.Request got = engine.requests.getFirst();
            assertEquals(ASKED, got.text());
            assertEquals("POST /v1/chat/completions?x=1 HTTP/1.1", got.line());
            assertEquals("Bearer k", got.header("authorization"));
            assertEquals("identity", got.header("accept-encoding"));
            assertEquals("127.0.0.1:" + engine.port(), got.header("host"));
            assertNull(got.header("x-data-parallel-rank"));
            FrontFixture.until("end told", () -> !fixture.placement.ends.isEmpty());
            assertEquals(Outcome.COMPLETED, fixture.placement.ends.getFirst().outcome());
            assertEquals(1, fixture.placement.firstTokens.size());
        }
    }

    @Test
    void shouldAskForUsageAndTakeItsChunkOutWhenTheClientDidNot() throws Exception {
        String recorded = samples().get("stream_raw").asText();
        int done = recorded.indexOf("data: [DONE]");
        int last = recorded.lastIndexOf("data: ", done - 1);
        boolean hasUsage = recorded.substring(last, done).contains("\"choices\":[]");
        String usage = hasUsage
                ? recorded.substring(last, done)
                : "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"tiny\",\"choices\":[],"
                        + "\"usage\":{\"prompt_tokens\":40,\"total_tokens\":48,\"completion_tokens\":8,"
                        + "\"prompt_tokens_details\":{\"cached_tokens\":32}}}\n\n";
        String without = hasUsage ? recorded.substring(0, last) + recorded.substring(done) : recorded;
        String with = hasUsage ? recorded : recorded.substring(0, done) + usage + recorded.substring(done);
        for (int chunk : new int[] {1, 7, 64, 1 << 20}) {
            try (ScriptedEngine engine =
                            ScriptedEngine.answering(join(SSE_HEAD, chunked(with.getBytes(UTF_8), chunk)));
                    FrontFixture fixture = FrontFixture.before(engine);
                    RawClient client = fixture.client()) {
                RawClient.Answer answer =
                        client.post("/v1/chat/completions", NOT_ASKED).answer();
                assertEquals(without, answer.text());
                String sent = engine.requests.getFirst().text();
                assertTrue(sent.contains("\"stream_options\":{\"include_usage\":true}"), sent);
                assertEquals(NOT_ASKED, sent.replace(",\"stream_options\":{\"include_usage\":true}", ""));
                FrontFixture.until("end told", () -> !fixture.placement.ends.isEmpty());
                ScriptedPlacement.End end = fixture.placement.ends.getFirst();
                assertTrue(end.outputTokens() > 0 && end.cachedTokens() >= 0, end.toString());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldKeepEveryByteWhenChunksEndAnywhere(Transport transport) throws Exception {
        Assumptions.assumeTrue(transport == Transport.NIO || Transport.best() == Transport.EPOLL, "no epoll here");
        String stream = ": ping\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"ä\"}}]}\n\n\n\ndata: [DONE]\n\n";
        byte[] bytes = stream.getBytes(UTF_8);
        try (ScriptedEngine engine = ScriptedEngine.answering(new byte[0]);
                FrontFixture fixture = new FrontFixture(transport, same -> same, 1, engine);
                RawClient client = fixture.client()) {
            for (int cut = 1; cut < bytes.length; cut++) {
                int at = cut;
                engine.script((request, socket, out) -> {
                    out.write(SSE_HEAD.getBytes(UTF_8));
                    out.write((Integer.toHexString(at) + "\r\n").getBytes(UTF_8));
                    out.write(bytes, 0, at);
                    out.write(("\r\n" + Integer.toHexString(bytes.length - at) + "\r\n").getBytes(UTF_8));
                    out.flush();
                    out.write(bytes, at, bytes.length - at);
                    out.write("\r\n0\r\n\r\n".getBytes(UTF_8));
                });
                assertEquals(
                        stream,
                        client.post("/v1/chat/completions", ASKED).answer().text(),
                        "cut at " + cut);
            }
            assertEquals(1, engine.connections.get());
        }
    }

    @Test
    void shouldPassAWholeAnswerOnAndReportItsUsageWhenNothingStreams() throws Exception {
        byte[] body = samples().get("chat_response").toString().getBytes(UTF_8);
        String head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + body.length
                + "\r\nkeep-alive: timeout=5\r\nconnection: keep-alive, x-gone\r\nx-gone: 1\r\n\r\n";
        try (ScriptedEngine engine = ScriptedEngine.answering(join(head, body));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            String request = "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}";
            RawClient.Answer answer = client.post(
                            "/v1/chat/completions", request, "Connection: x-mine", "X-Mine: 1", "TE: trailers")
                    .answer();
            assertArrayEquals(body, answer.body());
            assertEquals("" + body.length, answer.header("content-length"));
            assertNull(answer.header("x-gone"));
            assertNull(answer.header("keep-alive"));
            assertNull(engine.requests.getFirst().header("x-mine"));
            assertNull(engine.requests.getFirst().header("te"));
            assertEquals(request, engine.requests.getFirst().text());
            FrontFixture.until("end told", () -> !fixture.placement.ends.isEmpty());
            assertEquals(new ScriptedPlacement.End(1, Outcome.COMPLETED, 8, 0), fixture.placement.ends.getFirst());
        }
    }

    static Stream<String> paths() {
        return Stream.of(
                "/v1/chat/completions",
                "/v1/completions",
                "/v1/responses",
                "/v1/messages?beta=true",
                "/v1/messages/count_tokens?beta=true",
                "/v1/embeddings",
                "/tokenize");
    }

    @Test
    void shouldKeepConnectionsWhenRequestsFollow() throws Exception {
        try (ScriptedEngine engine =
                        ScriptedEngine.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            for (int round = 0; round < 3; round++) {
                for (String path : paths().toList()) {
                    RawClient.Answer answer =
                            client.post(path, "{\"model\":\"tiny\"}").answer();
                    assertEquals("{}", answer.text());
                    assertEquals(
                            "POST " + path + " HTTP/1.1",
                            engine.requests.getLast().line());
                }
            }
            assertEquals(1, engine.connections.get());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/messages/count_tokens", "/v1/embeddings", "/tokenize"})
    void shouldPlaceByLoadWhatGeneratesNothing(String path) throws Exception {
        try (ScriptedEngine engine =
                        ScriptedEngine.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            String body = "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
            assertEquals("{}", client.post(path, body).answer().text());
            assertEquals(0, fixture.placement.asked.getFirst().hashings);
        }
    }

    @Test
    void shouldAnswerInOrderWhenRequestsAreSentAhead() throws Exception {
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    String text = request.text();
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text)
                            .getBytes(UTF_8));
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                all.append(RawClient.request("/v1/completions", "{\"model\":\"tiny\",\"n\":" + i + "}"));
            }
            client.send(all.toString());
            for (int i = 0; i < 100; i++) {
                assertEquals(
                        "{\"model\":\"tiny\",\"n\":" + i + "}", client.answer().text());
            }
        }
    }

    @Test
    void shouldNameTheRankWhenTheWorkerHasSeveral() throws Exception {
        ScriptedEngine.Script script =
                (request, socket, out) -> out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
        try (FrontFixture fixture = new FrontFixture(
                        Transport.best(), same -> same, 2, new ScriptedEngine(script), new ScriptedEngine(script));
                RawClient client = fixture.client()) {
            fixture.placement.full = false;
            RawClient.Answer answer = client.post(
                            "/v1/completions", "{}", "x-data-parallel-rank: 7", "x-penstock-explain: 1")
                    .answer();
            assertEquals("w0", answer.header("x-penstock-worker"));
            assertEquals("32", answer.header("x-penstock-predicted-cached-tokens"));
        }
    }

    @Test
    void shouldTakeALargeBodyWhenItComesInPieces() throws Exception {
        String text = "x".repeat(3 << 20);
        String body = "{\"model\":\"tiny\",\"prompt\":\"" + text + "\"}";
        try (ScriptedEngine engine =
                        ScriptedEngine.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            assertEquals("{}", client.post("/v1/completions", body).answer().text());
            assertEquals(body, engine.requests.getFirst().text());
            client.send("POST /v1/completions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send(chunked(body.getBytes(UTF_8), 10_000));
            assertEquals("{}", client.answer().text());
            assertEquals(body, engine.requests.getLast().text());
            assertEquals("" + body.length(), engine.requests.getLast().header("content-length"));
        }
    }

    @Test
    void shouldSayContinueWhenTheClientWaitsForIt() throws Exception {
        try (ScriptedEngine engine =
                        ScriptedEngine.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.send(
                    "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            assertEquals(100, client.answer().status());
            assertEquals("{}", client.send("{}").answer().text());
            assertNull(engine.requests.getFirst().header("expect"));
            client.send("POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            assertEquals(413, client.answer().status());
        }
    }

    @Test
    void shouldCloseWhenAnOldClientIsAnswered() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(
                        join(SSE_HEAD, chunked("data: a\n\ndata: [DONE]\n\n".getBytes(UTF_8), 5)));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.send("POST /v1/completions HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
            RawClient.Answer answer = client.answer();
            assertEquals("data: a\n\ndata: [DONE]\n\n", answer.text());
            assertFalse(answer.head().toLowerCase().contains("chunked"), answer.head());
            assertTrue(client.closed());
        }
    }

    @Test
    void shouldPassABodyOnWhenItsEndIsTheConnections() throws Exception {
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello".getBytes(UTF_8));
                    socket.close();
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            for (int i = 0; i < 2; i++) {
                assertEquals(
                        "hello", client.post("/v1/completions", "{}").answer().text());
            }
            assertEquals(2, engine.connections.get());
        }
    }

    @Test
    void shouldWriteDoneAndTheEndTogetherWhenTheEngineLetsTheEndLag() throws Exception {
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write((SSE_HEAD + "9\r\ndata: a\n\n\r\ne\r\ndata: [DONE]\n\n\r\n").getBytes(UTF_8));
                    out.flush();
                    Thread.sleep(50); // the engine's own lag, not a wait for the router
                    out.write("0\r\n\r\n".getBytes(UTF_8));
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.post("/v1/completions", "{}").head();
            java.io.InputStream in = client.socket.getInputStream();
            assertEquals("9", client.line());
            StringBuilder rest = new StringBuilder();
            while (rest.indexOf("[DONE]") < 0) {
                rest.append((char) client.next());
            }
            // What follows is there already: the same segment, or at least the same write.
            String end = new String(client.available(), UTF_8);
            assertEquals("\n\n\r\n0\r\n\r\n", end);
            assertTrue(in.available() == 0);
        }
    }
}
