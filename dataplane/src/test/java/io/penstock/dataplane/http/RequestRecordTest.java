package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the record of a request says, and that there is exactly one however the request ends. */
class RequestRecordTest {
    private static final String SSE_HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String CHAT = "{\"model\":\"tiny\",\"stream\":true,\"messages\":[{\"role\":\"tool\"}]}";
    private static final String[] AGENT = {"X-Claude-Code-Session-Id: root", "x-claude-code-agent-id: sub"};
    private static final String CALLS = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n"
            + "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":"
            + "{\"name\":\"ls\",\"arguments\":\"secret\"}}]}}]}\n\n";
    private static final String END =
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\",\"stop_reason\":7}]}\n\n"
                    + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":9,"
                    + "\"prompt_tokens_details\":{\"cached_tokens\":32}}}\n\ndata: [DONE]\n\n";

    private static byte[] stream(String events) {
        return PassThroughTest.join(SSE_HEAD, PassThroughTest.chunked(events.getBytes(UTF_8), 50));
    }

    private static TraceRecord only(FrontFixture fixture) throws InterruptedException {
        FrontFixture.until("a record", () -> !fixture.placement.traces.isEmpty());
        FrontFixture.until("nothing in flight", () -> fixture.front.inFlight() == 0);
        assertEquals(1, fixture.placement.traces.size(), "exactly one record");
        return fixture.placement.traces.getFirst();
    }

