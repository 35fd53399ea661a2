package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.bindings.openai.ApiKind;
import java.nio.charset.StandardCharsets;

/**
 * Names the agent's session to an engine that takes it: vLLM by {@code X-Session-ID}, SGLang by the body field {@code
 * session_id} of chat, completions and responses. Both repeat it in their KV events. Other engines are told nothing: one
 * might refuse a field that it does not know. What the client itself says to the engine stays.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param engine the engine
 * @param kind the API
 * @param session the session, or null for none
 */
record EngineSession(String engine, ApiKind kind, String session) {
    private static final String HEADER = "X-Session-ID";

    /** Adds the header where the engine reads it. */
    void header(HttpHeaders headers) {
        if (session != null && engine.equals("vllm") && !headers.contains(HEADER)) {
            headers.set(HEADER, session);
        }
    }

    /** The body with the field where the engine reads it; nothing is copied. */
    ByteBuf body(byte[] body, int length) {
        return EngineBody.with(body, length, field());
    }

    /** The body's field where the engine reads it there, else null. */
    byte[] field() {
        if (!inBody()) {
            return null;
        }
        // A session is visible ASCII, as headers are; two of its characters mean something in JSON.
        String quoted = session.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t");
        return ("\"session_id\":\"" + quoted + '"').getBytes(StandardCharsets.US_ASCII);
    }

    private boolean inBody() {
        return session != null
                && engine.equals("sglang")
                && (kind == ApiKind.CHAT || kind == ApiKind.COMPLETIONS || kind == ApiKind.RESPONSES);
    }
}
