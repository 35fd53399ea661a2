package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.anthropic.AnthropicStreamEvents;
import io.penstock.bindings.openai.AnswerEnd.Call;
import io.penstock.bindings.openai.AnswerEnd.Choice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why an answer ended and which tools it calls, from streams and bodies of every API. */
class AnswerEndTest {

    private static AnswerEnd stream(StreamEvents events, String... data) {
        for (String each : data) {
            byte[] event = ("data: " + each + "\n\n").getBytes(UTF_8);
            events.event(ByteBuffer.wrap(event), 0, event.length);
        }
        return events.end();
    }

    private static AnswerEnd body(StreamEvents events, String json) {
        byte[] bytes = json.getBytes(UTF_8);
        events.body(ByteBuffer.wrap(bytes), 0, bytes.length);
        return events.end();
    }

    @Test
    void shouldTakeIdAndNameFromWhicheverChunkBringsThemFirst() {
        AnswerEnd end = stream(
                new OpenAiStreamEvents(ApiKind.CHAT),
                "{\"choices\":[{\"index\":1,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"look\"}}]}}]}",
                "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":"
                        + "{\"arguments\":\"{\\\"name\\\":\\\"x\\\",\\\"id\\\":1}\",\"name\":\"s\\u00e9ek\"}}]}}]}",
                "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"a\",\"index\":0,\"function\":{\"name\":\"other\"}},"
                        + "{\"function\":{\"arguments\":\"1\"},\"index\":1}]},\"index\":1}]}",
                "{\"choices\":[{\"index\":1,\"delta\":{\"tool_calls\":[{\"id\":\"late\",\"index\":0}]}}]}");
        assertEquals(List.of(new Call(1, 0, "a", "look"), new Call(0, 1, "b", "séek")), end.calls());
        assertTrue(end.choices().isEmpty());
    }

    @Test
    void shouldTellEveryChoiceWhenThereAreSeveral() {
        AnswerEnd end = stream(
                new OpenAiStreamEvents(ApiKind.CHAT),
                "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null,\"stop_reason\":null}]}",
                "{\"choices\":[{\"finish_reason\":\"stop\",\"stop_reason\":\"</a>\",\"delta\":{},\"index\":2},"
                        + "{\"index\":0,\"delta\":{},\"logprobs\":{\"content\":[{\"token\":\"x\",\"index\":7}]},"
                        + "\"finish_reason\":\"length\",\"matched_stop\":151645}]}",
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}");
        assertEquals(List.of(new Choice(2, "stop", "</a>"), new Choice(0, "length", "151645")), end.choices());
        assertTrue(end.calls().isEmpty());
    }

    @Test
    void shouldReadRecordedToolStreamsWithoutTheirArguments() throws IOException {
        for (String name : List.of("tool_named_stream_raw", "tool_required_stream_raw")) {
            OpenAiStreamEvents events = new OpenAiStreamEvents(ApiKind.CHAT);
            String stream = SharedData.vllmHttp().get(name).textValue();
            SseScanner scanner =
                    new SseScanner(1 << 20, (bytes, start, length, offset) -> events.event(bytes, start, length));
            scanner.feed(ByteBuffer.wrap(stream.getBytes(UTF_8)));
            Call call = events.end().calls().getFirst();
            assertEquals(0, call.index());
            assertEquals("get_weather", call.name());
            assertTrue(call.id().startsWith("chatcmpl-tool-"), call.id());
            assertTrue(stream.contains(call.id()));
            assertEquals(
                    events.finishReason(), events.end().choices().getFirst().finishReason());
        }
    }

    @Test
    void shouldReadABodyOfChatAndOfCompletions() throws IOException {
        AnswerEnd chat = body(
                new OpenAiStreamEvents(ApiKind.CHAT),
                "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"id\":\"b\",\"function\":"
                        + "{\"name\":\"g\"}}]},\"finish_reason\":\"tool_calls\",\"index\":0}],\"usage\":{}}");
        assertEquals(List.of(new Call(0, 0, "a", "f"), new Call(0, 1, "b", "g")), chat.calls());
        assertEquals(List.of(new Choice(0, "tool_calls", null)), chat.choices());
        AnswerEnd completions = body(
                new OpenAiStreamEvents(ApiKind.COMPLETIONS),
                "{\"choices\":[{\"text\":\"x\",\"finish_reason\":\"stop\"},{\"text\":\"y\",\"finish_reason\":\"length\"}]}");
        assertEquals(List.of(new Choice(0, "stop", null), new Choice(1, "length", null)), completions.choices());
        AnswerEnd recorded = body(
                new OpenAiStreamEvents(ApiKind.CHAT),
                SharedData.vllmHttp().get("chat_response").toString());
        assertEquals(List.of(new Choice(0, "length", null)), recorded.choices());
    }

