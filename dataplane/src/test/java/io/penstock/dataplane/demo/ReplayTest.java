package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.BodyIdentity;
import io.penstock.bindings.harness.HeaderFields;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import io.penstock.dataplane.trace.AgentSession;
import io.penstock.dataplane.trace.Prompt;
import io.penstock.dataplane.trace.ReplayPlan;
import io.penstock.dataplane.trace.ReplayScale;
import io.penstock.dataplane.trace.TraceSet;
import io.penstock.dataplane.trace.Turn;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ReplayTest {
    private static final String TOKEN = "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":6}}}";
    private static final String CALL =
            "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_7\",\"name\":\"Agent\"}}";
    private static final String USAGE =
            "{\"type\":\"message_delta\",\"usage\":{\"input_tokens\":4,\"cache_creation_input_tokens\":2,"
                    + "\"cache_read_input_tokens\":4,\"output_tokens\":2}}";
    private static final String STOP = "{\"type\":\"message_stop\"}";
    private static final String GOOD = ScriptedServer.stream(TOKEN, USAGE, STOP);
    private static final String CALLING = ScriptedServer.stream(TOKEN, CALL, USAGE, STOP);
    private static final RetryPolicy QUICK = new RetryPolicy(1, 20, 5_000);

    @Test
    void shouldWaitForSubAgentsBeforeTheNextTurn() throws Exception {
        AgentSession child = new AgentSession("child", "root", 0, List.of(turn(), turn()));
        AgentSession root =
                new AgentSession("root", null, 0, List.of(new Turn(0, prompt(), 1, List.of(child)), turn()));
        try (ScriptedServer server = new ScriptedServer(CALLING, GOOD)) {
            Replay replay = new Replay(plan(root), server.uri(), "m", QUICK, null);
            replay.run(20_000);
            List<AgentContext> order =
                    server.requests().stream().map(ReplayTest::agent).toList();
            String main = order.getFirst().session();
            String sub = order.get(1).session();
            assertEquals(4, main.split("-")[2].charAt(0) - '0', main);
            assertTrue(sub.matches("a[0-9a-f]{16}"), sub);
            assertEquals(
                    List.of(main, sub, sub, main),
                    order.stream().map(AgentContext::session).toList());
            assertEquals(main, order.get(1).parent());
            assertTrue(
                    order.stream().allMatch(a -> a.group().equals(main) && a.source() == IdentitySource.CLAUDE_CODE));
            assertEquals(
                    Arrays.asList(null, null, true, true),
                    order.stream().map(AgentContext::sessionFinal).toList());
            JsonNode back = body(server.requests().getLast())
                    .path("messages")
                    .path(2)
                    .path("content")
                    .path(0);
            assertEquals("tool_result", back.path("type").asText());
            assertEquals("toolu_7", back.path("tool_use_id").asText());
            assertEquals(1, body(server.requests().get(1)).path("messages").size());
            Snapshot seen = replay.stats().snapshot();
            assertEquals(4, seen.answered());
            assertEquals(0, seen.failed());
            assertEquals(0.4, seen.hitRate(), 1e-9);
            assertEquals(0, seen.activeSessions());
        }
    }

    @Test
    void shouldAskAgainAndCountItWhenAStreamBreaks() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.stream(TOKEN), GOOD)) {
            Replay replay =
                    new Replay(plan(new AgentSession("s", null, 0, List.of(turn()))), server.uri(), "m", QUICK, null);
            replay.run(20_000);
            Snapshot seen = replay.stats().snapshot();
            assertEquals(1, seen.interrupted());
            assertEquals(1, seen.answered());
            assertEquals(0, seen.failed());
        }
    }

    @Test
    void shouldEndASessionAndSayWhyWhenARequestFails() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.refusal(400, "", "no"))) {
            Replay replay = new Replay(
                    plan(new AgentSession("s", null, 0, List.of(turn(), turn()))), server.uri(), "m", QUICK, null);
            replay.run(20_000);
            Snapshot seen = replay.stats().snapshot();
            assertEquals(1, seen.failed());
            assertEquals(1, seen.requests());
            assertEquals("status 400: no", seen.firstFailure());
        }
    }

    @Test
    void shouldBeginNoTurnWhenTheTimeIsUp() throws Exception {
        AgentSession slow =
                new AgentSession("s", null, 0, List.of(turn(), new Turn(3_600_000, prompt(), 1, List.of())));
        try (ScriptedServer server = new ScriptedServer(GOOD)) {
            Replay replay = new Replay(plan(slow), server.uri(), "m", QUICK, null);
            replay.run(300);
            assertEquals(1, replay.stats().snapshot().requests());
        }
    }

    @Test
    void shouldGiveOneObjectPerPolicyWithTheAgreedFigures() throws Exception {
        Map<String, Snapshot> results = new LinkedHashMap<>();
        results.put("round-robin", new ReplayStats().snapshot());
        results.put("kv", new ReplayStats().snapshot());
        String json = DemoReport.json(results, Map.of("kv", new RouterRestart(400, 900, 1_100, 20, 20)));
        assertEquals(1, json.lines().count());
        JsonNode tree = new ObjectMapper().readTree(json);
        assertEquals(
                List.of("round-robin", "kv"),
                tree.properties().stream().map(Map.Entry::getKey).toList());
        Set<String> keys = new TreeSet<>();
        tree.path("kv").properties().forEach(e -> {
            keys.add(e.getKey());
            assertTrue(e.getValue().isNumber(), e.getKey());
        });
        assertTrue(
                keys.containsAll(List.of("requests", "failed", "hitRate", "ttftP50Ms", "ttftP99Ms", "tokensPerSecond")),
                keys.toString());
        assertTrue(keys.containsAll(List.of("routerFirstAnswerMs", "routerReadyMs", "indexWarmMs")), keys.toString());
        assertTrue(DemoReport.table(results).getFirst().contains("round-robin"));
    }

    private static ReplayPlan plan(AgentSession... sessions) {
        TraceSet trace = new TraceSet("test", false, List.of(sessions));
        return ReplayPlan.of(trace, new ReplayScale(1, 1, 1e9), sessions.length, Double.POSITIVE_INFINITY, 16, 1);
    }

    private static Turn turn() {
        return new Turn(0, prompt(), 1, List.of());
    }

    private static Prompt prompt() {
        return new Prompt(new long[] {1}, 10, 64);
    }

    /** As the router reads it. */
    private static AgentContext agent(String request) {
        HeaderFields fields =
                field -> request.lines().skip(1).takeWhile(l -> !l.isEmpty()).forEach(l -> {
                    int colon = l.indexOf(": ");
                    field.accept(l.substring(0, colon), l.substring(colon + 2));
                });
        return AgentContext.of(fields, null, BodyIdentity.NONE);
    }

    private static JsonNode body(String request) throws IOException {
        return new ObjectMapper().readTree(request.substring(request.indexOf("\r\n\r\n") + 4));
    }
}
