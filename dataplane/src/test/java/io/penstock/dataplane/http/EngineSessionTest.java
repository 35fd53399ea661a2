package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.bindings.openai.ApiKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How engines are told the session. */
class EngineSessionTest {

    private static String body(String engine, ApiKind kind, String session, String body) {
        byte[] bytes = (body + "beyond").getBytes(UTF_8);
        ByteBuf sent = new EngineSession(engine, kind, session).body(bytes, body.getBytes(UTF_8).length);
        String text = sent.toString(UTF_8);
        sent.release();
        return text;
    }

    private static String header(String engine, String session, String given) {
        HttpHeaders headers = new DefaultHttpHeaders();
        if (given != null) {
            headers.set("x-session-id", given);
        }
        new EngineSession(engine, ApiKind.CHAT, session).header(headers);
        return headers.get("X-Session-ID");
    }

    @Test
    void shouldAddTheFieldWhenTheEngineIsSglang() {
        assertEquals(
                "{\"model\":\"ä\",\"session_id\":\"s\\\"1\\\\\"} \n",
                body("sglang", ApiKind.CHAT, "s\"1\\", "{\"model\":\"ä\"} \n"));
        assertEquals("{ \"session_id\":\"s\"}", body("sglang", ApiKind.RESPONSES, "s", "{ }"));
        assertNull(header("sglang", "s", null));
    }

    @ParameterizedTest
    @CsvSource({
        "vllm,CHAT,s",
        "trtllm,CHAT,s",
        "none,CHAT,s",
        "sglang,MESSAGES,s",
        "sglang,EMBEDDINGS,s",
        "sglang,CHAT,"
    })
    void shouldLeaveTheBodyAlone(String engine, ApiKind kind, String session) {
        assertEquals("{\"model\":\"m\"}", body(engine, kind, session, "{\"model\":\"m\"}"));
    }

    @Test
    void shouldAddTheHeaderWhenTheEngineIsVllmAndTheClientSaysNothing() {
        assertEquals("s", header("vllm", "s", null));
        assertEquals("its own", header("vllm", "s", "its own"));
        assertNull(header("vllm", null, null));
        assertNull(header("trtllm", "s", null));
        assertNull(header("none", "s", null));
    }

    @Test
    void shouldReachTheEngineWholeAndLeaveTheClientsOwnWord() throws Exception {
        byte[] ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8);
        String asked = "{\"model\":\"tiny\",\"stream\":true,\"messages\":[]}";
        String own = "{\"model\":\"tiny\",\"session_id\":\"its own\",\"messages\":[]}";
        for (String kind : List.of("sglang", "vllm", "trtllm")) {
            try (ScriptedEngine engine = ScriptedEngine.answering(ok).as(kind);
                    FrontFixture fixture = FrontFixture.before(engine);
                    RawClient client = fixture.client()) {
                client.post("/v1/chat/completions", asked, "thread-id: t").answer();
                client.post("/v1/chat/completions", own, "thread-id: t").answer();
                client.post("/v1/chat/completions", asked).answer();
                ScriptedEngine.Request first = engine.requests.getFirst();
                String sent = "{\"model\":\"tiny\",\"stream\":true,\"messages\":[],"
                        + "\"stream_options\":{\"include_usage\":true}";
                assertEquals(sent + (kind.equals("sglang") ? ",\"session_id\":\"t\"}" : "}"), first.text());
                assertEquals(kind.equals("vllm") ? "t" : null, first.header("X-Session-ID"));
                assertEquals(own, engine.requests.get(1).text());
                assertNull(engine.requests.get(1).header("X-Session-ID"));
                assertEquals(sent + "}", engine.requests.get(2).text());
                assertNull(engine.requests.get(2).header("X-Session-ID"));
            }
        }
    }
}
