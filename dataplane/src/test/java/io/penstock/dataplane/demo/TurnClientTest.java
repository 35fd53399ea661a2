package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.demo.Exchange.End;
import io.penstock.dataplane.trace.Prompt;
import io.penstock.dataplane.trace.Turn;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class TurnClientTest {
    private static final RetryPolicy QUICK = new RetryPolicy(1, 20, 5_000);
    private static final String TOKEN = "{\"choices\":[{\"text\":\"a\"}],\"usage\":null}";
    private static final String USAGE =
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":1}}}";
    private static final String GOOD = ScriptedServer.stream(TOKEN, TOKEN, USAGE, "[DONE]");
    private static final Prompt PROMPT = new Prompt(new long[] {1, 2, 3}, 3, 1);

    @Test
    void shouldCountAsTheEngineDoesWhenAnswered() throws IOException {
        Exchange exchange = send(QUICK, GOOD);
        assertEquals(End.ANSWERED, exchange.end());
        assertEquals(3, exchange.promptTokens());
        assertEquals(1, exchange.cachedTokens());
        assertEquals(2, exchange.outputTokens());
        assertEquals(0, exchange.retries());
        assertTrue(exchange.ttftNs() > 0);
    }

    @Test
    void shouldSendTokenIdsAndSessionHeaders() throws IOException {
        try (ScriptedServer server = new ScriptedServer(GOOD);
                TurnClient client = new TurnClient(new CompletionWire(), server.uri(), "m", QUICK, () -> false)) {
            client.send(new TurnCall(
                    new AgentIdentity("parent", "child", "parent", null),
                    new Turn(0, PROMPT, 5, List.of()),
                    true,
                    null));
            String request = server.requests().getFirst();
            String head = request.toLowerCase(Locale.ROOT);
            assertTrue(head.startsWith("post /v1/completions http/1.1"), head);
            assertTrue(head.contains("\r\nx-dynamo-session-id: child\r\n"), head);
            assertTrue(head.contains("\r\nx-dynamo-parent-session-id: parent\r\n"), head);
            assertTrue(head.contains("\r\nx-dynamo-session-final: true\r\n"), head);
            JsonNode body = new ObjectMapper().readTree(request.substring(request.indexOf("\r\n\r\n") + 4));
            assertEquals("m", body.path("model").asText());
            assertEquals(5, body.path("max_tokens").asInt());
            assertEquals(3, body.path("prompt").size());
            for (int i = 0; i < 3; i++) {
                assertEquals(PROMPT.token(i), body.path("prompt").get(i).asInt());
            }
        }
    }

    @Test
    void shouldReadCallAndUsageOfMessages() throws IOException {
        String script = ScriptedServer.stream(
                "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1}}}",
                "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_1\"}}",
                "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}",
                "{\"type\":\"message_delta\",\"usage\":{\"input_tokens\":1,\"output_tokens\":5,"
                        + "\"cache_creation_input_tokens\":2,\"cache_read_input_tokens\":4}}",
                "{\"type\":\"message_stop\"}");
        AgentIdentity nested = new AgentIdentity("root", "root/a/b", "root/a", "Explore");
        Turn turn = new Turn(0, PROMPT, 5, List.of(), "Bash");
        try (ScriptedServer server = new ScriptedServer(script);
                TurnClient client = new TurnClient(new MessagesWire(), server.uri(), "m", QUICK, () -> false)) {
            Exchange exchange = client.send(new TurnCall(nested, turn, false, new ToolResult("toolu_0", "Read", 44)));
            assertEquals(End.ANSWERED, exchange.end());
            assertEquals("toolu_1", exchange.toolCallId());
            assertEquals(7, exchange.promptTokens());
            assertEquals(4, exchange.cachedTokens());
            assertEquals(5, exchange.outputTokens());
            String request = server.requests().getFirst();
            String head = request.toLowerCase(Locale.ROOT);
            assertTrue(head.startsWith("post /v1/messages http/1.1"), head);
            assertTrue(head.contains("\r\nx-claude-code-parent-agent-id: a"), head);
            assertTrue(head.contains("\r\nx-claude-code-agent-type: explore\r\n"), head);
            assertTrue(head.contains("\r\nx-claude-code-prev-tool-durations: read=44\r\n"), head);
            JsonNode body = new ObjectMapper().readTree(request.substring(request.indexOf("\r\n\r\n") + 4));
            assertEquals(3, body.path("nvext").path("token_data").size());
            assertEquals(
                    PROMPT.token(2),
                    body.path("nvext").path("token_data").get(2).asInt());
        }
    }

    @Test
    void shouldTryAgainWhenRefusedOrResetBeforeTheFirstByte() throws IOException {
        Exchange exchange = send(
                QUICK,
                ScriptedServer.refusal(503, "Retry-After: 0\r\n", "{}"),
                ScriptedServer.RESET,
                ScriptedServer.refusal(529, "Retry-After: 1\r\n", "{}"),
                ScriptedServer.stream(),
                ScriptedServer.stream("{\"error\":{\"message\":\"engine gone\"}}"),
                GOOD);
        assertEquals(End.ANSWERED, exchange.end());
        assertEquals(5, exchange.retries());
    }

    @Test
    void shouldFailAtOnceWhenTheRequestIsWrong() throws IOException {
        Exchange exchange = send(QUICK, ScriptedServer.refusal(400, "", "{\"error\":\"no\"}"));
        assertEquals(End.FAILED, exchange.end());
        assertEquals(0, exchange.retries());
        assertEquals("status 400: {\"error\":\"no\"}", exchange.cause());
    }

    @Test
    void shouldFailWhenTheBudgetIsUsedUp() throws IOException {
        Exchange exchange = send(new RetryPolicy(1, 5, 1_500), ScriptedServer.refusal(503, "", "{}"));
        assertEquals(End.FAILED, exchange.end());
        assertTrue(exchange.retries() >= 1, "retries: " + exchange.retries());
    }

    @Test
    void shouldFailWhenNobodyListens() throws IOException {
        URI nobody = URI.create("http://127.0.0.1:" + Ports.free(1)[0]);
        try (TurnClient client =
                new TurnClient(new CompletionWire(), nobody, "m", new RetryPolicy(1, 5, 50), () -> false)) {
            assertEquals(End.FAILED, client.send(call()).end());
        }
    }

    @Test
    void shouldNotRetryByItselfWhenTheStreamBrokeAfterTheFirstByte() throws IOException {
        Exchange cutOff = send(QUICK, ScriptedServer.stream(TOKEN), GOOD);
        assertEquals(End.INTERRUPTED, cutOff.end());
        assertEquals(0, cutOff.retries());
        Exchange error =
                send(QUICK, ScriptedServer.stream(TOKEN, "{\"error\":{\"message\":\"engine gone\"}}", "[DONE]"), GOOD);
        assertEquals(End.INTERRUPTED, error.end());
    }

    @Test
    void shouldGiveUpAsCutWhenTheTimeIsUp() throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.refusal(503, "", "{}"));
                TurnClient client = new TurnClient(new CompletionWire(), server.uri(), "m", QUICK, () -> true)) {
            assertEquals(End.CUT, client.send(call()).end());
        }
    }

    private static Exchange send(RetryPolicy retry, String... scripts) throws IOException {
        try (ScriptedServer server = new ScriptedServer(scripts);
                TurnClient client = new TurnClient(new CompletionWire(), server.uri(), "m", retry, () -> false)) {
            return client.send(call());
        }
    }

    private static TurnCall call() {
        return new TurnCall(new AgentIdentity("s", "s", null, null), new Turn(0, PROMPT, 2, List.of()), false, null);
    }
}
