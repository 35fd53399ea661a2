package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.PolicyKind;
import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnPathsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    @Test
    void shouldAnswerItsOwnPathsOnOneConnection() throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.client()) {
            assertEquals(
                    "normal",
                    JSON.readTree(client.get("/health").answer().body())
                            .get("state")
                            .asText());
            assertEquals("{\"ready\":true}", client.get("/ready").answer().text());
            JsonNode models = JSON.readTree(client.get("/v1/models?x").answer().body());
            assertEquals("list", models.get("object").asText());
            assertEquals("tiny", models.get("data").get(0).get("id").asText());
            assertTrue(client.get("/metrics").answer().text().contains("# TYPE penstock_http_requests_total counter"));
            assertEquals(405, client.get("/v1/chat/completions").answer().status());
            assertEquals(405, client.post("/health", "{}").answer().status());
            assertEquals(404, client.get("/api/v1/models").answer().status());
        }
    }

    @Test
    void shouldPutTheWishesOfHeadersIntoTheQuestion() throws Exception {
        try (FrontFixture fixture = FrontFixture.before(ScriptedEngine.answering(OK.getBytes(UTF_8)));
                RawClient client = fixture.client()) {
            client.post(
                            "/v1/messages",
                            "{\"model\":\"tiny\",\"max_tokens\":17,\"messages\":[]}",
                            "x-dynamo-worker-instance-id: w3",
                            "x-dynamo-dp-rank: 1",
                            "x-penstock-policy: round-robin",
                            "x-penstock-required-taints: gpu",
                            "x-penstock-preferred-taints: gpu=-1.5, unheard=2",
                            "x-penstock-overlap-credit: 0.5",
                            "x-penstock-temperature: 0.25",
                            "x-claude-code-session-id: c",
                            "x-claude-code-agent-id: a")
                    .answer();
            RouteRequest asked = fixture.placement.asked.getFirst();
            assertEquals(3, asked.pinnedWorker);
            assertEquals(1, asked.pinnedRank);
            assertEquals(PolicyKind.ROUND_ROBIN, asked.policy);
            assertEquals(1, asked.requiredTaints);
            assertEquals(1, asked.preferredTaints);
            assertEquals(-1.5, asked.preferredWeights[0]);
            assertEquals(0.5, asked.overlapCredit);
            assertEquals(0.25, asked.temperature);
            assertEquals(17, asked.expectedOutputTokens);
            assertEquals("a", asked.session);
            assertTrue(asked.sessionKey != 0 && asked.parentKey != 0 && asked.sessionKey != asked.parentKey);
        }
    }

    @Test
    void shouldIsolateTenantsOnlyWhenConfigured() throws Exception {
        String body = "{\"model\":\"tiny\",\"prompt\":\"a\"}";
        ScriptedEngine engine = ScriptedEngine.answering(OK.getBytes(UTF_8));
        try (FrontFixture fixture =
                        FrontFixture.with(same -> TestConfigs.with(same, Map.of("tenantSalt", true)), engine);
                RawClient client = fixture.client()) {
            client.post("/v1/completions", body, "x-tenant-id: t1", "x-tenant-id: t2", "x-tenant-id:")
                    .answer();
            assertEquals(
                    body.replace("}", ",\"cache_salt\":\"t2\"}"),
                    engine.requests.getLast().text());
            String salted = "{\"cache_salt\":\"own\"}";
            client.post("/v1/completions", salted, "x-tenant-id: t1").answer();
            assertEquals(salted, engine.requests.getLast().text());
        }
        ScriptedEngine plain = ScriptedEngine.answering(OK.getBytes(UTF_8));
        try (FrontFixture fixture = FrontFixture.before(plain);
                RawClient client = fixture.client()) {
            client.post("/v1/completions", body, "x-tenant-id: t1").answer();
            assertEquals(body, plain.requests.getLast().text());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /workers, '', 200, w0",
        "POST, /workers, '{\"url\":\"http://h:1\",\"model\":\"tiny\"}', 200, http://h:1",
        "POST, /workers, '{\"name\":\"x\"}', 400, url=null",
        "POST, /workers, '{\"url\":\"http://h:1\",\"blocksize\":4}', 400, blocksize",
        "POST, /workers, 'no', 400, error",
        "POST, /workers, 'null', 400, error",
        "POST, /workers, '[]', 400, error",
        "POST, /workers, '', 400, error",
        "DELETE, /workers/%zz, '', 400, error",
        "DELETE, /workers/..%2F..%2Fetc, '', 404, error",
        "POST, /busy_threshold, 'null', 400, error",
        "POST, /busy_threshold, '[1]', 400, error",
        "GET, /workers/../decisions, '', 405, error",
        "DELETE, /workers, '', 405, error",
        "POST, /workers/w0/drain, '', 200, draining",
        "POST, /workers/w9/drain, '', 404, w9",
        "DELETE, /workers/http%3A%2F%2Fhost%3A1%2Fa%20b, '', 200, removed",
        "DELETE, /workers/w9, '', 404, w9",
        "GET, /workers/w0, '', 405, error",
        "GET, /decisions?limit=x, '', 400, limit=x",
        "POST, /busy_threshold, '{\"model\":\"tiny\",\"active_decode_blocks_threshold\":0.5}', 200, tiny",
        "POST, /busy_threshold, '{\"model\":\"none\"}', 404, none",
        "POST, /busy_threshold, '{\"active\":1}', 400, active",
        "GET, /busy_threshold, '', 200, tiny",
        "GET, /, '', 404, error"
    })
    void shouldAnswerOnTheAdminPort(String method, String path, String body, int status, String part) throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.admin()) {
            RawClient.Answer answer = client.send(
                            method + " " + path + " HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .answer();
            assertEquals(status, answer.status(), answer.text());
            assertTrue(answer.text().contains(part), answer.text());
            JSON.readTree(answer.body());
        }
    }

    @Test
    void shouldRefuseWhatAPageInABrowserSendsToTheAdminPort() throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient client = fixture.admin()) {
            String worker = "{\"url\":\"http://h:1\",\"model\":\"tiny\"}";
            assertEquals(
                    403,
                    client.post("/workers", worker, "Origin: https://example.org")
                            .answer()
                            .status());
            assertTrue(fixture.added.isEmpty());
        }
    }

    @Test
    void shouldShowTheLastDecisions() throws Exception {
        try (FrontFixture fixture = FrontFixture.before(ScriptedEngine.answering(OK.getBytes(UTF_8)));
                RawClient client = fixture.client();
                RawClient admin = fixture.admin()) {
            for (int i = 0; i < 5; i++) {
                client.post("/v1/completions", "{}").answer();
            }
            JsonNode all =
                    JSON.readTree(admin.get("/decisions?limit=3").answer().body());
            assertEquals(3, all.size());
            assertEquals(4, all.get(0).get("number").asInt());
            assertEquals("w0", all.get(0).get("worker").asText());
            assertEquals(32, all.get(0).get("predictedCachedTokens").asInt());
            assertEquals(0, all.get(0).get("candidates").get(0).get("slot").asInt());
        }
    }

    @Test
    void shouldFinishWhatIsInFlightWhenStopped() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
            asked.countDown();
            go.await();
            out.write(OK.getBytes(UTF_8));
        });
        try (FrontFixture fixture = FrontFixture.before(engine);
                RawClient idle = fixture.client();
                RawClient client = fixture.client()) {
            idle.get("/ready").answer();
            client.post("/v1/completions", "{}");
            asked.await();
            Thread stopping = Thread.ofVirtual().start(fixture.front::stop);
            assertTrue(idle.closed());
            assertThrows(ConnectException.class, () -> new RawClient(fixture.front.port()).close());
            go.countDown();
            RawClient.Answer answer = client.answer();
            assertEquals("{}", answer.text());
            assertEquals("close", answer.header("connection"));
            stopping.join();
        }
    }

    @Test
    void shouldGiveUpWhatDoesNotEndWhenStopped() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
            asked.countDown();
            socket.getInputStream().read();
        });
        try (FrontFixture fixture =
                        FrontFixture.with(same -> TestConfigs.with(same, Map.of("drainTimeoutMs", 50)), engine);
                RawClient client = fixture.client()) {
            client.post("/v1/completions", "{}");
            asked.await();
            fixture.front.stop();
            assertTrue(client.closed());
        }
    }

    @Test
    void shouldRefuseAPortThatIsTaken() throws Exception {
        try (FrontFixture fixture = FrontFixture.before()) {
            int taken = fixture.front.port();
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> FrontFixture.with(same -> same.onLoopback(taken, 0)).close());
            assertTrue(refused.getMessage().endsWith("address=127.0.0.1:" + taken), refused.getMessage());
        }
    }
}
