package io.penstock.bindings.anthropic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.openai.SseScanner;
import io.penstock.bindings.openai.StreamEvents;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Anthropic's stream, event by event. */
class AnthropicStreamEventsTest {
    private static final String STREAM = """
            event: message_start
            data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":3,"cache_read_input_tokens":100,"output_tokens":1}}}

            event: ping
            data: {"type": "ping"}

            event: content_block_start
            data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

            event: content_block_delta
            data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

            event: content_block_start
            data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"w","input":{}}}

            event: content_block_delta
            data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"usage\\":{\\"output_tokens\\":7}}"}}

            event: content_block_stop
            data: {"type":"content_block_stop","index":1}

            event: message_delta
            data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":15}}

            event: message_stop
            data: {"type":"message_stop"}

            """;

    @Test
    void shouldReadUsageAndStopReasonWhenTheStreamRuns() {
        AnthropicStreamEvents facts = new AnthropicStreamEvents();
        List<Integer> flags = new ArrayList<>();
        SseScanner scanner =
                new SseScanner(1 << 16, (bytes, start, length, offset) -> flags.add(facts.event(bytes, start, length)));
        for (byte b : STREAM.getBytes(UTF_8)) {
            scanner.feed(ByteBuffer.wrap(new byte[] {b}));
        }
        assertEquals(
                List.of(
                        StreamEvents.USAGE,
                        0,
                        0,
                        StreamEvents.CONTENT,
                        StreamEvents.CONTENT | StreamEvents.TOOL_CALL,
                        StreamEvents.CONTENT | StreamEvents.TOOL_CALL,
                        0,
                        StreamEvents.FINISH | StreamEvents.USAGE,
                        StreamEvents.DONE),
                flags);
        assertEquals(128, facts.promptTokens());
        assertEquals(100, facts.cachedTokens());
        assertEquals(15, facts.completionTokens());
        assertEquals("tool_use", facts.finishReason());
    }

    @Test
    void shouldReadTheSameWhenTheAnswerIsABody() {
        AnthropicStreamEvents facts = new AnthropicStreamEvents();
        byte[] body =
                ("{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"tool_use\",\"input\":"
                                + "{\"stop_reason\":\"x\",\"usage\":{\"input_tokens\":9}}}],\"stop_reason\":\"end_turn\","
                                + "\"usage\":{\"input_tokens\":4,\"output_tokens\":2}}")
                        .getBytes(UTF_8);
        facts.body(ByteBuffer.wrap(body), 0, body.length);
        assertEquals(4, facts.promptTokens());
        assertEquals(-1, facts.cachedTokens());
        assertEquals("end_turn", facts.finishReason());
        assertTrue(facts.saw(StreamEvents.CONTENT | StreamEvents.TOOL_CALL));
    }

    @Test
    void shouldSeeTheErrorWhenTheEngineReportsOne() {
        byte[] error =
                "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"O\"}}\n\n"
                        .getBytes(UTF_8);
        assertEquals(StreamEvents.ERROR, new AnthropicStreamEvents().event(ByteBuffer.wrap(error), 0, error.length));
    }
}
