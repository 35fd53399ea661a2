package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PayloadRowTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TraceRecord record(String api, String request, String response) {
        TraceRecord record = TraceRecords.request("r1", TraceRecords.agent("s", null));
        record.api = api;
        record.requestPayload = request.getBytes(StandardCharsets.UTF_8);
        record.responsePayload = response == null ? null : response.getBytes(StandardCharsets.UTF_8);
        return record;
    }

    private static JsonNode response(String api, String stream) throws IOException {
        return JSON.readTree(PayloadRow.of(record(api, "{}", stream)).json()).at("/payload/response");
    }

    @Test
    void shouldCarryBothBodiesAsTheyWereAndNoSession() {
        TraceRecord record = record(
                "/v1/chat/completions",
                "{\n \"model\": \"my-model\",\n \"temperature\": 0.10,\n \"seed\": 18446744073709551615 }",
                "{\"id\":\"c\", \"choices\":[]}");
        record.capturedHeaders = Map.of("x-team", "a, b");
        DynamoRow row = PayloadRow.of(record);

        assertEquals(
                "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_payload\","
                        + "\"event_time_unix_ms\":1777312800000,\"payload\":{\"request_id\":\"r1\","
                        + "\"endpoint\":\"openai.chat_completion\",\"model\":\"my-model\","
                        + "\"request\":{\"model\":\"my-model\",\"temperature\":0.10,\"seed\":18446744073709551615},"
                        + "\"response\":{\"id\":\"c\",\"choices\":[]},\"http_request_headers\":{\"x-team\":\"a, b\"},"
                        + "\"payload_complete\":true}}",
                new String(row.json(), StandardCharsets.UTF_8));
        assertTrue(row.payloadComplete());
    }

    @Test
    void shouldSayWhyWhenItIsNotComplete() {
        TraceRecord cut = record("/v1/chat/completions", "{}", "data: {\"choices\":[{\"index\":0}]}\n\n");
        cut.outcome = Outcome.CANCELLED;
        assertEquals("response_stream_dropped", PayloadRow.of(cut).payloadDropReason());
        assertTrue(new String(PayloadRow.of(cut).json(), StandardCharsets.UTF_8).contains("\"response\":{"));
        TraceRecord empty = record("/v1/chat/completions", "{}", null);
        assertEquals("empty_response_stream", PayloadRow.of(empty).payloadDropReason());
        TraceRecord odd = record("/v1/chat/completions", "{}", "<html>");
        assertTrue(PayloadRow.of(odd).payloadDropReason().startsWith("aggregation_failed:"));
        TraceRecord unread = record("/v1/chat/completions", "{", "{}");
        assertEquals("unspecified", PayloadRow.of(unread).payloadDropReason());
        assertFalse(PayloadRow.of(unread).payloadComplete());
        unread.requestPayload = null;
        assertEquals("unspecified", PayloadRow.of(unread).payloadDropReason());
        assertFalse(new String(PayloadRow.of(unread).json(), StandardCharsets.UTF_8).contains("\"request\":"));
    }

    @Test
    void shouldNameTheApiOfABody() {
        assertEquals("openai.chat_completion", PayloadRow.endpoint("/v1/chat/completions"));
        assertEquals("openai.completion", PayloadRow.endpoint("/v1/completions"));
        assertEquals("openai.response", PayloadRow.endpoint("/v1/responses"));
        assertEquals("anthropic.message", PayloadRow.endpoint("/v1/messages"));
    }

    @Test
    void shouldPutAStreamedChatTogether() throws IOException {
        JsonNode answer = response("/v1/chat/completions", """
                data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hel"}}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"lo"}}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{\\"a\\""}}]}}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}

                data: {"id":"c1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":3}}

                data: [DONE]

                """);
        assertEquals("chat.completion", answer.get("object").textValue());
        assertEquals(3, answer.at("/usage/prompt_tokens").intValue());
        JsonNode choice = answer.at("/choices/0");
        assertEquals("Hello", choice.at("/message/content").textValue());
        assertEquals("hm", choice.at("/message/reasoning_content").textValue());
        assertEquals("assistant", choice.at("/message/role").textValue());
        assertEquals("tool_calls", choice.get("finish_reason").textValue());
        assertEquals("f", choice.at("/message/tool_calls/0/function/name").textValue());
        assertEquals(
                "{\"a\":1}",
                choice.at("/message/tool_calls/0/function/arguments").textValue());
    }

    @Test
    void shouldPutStreamsOfTheOtherApisTogether() throws IOException {
        JsonNode text = response("/v1/completions", """
                data: {"id":"c","object":"text_completion","choices":[{"index":0,"text":"a"}]}

                data: {"id":"c","object":"text_completion","choices":[{"index":0,"text":"b","finish_reason":"stop"}]}

                """);
        assertEquals("ab", text.at("/choices/0/text").textValue());
        JsonNode answer = response("/v1/responses", """
                event: response.created
                data: {"type":"response.created","response":{"id":"r","status":"in_progress"}}

                event: response.completed
                data: {"type":"response.completed","response":{"id":"r","status":"completed"}}

                """);
        assertEquals("completed", answer.get("status").textValue());
        JsonNode message = response("/v1/messages", """
                event: message_start
                data: {"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":5}}}

                data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

                data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

                data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"!"}}

                data: {"type":"content_block_stop","index":0}

                data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}

                data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":"}}

                data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1}"}}

                data: {"type":"content_block_stop","index":1}

                data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}

                data: {"type":"message_stop"}

                """);
        assertEquals("Hi!", message.at("/content/0/text").textValue());
        assertEquals("text", message.at("/content/0/type").textValue());
        assertEquals(1, message.at("/content/1/input/a").intValue());
        assertEquals("tool_use", message.get("stop_reason").textValue());
        assertEquals(5, message.at("/usage/input_tokens").intValue());
        assertEquals(7, message.at("/usage/output_tokens").intValue());
    }
}
