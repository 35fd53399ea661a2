package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.journal.PayloadConfig;
import io.penstock.dataplane.journal.PayloadRedactor;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in traces: only where asked for, within bounds, after the redactors. */
class PayloadCaptureTest {
    private static final String CHAT =
            "{\"model\":\"tiny\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"my secret\"}]}";
    private static final String EVENTS =
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"its secret\"}}]}\n\n"
                    + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n";
    private static final PayloadConfig KEEP = PayloadConfig.defaults().keeping();

    private static byte[] stream(String events) {
        return PassThroughTest.join(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                PassThroughTest.chunked(events.getBytes(UTF_8), 37));
    }

    private static TraceRecord record(FrontFixture fixture, String body) throws Exception {
        try (RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", body).answer();
            FrontFixture.until("a record", () -> !fixture.placement.traces.isEmpty());
            assertEquals(1, fixture.placement.traces.size());
            return fixture.placement.traces.getFirst();
        }
    }

    private static double dropped(FrontFixture fixture, String reason) {
        return fixture.registry
                .get("penstock.payloads.dropped")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepWhatTheClientSentAndGotOnlyWhenAskedTo(boolean keep) throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(EVENTS));
                FrontFixture fixture =
                        FrontFixture.keeping(keep ? KEEP : PayloadConfig.defaults(), List.of(), engine)) {
            TraceRecord record = record(fixture, CHAT);
            if (!keep) {
                assertNull(record.requestPayload);
                assertNull(record.responsePayload);
                return;
            }
            assertEquals(CHAT, new String(record.requestPayload, UTF_8), "without the router's own edits");
            String got = new String(record.responsePayload, UTF_8);
            assertTrue(got.contains("its secret") && got.endsWith("[DONE]\n\n"), got);
            assertTrue(!got.contains("usage"), "what was taken out for the client is not kept either");
        }
    }

    @Test
    void shouldShowTheRedactorsEveryBodyBeforeItIsTold() throws Exception {
        PayloadRedactor words = (part, about, payload) -> new String(payload, UTF_8)
                .replace("secret", part + " of " + about.model)
                .getBytes(UTF_8);
        PayloadRedactor answers = (part, about, payload) -> part == PayloadRedactor.Part.RESPONSE ? null : payload;
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(EVENTS));
                FrontFixture fixture = FrontFixture.keeping(KEEP, List.of(words, answers), engine)) {
            TraceRecord record = record(fixture, CHAT);
            assertTrue(new String(record.requestPayload, UTF_8).contains("my REQUEST of tiny"));
            assertNull(record.responsePayload);
            assertEquals(1, dropped(fixture, "redacted"));
            assertEquals(1, fixture.placement.ends.size(), "the core is told at once");
        }
    }

    @Test
    void shouldKeepNothingWhenARedactorFails() throws Exception {
        PayloadRedactor broken = (part, about, payload) -> {
            throw new IllegalStateException("as the test wants it");
        };
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(EVENTS));
                FrontFixture fixture = FrontFixture.keeping(KEEP, List.of(broken), engine)) {
            TraceRecord record = record(fixture, CHAT);
            assertNull(record.requestPayload);
            assertNull(record.responsePayload);
            assertEquals(2, dropped(fixture, "redactor_failed"));
            assertEquals(2, fixture.failed.size());
        }
    }

    @Test
    void shouldKeepNothingOfWhatIsTooLargeAndCountIt() throws Exception {
        String large = "data: {\"choices\":[{\"delta\":{\"content\":\"" + "x".repeat(2_000) + "\"}}]}\n\n";
        try (ScriptedEngine engine = ScriptedEngine.answering(stream(large));
                FrontFixture fixture = FrontFixture.keeping(new PayloadConfig(true, 1_024, 1_024), List.of(), engine)) {
            TraceRecord small = record(fixture, CHAT);
            assertEquals(CHAT, new String(small.requestPayload, UTF_8));
            assertNull(small.responsePayload);
            assertEquals(1, dropped(fixture, "too_large"));
            fixture.placement.traces.clear();
            engine.script((request, socket, out) -> out.write(stream(EVENTS)));
            assertNull(record(fixture, CHAT.replace("my secret", "x".repeat(1_000))).requestPayload);
            assertEquals(2, dropped(fixture, "too_large"));
            fixture.placement.traces.clear();
            // Request and answer are charged together.
            TraceRecord both = record(fixture, CHAT.replace("my secret", "x".repeat(800)));
            assertEquals(null, both.responsePayload);
            assertEquals(1, dropped(fixture, "budget"));
        }
    }
}
