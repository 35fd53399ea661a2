package io.penstock.dataplane.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is remembered of sessions, and for how long. */
class SessionTableTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TraceRecord turn(String session, String parent, long atMs) {
        TraceRecord record = new TraceRecord();
        record.agent = new AgentContext(
                session, parent, null, InputTrigger.TOOL_RESULT, Map.of(), IdentitySource.CLAUDE_CODE, "g");
        record.epochMs = atMs;
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.inputTokens = 100;
        record.outputTokens = 10;
        record.cachedTokens = 90;
        record.model = "m";
        record.worker = "w" + atMs;
        return record;
    }

    private static List<String> ids(SessionTable table, long nowMs) {
        return table.list(nowMs, 100, null, false).stream()
                .map(each -> (String) each.get("session"))
                .toList();
    }

    private static JsonNode tree(SessionTable table, String id) {
        return JSON.valueToTree(table.tree(10_000, id));
    }

    @Test
    void shouldAddUpTurnsAndToolsWhateverTheirOrder() {
        SessionTable table = new SessionTable(SessionConfig.defaults());
        SessionFollower follower = new SessionFollower(table);
        TraceRecord failed = turn("s", null, 3_000);
        failed.outcome = Outcome.BROKEN;
        failed.outputTokens = TraceRecord.UNKNOWN;
        failed.worker = null;
        failed.toolCalls.add(new TraceRecord.ToolCall(0, 0, "c", "ls"));
        TraceRecord tool = turn("s", null, 2_000);
        tool.kind = TraceRecord.Kind.TOOL_ERROR;
        for (TraceRecord each : List.of(turn("s", null, 5_000), failed, tool)) {
            DecisionRecord record = new DecisionRecord();
            record.trace = each;
            follower.onEvent(record, 0, true);
        }
        follower.onEvent(new DecisionRecord(), 0, true);
        JsonNode shown = tree(table, "s");
        assertEquals(2, shown.get("turns").asInt());
        assertEquals(1, shown.get("failedTurns").asInt());
        assertEquals(200, shown.get("inputTokens").asInt());
        assertEquals(10, shown.get("outputTokens").asInt());
        assertEquals(1, shown.get("toolCalls").asInt());
        assertEquals(1, shown.at("/tools/failed").asInt());
        assertEquals("w5000", shown.get("worker").asText(), "what is unknown changes nothing");
        assertEquals(5_000, shown.get("lastSeenMs").asLong());
        assertEquals(5_000, shown.get("idleMs").asLong());
        assertEquals("tool_result", shown.get("inputTrigger").asText());
        assertEquals(2, table.requests(IdentitySource.CLAUDE_CODE));
    }

    @Test
    void shouldShowChildrenBelowTheirParentsAlsoWhenTheParentIsNotKnownYet() {
        SessionTable table = new SessionTable(SessionConfig.defaults());
        table.take(turn("grandchild", "child", 1));
        table.take(turn("child", "root", 2));
        assertNull(table.tree(3, "root"));
        table.take(turn("root", null, 3));
        table.take(turn("child2", "root", 4));
        table.take(turn("child", null, 5));
        JsonNode root = tree(table, "root");
        assertEquals(
                List.of("child", "child2"),
                root.get("children").findValuesAsText("session").stream()
                        .filter(id -> !id.equals("grandchild"))
                        .toList());
        assertEquals("grandchild", root.at("/children/0/children/0/session").asText());
        assertEquals(4, root.at("/tree/sessions").asInt());
        assertEquals(500, root.at("/tree/inputTokens").asInt());
        assertEquals(
                List.of("root"),
                table.list(9, 9, "g", true).stream()
                        .map(each -> each.get("session"))
                        .toList());
        assertTrue(table.list(9, 9, "other", false).isEmpty());
        table.take(turn("child2", "child", 6));
        assertEquals(2, tree(table, "child").get("children").size(), "it moved");
    }

    @Test
    void shouldEndTheTreeWhenClientsClaimACircleOrNestWithoutEnd() {
        SessionTable table = new SessionTable(SessionConfig.defaults());
        table.take(turn("a", "b", 1));
        table.take(turn("b", "a", 2));
        table.take(turn("c", "c", 2));
        assertEquals(2, tree(table, "a").at("/tree/sessions").asInt());
        assertEquals(1, tree(table, "c").at("/tree/sessions").asInt());
        for (int i = 1; i <= 100; i++) {
            table.take(turn("n" + i, "n" + (i - 1), 3));
        }
        table.take(turn("n0", null, 3));
        JsonNode deep = tree(table, "n0");
        assertEquals(SessionTree.LEVELS, deep.at("/tree/sessions").asInt());
        assertEquals(1, deep.at("/tree/leftOut").asInt());
    }

    @Test
    void shouldForgetTheOneIdleLongestWhenItIsFull() {
        SessionTable table = new SessionTable(new SessionConfig(3, 3_600));
        for (String id : List.of("a", "b", "c", "a", "d", "e")) {
            table.take(turn(id, "p", 1));
        }
        assertEquals(List.of("e", "d", "a"), ids(table, 2));
        assertEquals(2, table.evicted());
        assertEquals(5, table.started());
        table.take(turn("p", null, 2));
        assertEquals(List.of("p", "e", "d"), ids(table, 2));
        assertEquals(3, tree(table, "p").at("/tree/sessions").asInt(), "the forgotten are no children");
        assertEquals(3, table.size());
    }

    @Test
    void shouldForgetSessionsAfterTheirTime() {
        SessionTable table = new SessionTable(new SessionConfig(10, 60));
        table.take(turn("a", null, 1_000));
        table.take(turn("b", null, 30_000));
        assertEquals(List.of("b", "a"), ids(table, 61_000));
        assertEquals(List.of("b"), ids(table, 61_001));
        table.take(turn("c", null, 200_000));
        assertEquals(1, table.size());
        assertEquals(2, table.expired());
        assertEquals(0, table.evicted());
    }

    @Test
    void shouldOnlyCountARequestThatNamesNobody() {
        SessionTable table = new SessionTable(SessionConfig.defaults());
        table.take(new TraceRecord());
        TraceRecord last = turn("s", null, 1);
        last.agent = new AgentContext("s", null, true, null, Map.of(), IdentitySource.DYNAMO, null);
        table.take(last);
        assertEquals(1, table.size());
        assertEquals(1, table.requests(IdentitySource.NONE));
        assertEquals(1, table.finals());
        assertEquals(true, tree(table, "s").get("ended").asBoolean());
    }

    @Test
    void shouldNotRememberNamesThatNoHarnessGives() {
        SessionTable table = new SessionTable(SessionConfig.defaults());
        String longName = "x".repeat(SessionTable.MOST_NAME_CHARS + 1);
        table.take(turn(longName, null, 1));
        table.take(turn("s", longName, 2));
        assertEquals(List.of("s"), ids(table, 3));
        assertEquals(1, table.tooLong());
        assertTrue(tree(table, "s").get("parent").isNull());
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        assertEquals(
                "not in 1..4194304: capacity=0",
                assertThrows(IllegalArgumentException.class, () -> new SessionConfig(0, 1))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new SessionConfig(1, 0));
    }
}
