package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.pipeline.Decision;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the router itself refuses, and how it says so. */
class RefusalsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STREAM =
            "{\"model\":\"tiny\",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";

    private static ScriptedEngine engine() throws IOException {
        return ScriptedEngine.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8));
    }

    private static String chunk(String data) {
        return Integer.toHexString(data.getBytes(UTF_8).length) + "\r\n" + data + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/chat/completions, '{\"model\":', 400",
        "/v1/messages, 'no json', 400",
        "/v1/responses, '[]', 400",
        "/v1/completions, '', 400",
        "/v1/chat/completions, '{\"model\":\"other\"}', 404",
        "/v1/messages, '{\"model\":\"other\"}', 404",
        "/v1/nothing, '{}', 404"
    })
    void shouldAnswerInTheApisOwnShapeWhenTheRequestIsWrong(String path, String body, int status) throws Exception {
        try (ScriptedEngine engine = engine();
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = client.post(path, body).answer();
                assertEquals(status, answer.status());
                assertShape(path, answer);
            }
            assertEquals(0, engine.requests.size());
            FrontFixture.until("nothing in flight", () -> fixture.front.inFlight() == 0);
        }
    }

    private static void assertShape(String path, RawClient.Answer answer) throws IOException {
        JsonNode json = JSON.readTree(answer.body());
        assertEquals("application/json", answer.header("content-type"));
        if (path.startsWith("/v1/messages")) {
            assertEquals("error", json.get("type").asText());
        }
        assertFalse(json.get("error").get("message").asText().isEmpty());
        assertFalse(json.get("error").get("type").asText().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/chat/completions, NO_WORKER, 503",
        "/v1/chat/completions, NONE_ELIGIBLE, 503",
        "/v1/chat/completions, ALL_BUSY, 503",
        "/v1/messages, NO_WORKER, 529",
        "/v1/messages, ALL_BUSY, 529",
        "/v1/responses, PINNED_UNAVAILABLE, 503"
    })
    void shouldSayWhenToComeBackWhenNoWorkerTakesTheRequest(String path, Decision.Status status, int code)
            throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            fixture.placement.status = status;
            RawClient.Answer answer = client.post(path, STREAM).answer();
            assertEquals(code, answer.status());
            assertEquals("1", answer.header("Retry-After"));
            assertShape(path, answer);
        }
    }

    @Test
    void shouldRefuseWhenTheRingIsFull() throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            fixture.placement.full = true;
            RawClient.Answer answer = client.post("/v1/completions", "{}").answer();
            assertEquals(503, answer.status());
            assertEquals("1", answer.header("Retry-After"));
            assertTrue(fixture.registry.scrape().contains("penstock_http_refusals_total{reason=\"ring_full\"} 1.0"));
        }
    }

    @Test
    void shouldRefuseWhenTooManyBodiesWaitToBeRead() throws Exception {
        String large = "{\"model\":\"slow\",\"prompt\":\"" + "x".repeat(20_000) + "\"}";
        Map<String, Object> narrow = Map.of("preparationThreads", 1, "preparationQueue", 1);
        try (ScriptedEngine engine = engine();
                FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, narrow), engine);
                RawClient first = fixture.client();
                RawClient second = fixture.client();
                RawClient third = fixture.client()) {
            fixture.slow = new CountDownLatch(1);
            first.post("/v1/messages", large);
            FrontFixture.until("the first is being read", () -> fixture.reading.get() == 1);
            second.post("/v1/messages", large);
            FrontFixture.until("the second is there", () -> fixture.front.inFlight() == 2);
            RawClient.Answer refused = third.post("/v1/messages", large).answer();
            assertEquals(529, refused.status());
            assertEquals("1", refused.header("Retry-After"));
            // Small ones are read on the event loop.
            assertEquals("{}", third.post("/tokenize", "{}").answer().text());
            fixture.slow.countDown();
            assertEquals("{}", first.answer().text());
            assertEquals("{}", second.answer().text());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 20_000})
    void shouldAnswerAndNoteItWhenTheRouterItselfFails(int bytes) throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            String body = "{\"model\":\"broken\",\"prompt\":\"" + "x".repeat(bytes) + "\"}";
            RawClient.Answer answer = client.post("/v1/messages", body).answer();
            assertEquals(500, answer.status());
            assertShape("/v1/messages", answer);
            assertEquals(404, client.get("/nothing").answer().status());
            assertEquals(1, fixture.errors.size());
            fixture.errors.clear();
        }
    }

    @Test
    void shouldCloseAConnectionThatStaysSilent() throws Exception {
        Map<String, Object> brief = Map.of("clientIdleTimeoutMs", 50);
        try (FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, brief), engine());
                RawClient idle = fixture.client();
                RawClient half = fixture.client();
                RawClient after = fixture.client()) {
            half.send("POST /v1/completions HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
            assertEquals("{}", after.post("/v1/completions", "{}").answer().text());
            assertTrue(idle.closed());
            assertTrue(half.closed());
            assertTrue(after.closed());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseABodyThatIsTooLarge(boolean announced) throws Exception {
        try (ScriptedEngine engine = engine();
                FrontFixture fixture =
                        FrontFixture.with(same -> TestConfigs.with(same, Map.of("maxBodyBytes", 2_000)), engine);
                RawClient client = fixture.client()) {
            String body = "{\"model\":\"tiny\",\"prompt\":\"" + "x".repeat(2_000) + "\"}";
            if (announced) {
                client.post("/v1/messages", body);
            } else {
                client.send(
                        "POST /v1/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(body));
            }
            RawClient.Answer answer = client.answer();
            assertEquals(413, answer.status());
            assertTrue(answer.text().contains("request_too_large"), answer.text());
            assertTrue(client.closed());
            assertEquals(0, engine.requests.size());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NONSENSE\r\n\r\n",
                "GET / HTTP/1.1\r\nbad header\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: abc\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: 2, 2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: -2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length : 2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\n Content-Length: 2\r\n\r\n{}",
                "POST /v1/completions HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n{}\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nx: a\u0000b\r\nContent-Length: 2\r\n\r\n{}"
            })
    void shouldSayWhatIsWrongAndCloseWhenTheBytesAreNoRequest(String bytes) throws Exception {
        try (ScriptedEngine engine = engine();
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            assertEquals(400, client.send(bytes).answer().status());
            assertTrue(client.closed());
            assertEquals(0, engine.requests.size());
        }
    }

    @Test
    void shouldRefuseHeadersThatAreTooLong() throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            client.send("GET / HTTP/1.1\r\nx: " + "y".repeat(70_000) + "\r\n\r\n");
            assertEquals(431, client.answer().status());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "x-penstock-policy: fastest, 400",
        "x-dynamo-dp-rank: one, 400",
        "x-penstock-temperature: -1, 400",
        "x-penstock-preferred-taints: gpu, 400",
        "x-penstock-preferred-taints: gpu=NaN, 400",
        "x-worker-instance-id: nobody, 503",
        "'x-penstock-required-taints: gpu,blue', 503"
    })
    void shouldRefuseRoutingHeadersThatCannotBeMet(String header, int status) throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            assertEquals(
                    status,
                    client.post("/v1/completions", "{}", header).answer().status());
        }
    }

    @Test
    void shouldRefuseBodiesWhenAllTogetherAreTooLarge() throws Exception {
        Map<String, Object> narrow = Map.of("maxBodyBytes", 40_000, "maxInFlightBodyBytes", 50_000);
        String large = "{\"model\":\"tiny\",\"prompt\":\"" + "x".repeat(30_000) + "\"}";
        try (ScriptedEngine engine = engine();
                FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, narrow), engine);
                RawClient first = fixture.client();
                RawClient second = fixture.client();
                RawClient third = fixture.client()) {
            CountDownLatch held = new CountDownLatch(1);
            fixture.placement.hold(held);
            first.post("/v1/completions", large);
            FrontFixture.until("the first is placed", () -> fixture.placement.routed() == 1);
            RawClient.Answer refused = second.post("/v1/completions", large).answer();
            assertEquals(503, refused.status());
            assertEquals("1", refused.header("Retry-After"));
            assertTrue(second.closed());
            third.send("POST /v1/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(large));
            assertEquals(529, third.answer().status());
            assertTrue(fixture.registry.scrape().contains("penstock_http_refusals_total{reason=\"bodies_full\"} 2.0"));
            held.countDown();
            assertEquals("{}", first.answer().text());
            // Room is back, also after a client that left within its body.
            try (RawClient leaving = fixture.client()) {
                leaving.send("POST /v1/completions HTTP/1.1\r\nContent-Length: 40000\r\n\r\n" + large);
                FrontFixture.until(
                        "it is held", () -> !fixture.registry.scrape().contains("body_bytes 0.0"));
            }
            FrontFixture.until("it is let go", () -> fixture.registry.scrape().contains("body_bytes 0.0"));
            assertEquals("{}", first.post("/v1/completions", large).answer().text());
        }
    }

    @Test
    void shouldGiveAClientUpWhenItsHeadTrickles() throws Exception {
        Map<String, Object> brief = Map.of("clientIdleTimeoutMs", 100);
        try (FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, brief));
                RawClient client = fixture.client()) {
            client.send("POST /v1/completions HTTP/1.1\r\nx: ");
            assertFalse(answered(client));
        }
    }

    @Test
    void shouldAnswerTimeoutWhenABodyTrickles() throws Exception {
        Map<String, Object> brief = Map.of("clientRequestTimeoutMs", 100);
        try (FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, brief));
                RawClient client = fixture.client()) {
            client.send("POST /v1/messages HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n{");
            assertTrue(answered(client));
            RawClient.Answer answer = client.answer();
            assertEquals(408, answer.status());
            assertShape("/v1/messages", answer);
        }
    }

    /** Sends a byte every few milliseconds until the router answers; false when it closes without an answer. */
    private static boolean answered(RawClient client) throws IOException {
        long end = System.nanoTime() + 10_000_000_000L;
        client.socket.setSoTimeout(5);
        while (System.nanoTime() < end) {
            try {
                client.send("x");
                boolean answered = client.awaitByte();
                client.socket.setSoTimeout(20_000);
                return answered;
            } catch (SocketTimeoutException quiet) {
                // The next byte is due.
            } catch (SocketException reset) {
                return false;
            }
        }
        throw new AssertionError("the router waits on");
    }
}
