package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    private static final String BUSY = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
            + "Retry-After: 7\r\nContent-Length: 13\r\n\r\n{\"e\":\"busy\"}\n";
    private static final String SSE =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String STREAM =
            "{\"model\":\"tiny\",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static ScriptedEngine engine(String answer) throws IOException {
        return ScriptedEngine.answering(utf8(answer));
    }

    private static ScriptedEngine closing(String answer) throws IOException {
        return new ScriptedEngine((request, socket, out) -> {
            out.write(utf8(answer));
            out.flush();
            socket.close();
        });
    }

    private static String chunk(String data) {
        return Integer.toHexString(utf8(data).length) + "\r\n" + data + "\r\n";
    }

    private static List<Outcome> outcomes(FrontFixture fixture, int count) throws InterruptedException {
        FrontFixture.until("ends told", () -> fixture.placement.ends.size() >= count);
        return fixture.placement.ends.stream()
                .map(ScriptedPlacement.End::outcome)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
                SSE,
                SSE + "20\r\ndata: {\"half an ev",
                "garbage\r\n\r\n"
            })
    void shouldTryAnotherWorkerWhenAnEngineDiesBeforeTheFirstByte(String before) throws Exception {
        try (ScriptedEngine bad = closing(before);
                ScriptedEngine good = engine(OK);
                FrontFixture fixture = FrontFixture.before(bad, good);
                RawClient client = fixture.client()) {
            assertEquals(
                    "{}", client.post("/v1/chat/completions", STREAM).answer().text());
            assertEquals(1, bad.requests.size());
            assertEquals(1, good.requests.size());
            assertEquals(List.of(Outcome.REFUSED, Outcome.COMPLETED), outcomes(fixture, 2));
        }
    }

    @Test
    void shouldTryEachWorkerOnceWhenNoneCanBeReached() throws Exception {
        ScriptedEngine first = engine(OK);
        ScriptedEngine second = engine(OK);
        try (FrontFixture fixture = FrontFixture.before(first, second);
                RawClient client = fixture.client()) {
            first.refuse();
            second.refuse();
            RawClient.Answer answer = client.post("/v1/messages", STREAM).answer();
            assertEquals(502, answer.status());
            assertNotNull(answer.header("Retry-After"));
            assertEquals("error", JSON.readTree(answer.body()).get("type").asText());
            assertEquals(List.of(Outcome.REFUSED, Outcome.REFUSED), outcomes(fixture, 2));
            assertEquals(3, fixture.placement.asked.size());
            assertEquals(List.of("w0", "w1"), fixture.unreachable);
        }
    }

    @Test
    void shouldNotTakeARankForAnotherWorkerWhenTheEngineIsGone() throws Exception {
        ScriptedEngine gone = engine(OK);
        gone.refuse();
        UnaryOperator<HttpConfig> twice = same -> TestConfigs.with(same, Map.of("maxAttempts", 2));
        try (FrontFixture fixture = new FrontFixture(Transport.best(), twice, 3, gone, gone, gone, engine(OK));
                RawClient client = fixture.client()) {
            assertEquals("{}", client.post("/v1/completions", "{}").answer().text());
            assertEquals(List.of(Outcome.REFUSED, Outcome.COMPLETED), outcomes(fixture, 2));
        }
    }

    @Test
    void shouldTryAnotherWorkerWhenAnEngineIsBusy() throws Exception {
        try (ScriptedEngine busy = engine(BUSY);
                ScriptedEngine good = engine(OK);
                FrontFixture fixture = FrontFixture.before(busy, good);
                RawClient client = fixture.client()) {
            assertEquals("{}", client.post("/v1/completions", "{}").answer().text());
            assertEquals(List.of(Outcome.REFUSED, Outcome.COMPLETED), outcomes(fixture, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPassTheEnginesRefusalOnWhenNobodyElseTakesIt(boolean retry) throws Exception {
        UnaryOperator<HttpConfig> settings = same -> TestConfigs.with(same, Map.of("retryUnavailable", retry));
        try (ScriptedEngine first = engine(BUSY);
                ScriptedEngine second = engine(BUSY);
                FrontFixture fixture = FrontFixture.with(settings, first, second);
                RawClient client = fixture.client()) {
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = client.post("/v1/completions", "{}").answer();
                assertEquals(503, answer.status());
                assertEquals("{\"e\":\"busy\"}\n", answer.text());
                assertEquals("7", answer.header("retry-after"));
            }
            assertEquals(retry ? 2 : 0, second.requests.size());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/chat/completions,'data: {\"error\"'",
        "/v1/messages,'event: error\ndata: {\"type\":\"error\"'",
        "/v1/responses,'event: error\ndata: {\"type\":\"error\"'"
    })
    void shouldEndTheStreamWithAnErrorEventWhenTheEngineDiesWithinIt(String path, String expected) throws Exception {
        String whole = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        try (ScriptedEngine bad = closing(SSE + chunk(whole + "data: {\"half"));
                FrontFixture fixture = FrontFixture.before(bad);
                RawClient client = fixture.client()) {
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = client.post(path, STREAM).answer();
                assertTrue(answer.whole());
                assertTrue(answer.text().startsWith(whole + expected), answer.text());
                assertTrue(answer.text().endsWith("\n\n"), answer.text());
                // Pi and OpenCode choose by these words whether to ask again.
                assertTrue(answer.text().toLowerCase(Locale.ROOT).contains("connection lost"), answer.text());
                for (String event : answer.text().split("\n\n")) {
                    JSON.readTree(event.substring(event.indexOf("data: ") + 6));
                }
            }
            assertEquals(List.of(Outcome.BROKEN, Outcome.BROKEN), outcomes(fixture, 2));
        }
    }

    @Test
    void shouldEndTheStreamWellWhenOnlyItsEndIsMissing() throws Exception {
        String whole = "data: {\"choices\":[]}\n\ndata: [DONE]\n\n";
        try (ScriptedEngine bad = closing(SSE + chunk(whole));
                FrontFixture fixture = FrontFixture.before(bad);
                RawClient client = fixture.client()) {
            assertEquals(whole, client.post("/v1/completions", STREAM).answer().text());
            assertEquals(List.of(Outcome.COMPLETED), outcomes(fixture, 1));
        }
    }

    @Test
    void shouldCutTheConnectionWhenAPlainAnswerBreaksOff() throws Exception {
        try (ScriptedEngine bad = closing("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"a");
                FrontFixture fixture = FrontFixture.before(bad);
                RawClient client = fixture.client()) {
            RawClient.Answer answer = client.post("/v1/completions", "{}").answer();
            assertFalse(answer.whole());
            assertEquals(List.of(Outcome.BROKEN), outcomes(fixture, 1));
        }
    }

    @Test
    void shouldUseAFreshConnectionWhenTheEngineHasDroppedTheKeptOne() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (ScriptedEngine engine = engine(OK);
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            assertEquals("{}", client.post("/v1/completions", "{}").answer().text());
            // The second request reaches the old connection, which closes without a word.
            engine.script((request, socket, out) -> {
                if (request.connection() == 1) {
                    socket.close();
                    closed.countDown();
                } else {
                    out.write(utf8(OK));
                }
            });
            assertEquals("{}", client.post("/v1/completions", "{}").answer().text());
            closed.await();
            assertEquals(List.of(Outcome.COMPLETED, Outcome.COMPLETED), outcomes(fixture, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SSE + "a\r\ndata: aa\n\n\r\n"})
    void shouldCancelTheEngineWhenTheClientGoes(String before) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        AtomicLong goneNs = new AtomicLong();
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write(utf8(before));
                    out.flush();
                    asked.countDown();
                    while (socket.getInputStream().read() >= 0) {
                        // waits for the end
                    }
                    goneNs.set(System.nanoTime());
                    socket.close();
                });
                FrontFixture fixture = FrontFixture.before(engine)) {
            RawClient client = fixture.client();
            client.post("/v1/completions", STREAM);
            asked.await();
            if (!before.isEmpty()) {
                client.head();
            }
            long leftNs = System.nanoTime();
            client.close();
            FrontFixture.until("engine sees its client gone", () -> goneNs.get() != 0);
            System.out.println("cancelled after " + (goneNs.get() - leftNs) / 1_000 + " us");
            assertEquals(List.of(Outcome.CANCELLED), outcomes(fixture, 1));
            FrontFixture.until("nothing in flight", () -> fixture.front.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SSE, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"})
    void shouldPauseTheEngineWhenTheClientReadsNothing(String head) throws Exception {
        int events = 50_000;
        String event = "data: {\"choices\":[{\"delta\":{\"content\":\"" + "x".repeat(960) + "\"}}]}\n\n";
        byte[] piece = utf8(chunk(event));
        AtomicLong written = new AtomicLong();
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write(utf8(head));
                    for (int i = 0; i < events; i++) {
                        out.write(piece);
                        written.addAndGet(event.length());
                    }
                    out.write(utf8("0\r\n\r\n"));
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = new RawClient(fixture.front.port(), 64 << 10)) {
            client.post("/v1/completions", STREAM);
            FrontFixture.until("the engine is stopped", new Unchanged(written));
            assertTrue(written.get() < 24 << 20, "taken from the engine: " + written.get());
            assertTrue(fixture.registry.scrape().contains("penstock_http_client_stalls_total"));
            assertEquals((long) events * event.length(), client.answer().body().length);
            assertEquals(List.of(Outcome.COMPLETED), outcomes(fixture, 1));
        }
    }

    /** A number that has stayed the same for a fifth of a second. */
    private static final class Unchanged implements java.util.function.BooleanSupplier {
        private final AtomicLong number;
        private long last = -1;
        private long sinceNs;

        Unchanged(AtomicLong number) {
            this.number = number;
        }

        @Override
        public boolean getAsBoolean() {
            long now = number.get();
            if (now != last) {
                last = now;
                sinceNs = System.nanoTime();
            }
            return now > 0 && System.nanoTime() - sinceNs > 200_000_000;
        }
    }

    @Test
    void shouldGiveASilentEngineUpWhenItsTimeIsOver() throws Exception {
        ScriptedEngine.Script silent =
                (request, socket, out) -> socket.getInputStream().read();
        UnaryOperator<HttpConfig> settings = same -> TestConfigs.with(same, Map.of("upstreamIdleTimeoutMs", 100));
        try (ScriptedEngine bad = new ScriptedEngine(silent);
                ScriptedEngine good = engine(OK);
                FrontFixture fixture = FrontFixture.with(settings, bad, good);
                RawClient client = fixture.client()) {
            assertEquals("{}", client.post("/v1/completions", "{}").answer().text());
            bad.script((request, socket, out) -> {
                out.write(utf8(SSE + chunk("data: {\"a\":1}\n\n")));
                out.flush();
                socket.getInputStream().read();
            });
            RawClient.Answer answer = client.post("/v1/completions", STREAM).answer();
            assertTrue(answer.text().contains("\"error\""), answer.text());
        }
    }

    @Test
    void shouldGiveAClientUpThatLeavesItsAnswerUnread() throws Exception {
        Map<String, Object> brief = Map.of("clientStallTimeoutMs", 100);
        byte[] piece = new byte[1 << 20];
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write(utf8("HTTP/1.1 200 OK\r\nContent-Length: " + (64L << 20) + "\r\n\r\n"));
                    for (int i = 0; i < 64; i++) {
                        out.write(piece);
                    }
                });
                FrontFixture fixture = FrontFixture.with(same -> TestConfigs.with(same, brief), engine);
                RawClient client = new RawClient(fixture.front.port(), 64 << 10)) {
            client.post("/v1/completions", "{}");
            assertEquals(List.of(Outcome.CANCELLED), outcomes(fixture, 1));
            FrontFixture.until("the engine is let go", () -> engine.openConnections() == 0);
        }
    }

    @Test
    void shouldTellTheCoreWhenTheClientLeftBeforeItsPlaceWasFound() throws Exception {
        try (ScriptedEngine engine = engine(OK);
                FrontFixture fixture = FrontFixture.before(engine)) {
            CountDownLatch held = new CountDownLatch(1);
            fixture.placement.hold(held);
            try (Socket socket = new Socket("127.0.0.1", fixture.front.port())) {
                socket.getOutputStream().write(utf8(RawClient.request("/v1/completions", "{}")));
                FrontFixture.until("it is placed", () -> fixture.placement.routed() == 1);
            }
            FrontFixture.until("the front sees it gone", () -> fixture.front.inFlight() == 0);
            held.countDown();
            assertEquals(List.of(Outcome.CANCELLED), outcomes(fixture, 1));
            assertEquals(0, engine.requests.size());
        }
    }
}
