package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.bindings.openai.ApiKind;
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
}
