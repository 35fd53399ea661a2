package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors have the shape that each API's clients look for. */
class ApiErrorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void shouldHaveEachApisShapeWhenNothingWasSentYet() throws IOException {
        for (Fault fault : Fault.values()) {
            JsonNode openAi = MAPPER.readTree(ApiErrors.body(ApiKind.CHAT, fault, "wh\"y\n"));
            assertEquals("wh\"y\n", openAi.at("/error/message").textValue());
            assertTrue(openAi.at("/error/type").isTextual()
                    && openAi.at("/error/param").isNull());
            assertTrue(openAi.get("error").has("code"));
            JsonNode anthropic = MAPPER.readTree(ApiErrors.body(ApiKind.MESSAGES, fault, "why"));
            assertEquals("error", anthropic.get("type").textValue());
            assertTrue(anthropic.at("/error/type").isTextual());
            assertEquals("why", anthropic.at("/error/message").textValue());
        }
        assertEquals(503, ApiErrors.status(ApiKind.CHAT, Fault.UNAVAILABLE));
        assertEquals(529, ApiErrors.status(ApiKind.MESSAGES, Fault.UNAVAILABLE));
        assertEquals(404, ApiErrors.status(null, Fault.NOT_FOUND));
        JsonNode unknown = MAPPER.readTree(ApiErrors.unknownModel(ApiKind.RESPONSES, "m"));
        assertEquals("model_not_found", unknown.at("/error/code").textValue());
    }

    @Test
    void shouldEndChatWithAnErrorAndNotAsDoneWhenTheStreamBreaks() throws IOException {
        List<JsonNode> events =
                events(ApiErrors.midStream(ApiKind.CHAT, Fault.ENGINE_FAILED, "gone", null), ApiKind.CHAT);
        assertEquals(1, events.size());
        assertEquals("gone", events.getFirst().at("/error/message").textValue());
    }

    @Test
    void shouldGoOnCountingWhenAResponsesStreamBreaks() throws IOException {
        OpenAiStreamEvents stream = new OpenAiStreamEvents(ApiKind.RESPONSES);
        byte[] created =
                "data: {\"type\":\"response.created\",\"sequence_number\":6,\"response\":{\"id\":\"resp_7\"}}\n\n"
                        .getBytes(UTF_8);
        stream.event(ByteBuffer.wrap(created), 0, created.length);
        byte[] broken = ApiErrors.midStream(ApiKind.RESPONSES, Fault.ENGINE_FAILED, "gone", stream);
        List<JsonNode> events = events(broken, ApiKind.RESPONSES);
        assertEquals("error", events.get(0).get("type").textValue());
        assertEquals(7, events.get(0).get("sequence_number").intValue());
        assertTrue(events.get(0).get("error").isObject());
        assertEquals("response.failed", events.get(1).get("type").textValue());
        assertEquals(8, events.get(1).get("sequence_number").intValue());
        assertEquals("resp_7", events.get(1).at("/response/id").textValue());
        assertEquals("failed", events.get(1).at("/response/status").textValue());
    }

    @Test
    void shouldNameTheEventWhenAMessageStreamBreaks() throws IOException {
        byte[] broken = ApiErrors.midStream(ApiKind.MESSAGES, Fault.UNAVAILABLE, "gone", null);
        assertTrue(new String(broken, UTF_8).startsWith("event: error\n"));
        assertEquals(
                "overloaded_error",
                events(broken, ApiKind.MESSAGES).getFirst().at("/error/type").textValue());
    }

    private static List<JsonNode> events(byte[] stream, ApiKind kind) throws IOException {
        List<JsonNode> out = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        new SseScanner(
                        1 << 16,
                        (bytes, start, length, offset) -> texts.add(
                                UTF_8.decode(bytes.slice(start, length)).toString()))
                .feed(ByteBuffer.wrap(stream));
        for (String text : texts) {
            assertFalse(text.contains("[DONE]"), kind.path());
            out.add(MAPPER.readTree(text.substring(text.indexOf("data: ") + 6)));
        }
        return out;
    }
}
