package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What an engine's answer tells the core, and what of it reaches the client, beside its bytes. */
class EngineAnswerTest {
    private static final String SSE_HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nX-Engine: a\r\n\r\n";
    private static final String ASKED =
            "{\"model\":\"tiny\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[]}";

    private static byte[] chunk(byte[] data) {
        return concat(
                (Integer.toHexString(data.length) + "\r\n").getBytes(UTF_8), concat(data, new byte[] {'\r', '\n'}));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] out = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, out, first.length, second.length);
        return out;
    }

    @Test
    void shouldReportTheFirstTokenWithTheFirstContentAndNotBefore() throws Exception {
        String role = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
        String content = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        CountDownLatch roleSeen = new CountDownLatch(1);
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write(SSE_HEAD.getBytes(UTF_8));
                    out.write(chunk(role.getBytes(UTF_8)));
                    out.flush();
                    roleSeen.await();
                    out.write(chunk(content.getBytes(UTF_8)));
                    out.write("0\r\n\r\n".getBytes(UTF_8));
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", ASKED);
            client.head();
            client.line(); // the first chunk's size: its bytes are on their way
            assertTrue(fixture.placement.firstTokens.isEmpty());
            roleSeen.countDown();
            FrontFixture.until("first token told", () -> fixture.placement.firstTokens.size() == 1);
        }
    }

    @Test
    void shouldPassACompressedStreamOnAsItComesWhenTheEngineCompressesAnyway() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("data: {\"choices\":[]}\n\ndata: [DONE]\n\n".getBytes(UTF_8));
        }
        byte[] first = java.util.Arrays.copyOf(packed.toByteArray(), 12);
        CountDownLatch seen = new CountDownLatch(1);
        String head = SSE_HEAD.replace("X-Engine", "Content-Encoding: gzip\r\nX-Engine");
        try (ScriptedEngine engine = new ScriptedEngine((request, socket, out) -> {
                    out.write(concat(head.getBytes(UTF_8), chunk(first)));
                    out.flush();
                    seen.await();
                    byte[] rest = java.util.Arrays.copyOfRange(packed.toByteArray(), 12, packed.size());
                    out.write(PassThroughTest.chunked(rest, 7));
                });
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", ASKED);
            String got = client.head();
            assertTrue(got.contains("Content-Encoding: gzip"), got);
            assertEquals("c", client.line());
            seen.countDown();
        }
    }

    @Test
    void shouldPassEveryHeaderOfTheEngineOn() throws Exception {
        String head = "HTTP/1.1 400 Bad Request\r\nDate: Mon, 30 Nov 2026 00:00:00 GMT\r\nServer: uvicorn\r\n"
                + "x-request-id: abc\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n";
        try (ScriptedEngine engine = ScriptedEngine.answering(
                        PassThroughTest.join("HTTP/1.1 103 Early Hints\r\n\r\n" + head, new byte[] {'{', '}'}));
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            RawClient.Answer answer =
                    client.post("/v1/chat/completions", "{\"model\":\"tiny\"}").answer();
            assertEquals(head, answer.head());
            assertTrue(
                    fixture.registry.scrape().contains("usage_unread_total 0.0"),
                    "an error has no usage that could be missed");
        }
    }
}