    @Test
    void shouldReadAResponsesStreamWhichSaysEveryCallThreeTimes() {
        String item = "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_1\",\"name\":\"f\","
                + "\"arguments\":\"{}\",\"status\":\"completed\"}";
        String custom = "{\"call_id\":\"call_2\",\"name\":\"apply\",\"input\":\"\",\"type\":\"custom_tool_call\"}";
        AnswerEnd end = stream(
                new OpenAiStreamEvents(ApiKind.RESPONSES),
                "{\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"status\":\"in_progress\",\"output\":[],"
                        + "\"tools\":[{\"type\":\"function\",\"name\":\"f\"}]}}",
                "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"m\"}}",
                "{\"item\":" + item + ",\"type\":\"response.output_item.added\",\"output_index\":1}",
                "{\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":"
                        + item.replace("call_1", "renamed") + "}",
                "{\"type\":\"response.output_item.done\",\"output_index\":2,\"item\":" + custom + "}",
                "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":["
                        + item.replace("call_1", "again") + "," + custom + "],\"usage\":{\"input_tokens\":1}}}");
        assertEquals(List.of(new Call(0, 0, "call_1", "f"), new Call(0, 1, "call_2", "apply")), end.calls());
        assertEquals(List.of(new Choice(0, "completed", null)), end.choices());
    }

    @Test
    void shouldReadAResponsesBody() {
        AnswerEnd end = body(
                new OpenAiStreamEvents(ApiKind.RESPONSES),
                "{\"id\":\"r\",\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
                        + "\"output\":[{\"type\":\"reasoning\",\"id\":\"x\"},{\"type\":\"function_call\",\"call_id\":\"c\","
                        + "\"name\":\"f\"},{\"type\":\"web_search_call\",\"id\":\"w\"}],\"tools\":[{\"name\":\"f\"}]}");
        assertEquals(List.of(new Call(0, 0, "c", "f")), end.calls());
        assertEquals(List.of(new Choice(0, "max_output_tokens", null)), end.choices());
    }

    @Test
    void shouldReadAnthropicStreamsAndBodies() {
        AnswerEnd end = stream(
                new AnthropicStreamEvents(),
                "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"stop_reason\":null}}",
                "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"server_tool_use\","
                        + "\"id\":\"s\",\"name\":\"web\"}}",
                "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"id\":\"t1\",\"name\":\"Bash\","
                        + "\"input\":{},\"type\":\"tool_use\"}}",
                "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\","
                        + "\"partial_json\":\"{\\\"name\\\":1}\"}}",
                "{\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t2\","
                        + "\"name\":\"Read\",\"input\":{}}}",
                "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"stop_sequence\",\"stop_sequence\":\"END\"},"
                        + "\"usage\":{\"output_tokens\":3}}");
        assertEquals(List.of(new Call(0, 0, "t1", "Bash"), new Call(0, 1, "t2", "Read")), end.calls());
        assertEquals(List.of(new Choice(0, "stop_sequence", "END")), end.choices());
        AnswerEnd body = body(
                new AnthropicStreamEvents(),
                "{\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Bash\",\"input\":{\"id\":\"no\","
                        + "\"name\":\"no\"}},{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"tool_use\",\"name\":\"Read\","
                        + "\"id\":\"t2\"}],\"stop_reason\":\"tool_use\",\"stop_sequence\":null}");
        assertEquals(end.calls(), body.calls());
        assertEquals(List.of(new Choice(0, "tool_use", null)), body.choices());
    }

    @Test
    void shouldCountWhatIsLeftOutWhenAnAnswerCallsWithoutEnd() {
        OpenAiStreamEvents events = new OpenAiStreamEvents(ApiKind.CHAT);
        for (int i = 0; i < AnswerEnd.MOST + 3; i++) {
            stream(
                    events,
                    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":" + i + ",\"id\":\"c" + i + "\"}]}}]}");
        }
        assertEquals(AnswerEnd.MOST, events.end().calls().size());
        assertEquals(3, events.end().leftOut());
        assertFalse(events.end().calls().contains(new Call(0, AnswerEnd.MOST, "c" + AnswerEnd.MOST, null)));
    }
}
