package io.penstock.dataplane.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.demo.Exchange.End;
import java.io.IOException;
import java.net.http.HttpRequest;

/**
 * {@code /v1/completions} with token ids, for rows of requests that no agent stands behind.
 *
 * <p><b>Threading:</b> stateless.
 */
final class CompletionWire implements TurnWire {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String path() {
        return "/v1/completions";
    }

    @Override
    public void fill(HttpRequest.Builder request, String model, TurnCall call) {
        request.header("x-dynamo-session-id", call.agent().session());
        if (call.agent().parent() != null) {
            request.header("x-dynamo-parent-session-id", call.agent().parent());
        }
        if (call.last()) {
            request.header("x-dynamo-session-final", "true");
        }
        TokenBody body = new TokenBody(call.turn().prompt());
        body.json("{\"model\":\"" + model + "\",\"prompt\":").ids(call.turn().prompt());
        body.json(
                ",\"max_tokens\":" + call.turn().outputTokens()
                        + ",\"ignore_eos\":true,\"temperature\":0,\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body.bytes()));
    }

    @Override
    public void event(String data, AnswerSoFar answer) throws IOException {
        if (data.equals("[DONE]")) {
            answer.end = End.ANSWERED;
            return;
        }
        if (data.startsWith("{\"error\"")) {
            answer.broke(data);
            return;
        }
        answer.begun();
        if (data.contains("\"usage\":{")) {
            JsonNode usage = JSON.readTree(data).path("usage");
            answer.promptTokens = usage.path("prompt_tokens").asLong(-1);
            answer.outputTokens = usage.path("completion_tokens").asLong();
            answer.cachedTokens =
                    usage.path("prompt_tokens_details").path("cached_tokens").asLong();
        }
    }
}