    @Test
    void shouldSayAllOfAStreamThatCompletes() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            long before = System.currentTimeMillis();
            RawClient.Answer answer = client.post(
                            "/v1/chat/completions?a=1",
                            CHAT,
                            AGENT[0],
                            AGENT[1],
                            "x-request-id: mine",
                            "x-penstock-explain: 1")
                    .answer();
            TraceRecord record = only(fixture);
            assertEquals(record.requestId, answer.header("x-penstock-request-id"));
            assertEquals(
                    record.requestId,
                    fixture.front.decisions().last(1).getFirst().requestId());
            assertEquals("sub", record.agent.session());
            assertEquals("root", record.agent.parent());
            assertEquals("mine", record.clientRequestId);
            assertEquals("/v1/chat/completions", record.api);
            assertEquals("tiny", record.model);
            assertEquals(Outcome.COMPLETED, record.outcome);
            assertEquals(200, record.status);
            assertEquals(1, record.attempts);
            assertEquals(40, record.inputTokens, "text chunks count no tokens: the engine does");
            assertEquals(9, record.outputTokens);
            assertEquals(32, record.cachedTokens);
            assertEquals(32, record.predictedCachedTokens);
            assertEquals(0, record.slot);
            assertEquals("w0", record.worker);
            assertEquals(0, record.rank);
            assertEquals(3, record.overlapBlocks);
            assertEquals(32, record.blockSize);
            assertFalse(record.exact);
            assertEquals("tool_calls", record.finishReason);
            assertEquals(List.of(new TraceRecord.ChoiceEnd(0, "tool_calls", "7")), record.choices);
            assertEquals(List.of(new TraceRecord.ToolCall(0, 0, "c1", "ls")), record.toolCalls);
            assertNull(record.requestPayload);
            assertNull(record.responsePayload);
            assertTrue(record.receivedMs >= before && record.epochMs >= record.receivedMs);
            assertTrue(record.routedMs >= 0 && record.firstTokenMs >= record.routedMs);
            assertTrue(record.totalMs >= record.firstTokenMs);
        }
    }

    @Test
    void shouldCarryHashesAndTheirTracesWhenTokensAreGivenUnderASalt() throws Exception {
        String ids = IntStream.range(0, 70).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String answer = "{\"choices\":[{\"index\":0,\"text\":\"a\",\"finish_reason\":\"stop\"},"
                + "{\"index\":1,\"text\":\"b\",\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":99}}";
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + answer.length() + "\r\n\r\n";
        try (ScriptedEngine engine = ScriptedEngine.answering(PassThroughTest.join(head, answer.getBytes(UTF_8)));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.post("/v1/completions", "{\"model\":\"tiny\",\"prompt\":[" + ids + "]}")
                    .answer();
            TraceRecord plain = only(fixture);
            client.post("/v1/completions", "{\"model\":\"tiny\",\"cache_salt\":\"s\",\"prompt\":[" + ids + "]}")
                    .answer();
            FrontFixture.until("two records", () -> fixture.placement.traces.size() == 2);
            TraceRecord salted = fixture.placement.traces.get(1);
            assertTrue(plain.exact);
            assertEquals(70, plain.inputTokens, "the router's own count");
            assertEquals(2, plain.hashCount);
            assertNull(plain.traceHashes);
            assertTrue(plain.partial);
            assertEquals(3, plain.traceHashCount());
            assertFalse(Arrays.equals(plain.hashes, salted.hashes));
            assertArrayEquals(plain.hashes, salted.traceHashes);
            assertEquals(plain.partialHash, salted.partialHash);
            assertEquals("length", plain.finishReason);
            assertEquals(2, plain.choices.size());
            assertTrue(Double.isNaN(plain.firstTokenMs), "a body shows no first token");
            assertTrue(plain.totalMs > 0);
            assertFalse(plain.agent.hasSession());
        }
    }

    @Test
    void shouldCountSoFarWhenTheStreamBreaks() throws Exception {
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    byte[] whole = stream(CALLS);
                    out.write(Arrays.copyOf(whole, whole.length - 5)); // without the last chunk
                    out.flush();
                    socket.close();
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", CHAT, AGENT).answer();
            TraceRecord record = only(fixture);
            assertEquals(Outcome.BROKEN, record.outcome);
            assertEquals(200, record.status);
            assertEquals(2, record.outputTokens);
            assertEquals("c1", record.toolCalls.getFirst().id());
            assertTrue(record.choices.isEmpty());
            assertTrue(record.totalMs > 0);
        }
    }

    @Test
    void shouldTellTheRouterWhenTheClientLeavesAStream() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    byte[] whole = stream(CALLS);
                    out.write(Arrays.copyOf(whole, whole.length - 5));
                    out.flush();
                    never.await();
                });
                FrontFixture fixture = FrontFixture.before(engine)) {
            try (RawClient client = fixture.client()) {
                client.post("/v1/chat/completions", CHAT, AGENT);
                client.head();
                FrontFixture.until("tokens", () -> !fixture.placement.firstTokens.isEmpty());
            }
            TraceRecord record = only(fixture);
            assertEquals(Outcome.CANCELLED, record.outcome);
            assertEquals(200, record.status);
            assertEquals("sub", record.agent.session());
            assertTrue(record.outputTokens >= 1, "so far");
            assertNotNull(record.worker);
            never.countDown();
        }
    }

    @Test
    void shouldLeaveOneRecordWhenTheClientLeavesBeforeTheDecision() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture = FrontFixture.before(engine)) {
            fixture.placement.hold(held);
            try (RawClient client = fixture.client()) {
                client.post("/v1/chat/completions", CHAT, AGENT);
                FrontFixture.until("asked", () -> fixture.placement.routed() == 1);
            }
            TraceRecord record = only(fixture);
            held.countDown();
            FrontFixture.until("place given back", () -> !fixture.placement.ends.isEmpty());
            assertEquals(1, fixture.placement.traces.size());
            assertEquals(Outcome.CANCELLED, record.outcome);
            assertEquals(TraceRecord.UNKNOWN, record.status);
            assertEquals("sub", record.agent.session());
            assertNull(record.worker);
            assertEquals(0, record.attempts);
        }
    }

    @Test
    void shouldSayWhoItWasWhenTheClientLeavesWhileItsBodyIsRead() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        String large =
                "{\"model\":\"slow\",\"messages\":[{\"role\":\"user\",\"content\":\"" + "x".repeat(64 << 10) + "\"}]}";
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture = FrontFixture.before(engine)) {
            fixture.slow = slow;
            try (RawClient client = fixture.client()) {
                client.post("/v1/chat/completions", large, AGENT);
                FrontFixture.until("being read", () -> fixture.reading.get() == 1);
            }
            TraceRecord record = only(fixture);
            slow.countDown();
            assertEquals("sub", record.agent.session());
            assertEquals(Outcome.CANCELLED, record.outcome);
        }
    }

    @Test
    void shouldLeaveOneRecordWhenTheRouterRefuses() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            fixture.placement.status = Decision.Status.NO_WORKER;
            client.post("/v1/chat/completions", CHAT, AGENT).answer();
            assertRefused(fixture, 503, "tiny");
            fixture.placement.full = true;
            client.post("/v1/messages", CHAT, AGENT).answer();
            assertRefused(fixture, 529, "tiny");
            client.post("/v1/chat/completions", "{\"model\":\"other\"}", AGENT).answer();
            assertRefused(fixture, 404, "other");
            client.post("/v1/chat/completions", "{\"model\":\"" + "x".repeat(9_000) + "\"}", AGENT)
                    .answer();
            assertRefused(fixture, 404, "x".repeat(512));
            client.post("/v1/chat/completions", "{\"model\":", AGENT).answer();
            assertRefused(fixture, 400, null);
        }
    }

    private static void assertRefused(FrontFixture fixture, int status, String model) throws InterruptedException {
        TraceRecord record = only(fixture);
        fixture.placement.traces.clear();
        assertEquals(Outcome.REFUSED, record.outcome);
        assertEquals(status, record.status);
        assertEquals(model, record.model);
        assertEquals("sub", record.agent.session());
        assertEquals(0, record.outputTokens);
        assertNull(record.worker);
    }

    @Test
    void shouldLeaveARecordWhenTheBodyIsRefusedBeforeItIsThere() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture =
                        FrontFixture.with(from -> TestConfigs.with(from, Map.of("maxBodyBytes", 1_024)), engine);
                RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", "{\"model\":\"tiny\"" + " ".repeat(2_000) + "}", AGENT)
                    .answer();
            assertRefused(fixture, 413, null);
        }
    }

    @Test
    void shouldSayTheLastWorkerWhenTheFirstFails() throws Exception {
        try (ScriptedEngine bad = new ScriptedEngine((request, socket, out) -> socket.close());
                ScriptedEngine good = ScriptedEngine.answering(stream(CALLS + END));
                FrontFixture fixture = FrontFixture.before(bad, good);
                RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", CHAT, AGENT).answer();
            TraceRecord record = only(fixture);
            assertEquals(2, record.attempts);
            assertEquals("w1", record.worker);
            assertEquals(Outcome.COMPLETED, record.outcome);
        }
    }

    @Test
    void shouldCallItRefusedWhenEveryEngineRefuses() throws Exception {
        byte[] busy = PassThroughTest.join(
                "HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n",
                "{}".getBytes(UTF_8));
        try (ScriptedEngine engine = ScriptedEngine.answering(busy);
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            assertEquals(
                    503,
                    client.post("/v1/chat/completions", CHAT, AGENT).answer().status());
            TraceRecord record = only(fixture);
            assertEquals(Outcome.REFUSED, record.outcome);
            assertEquals(503, record.status);
            assertEquals(1, record.attempts);
            assertEquals("w0", record.worker);
        }
    }

    @Test
    void shouldGrowWhenNamesAreGivenThoughTheClockGoesBack() {
        RequestIds ids = new RequestIds();
        String last = ids.next(1_000_000);
        for (long clock : new long[] {1_000_000, 999_000, 1_000_000, 1_000_001, 5, 2_000_000}) {
            for (int i = 0; i < 5_000; i++) {
                String next = ids.next(clock);
                assertTrue(next.compareTo(last) > 0, next + " after " + last);
                assertEquals(7, java.util.UUID.fromString(next).version());
                assertEquals(2, java.util.UUID.fromString(next).variant());
                last = next;
            }
        }
    }
}
