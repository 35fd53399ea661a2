package io.penstock.dataplane.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.demo.Exchange.End;
import io.penstock.dataplane.trace.Turn;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code /v1/messages} as Claude Code sends it: its session and agent headers, tool calls asked for and their results
 * sent back. The words are made up and few; the prompt's token ids, which set its length and content, go along in
 * {@code nvext.token_data}.
 *
 * <p><b>Threading:</b> stateless.
 */
final class MessagesWire implements TurnWire {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOOLS = Stream.of("Agent", "Bash", "Edit", "Grep", "Read", "Tool")
            .map(name -> "{\"name\":\"" + name + "\",\"input_schema\":{\"type\":\"object\"}}")
            .collect(Collectors.joining(",", "[", "]"));

    @Override
    public String path() {
        return "/v1/messages";
    }

    @Override
    public void fill(HttpRequest.Builder request, String model, TurnCall call) {
        call.agent().claudeCodeHeaders().forEach(request::header);
        if (call.result() != null) {
            request.header(
                    "x-claude-code-prev-tool-durations",
                    call.result().tool() + "=" + call.result().ms());
        }
        if (call.last()) {
            request.header("x-dynamo-session-final", "true");
        }
        Turn turn = call.turn();
        // What the simulated engine is to say: the length to the token, as in a completion with "ignore_eos".
        request.header("x-sim-output-tokens", Integer.toString(turn.outputTokens()));
        request.header("x-sim-finish", turn.tool() == null ? "stop" : "tool_calls");
        if (turn.tool() != null) {
            request.header("x-sim-tool-call", turn.tool());
        }
        // The ids stand first: there the router finds them fastest.
        TokenBody body =
                new TokenBody(turn.prompt()).json("{\"nvext\":{\"token_data\":").ids(turn.prompt());
        body.json("},\"model\":\"" + model + "\",\"max_tokens\":" + turn.outputTokens() + ",\"stream\":true,\"tools\":"
                + TOOLS + ",\"messages\":" + messages(call.result()) + "}");
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body.bytes()));
    }

    private static String messages(ToolResult result) {
        String user = "{\"role\":\"user\",\"content\":\"go on\"}";
        if (result == null) {
            return "[" + user + "]";
        }
        return "[" + user + ",{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"" + result.callId()
                + "\",\"name\":\"" + result.tool()
                + "\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\""
                + result.callId() + "\",\"content\":\"done\"}]}]";
    }

    @Override
    public void event(String data, AnswerSoFar answer) throws IOException {
        if (data.startsWith("{\"type\":\"content_block_delta\"")) {
            return;
        }
        JsonNode event = JSON.readTree(data);
        switch (event.path("type").asText()) {
            case "error" -> answer.broke(data);
            case "message_start" -> answer.begun();
            case "content_block_start" -> toolCall(event.path("content_block"), answer);
            case "message_delta" -> usage(event.path("usage"), answer);
            case "message_stop" -> answer.end = End.ANSWERED;
            default -> {
                // Pings and ends of blocks tell nothing that is counted.
            }
        }
    }

    private static void toolCall(JsonNode block, AnswerSoFar answer) {
        if (block.path("type").asText().equals("tool_use")) {
            answer.toolCallId = block.path("id").asText();
        }
    }

    /** Anthropic counts apart what was read from the cache, what was written to it, and the rest. */
    private static void usage(JsonNode usage, AnswerSoFar answer) {
        if (!usage.has("input_tokens")) {
            return;
        }
        answer.cachedTokens = usage.path("cache_read_input_tokens").asLong();
        answer.promptTokens = usage.path("input_tokens").asLong()
                + answer.cachedTokens
                + usage.path("cache_creation_input_tokens").asLong();
        answer.outputTokens = usage.path("output_tokens").asLong();
    }
}
