package io.penstock.bindings.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The identity rules of Dynamo 1.6.1, their corners, and the fallbacks behind them. */
class AgentContextTest {

    /** Fields from {@code name, value, name, value…}. */
    private static HeaderFields fields(String... pairs) {
        return field -> {
            for (int i = 0; i < pairs.length; i += 2) {
                field.accept(pairs[i], pairs[i + 1]);
            }
        };
    }

    private static AgentContext of(String... pairs) {
        return AgentContext.of(fields(pairs), InputTrigger.OTHER, BodyIdentity.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "x-dynamo-session-id: d; x-claude-code-session-id: c; x-claude-code-agent-id: a | d | -",
                "x-dynamo-session-id: d; x-dynamo-parent-session-id: d | d | -",
                "x-dynamo-session-id: d; x-dynamo-parent-session-id: p | d | p",
                "x-dynamo-session-id: d; x-claude-code-parent-agent-id: b; x-parent-session-id: o | d | -",
                "x-claude-code-session-id: c; thread-id: t; x-session-id: o | c | -",
                "x-claude-code-session-id: c; x-claude-code-agent-id: a | a | c",
                "x-claude-code-session-id: c; x-claude-code-agent-id: a; x-claude-code-parent-agent-id: b | a | b",
                "x-claude-code-session-id: c; x-claude-code-agent-id: a; x-claude-code-parent-agent-id: a | a | c",
                "x-claude-code-session-id: c; x-claude-code-agent-id: a; x-claude-code-parent-agent-id: ' ' | a | c",
                "x-claude-code-session-id: c; x-claude-code-agent-id: c; x-claude-code-parent-agent-id: b | c | -",
                "x-claude-code-session-id: c; x-claude-code-parent-agent-id: b | c | -",
                "x-claude-code-session-id: c; x-codex-parent-thread-id: p; x-parent-session-id: o | c | -",
                "x-claude-code-agent-id: a | - | -",
                "thread-id: t; x-codex-parent-thread-id: p | t | p",
                "thread-id: t; x-codex-parent-thread-id: t | t | -",
                "thread-id: t; x-parent-session-id: p | t | -",
                "x-session-id: o; x-parent-session-id: p | o | p",
                "x-dynamo-session-id: '   '; thread-id: ' t ' | t | -",
                "thread-id: t; x-dynamo-session-final: maybe | t | -",
                "X-DYNAMO-Session-ID: D | D | -",
                "x-dynamo-parent-session-id: p; x-dynamo-session-final: true | - | -",
            })
    void shouldFollowTheTableWhenHeadersAreGiven(String headers, String session, String parent) {
        String[] pairs = java.util.Arrays.stream(headers.split(";\\s*"))
                .flatMap(header -> java.util.Arrays.stream(header.split(":\\s*", 2)))
                .map(text -> text.replace("'", ""))
                .toArray(String[]::new);
        AgentContext context = of(pairs);
        assertEquals(session, context.session());
        assertEquals(parent, context.parent());
        assertNull(context.sessionFinal());
        assertEquals(session != null, context.source().isFirstClass());
    }

    @Test
    void shouldReportAFallbackWhenNoFirstClassHeaderIsThere() {
        AgentContext pi = of("session-id", "s");
        assertEquals("s", pi.session());
        assertEquals(IdentitySource.SESSION_ID, pi.source());
        assertFalse(pi.source().isFirstClass());
        assertEquals(IdentitySource.SESSION_ID_UNDERSCORE, of("session_id", "u").source());
        assertEquals(
                IdentitySource.SESSION_AFFINITY,
                of("session_id", "u", "x-session-affinity", "a").source());
        assertEquals(
                IdentitySource.OPENCODE,
                of("x-session-affinity", "a", "x-session-id", "a").source());
        assertNull(of("x-session-affinity", "a", "x-parent-session-id", "p").parent());
    }

    @Test
    void shouldTakeTheFirstValueOnlyWhenAHeaderRepeats() {
        assertEquals("a", of("x-session-id", "a", "X-Session-Id", "b").session());
        assertSame(AgentContext.NONE, of("x-session-id", " ", "x-session-id", "b"));
        assertSame(AgentContext.NONE, of("x-session-id", "caf\u00e9", "x-session-id", "b"));
        assertEquals("t", of("x-dynamo-session-id", "\u0001", "thread-id", "t").session());
        assertEquals("a,b", of("x-session-id", "a,b").session());
    }

    @Test
    void shouldReadTheFinalMarkerWhenItIsAWordOfTwo() {
        for (String yes : List.of("1", "true", "ON", " Yes ")) {
            assertEquals(
                    Boolean.TRUE,
                    of("x-session-id", "o", "x-dynamo-session-final", yes).sessionFinal(),
                    yes);
        }
        for (String no : List.of("0", "False", "off", "no")) {
            assertEquals(
                    Boolean.FALSE,
                    of("x-session-id", "o", "x-dynamo-session-final", no).sessionFinal(),
                    no);
        }
        for (String neither : List.of("", " ", "2", "truee")) {
            assertNull(
                    of("x-session-id", "o", "x-dynamo-session-final", neither).sessionFinal(), neither);
        }
    }

    @Test
    void shouldKeepHarnessHeadersVerbatimWhenASessionIsFound() {
        AgentContext context = of(
                "X-Dynamo-Session-Id", "d",
                "X-Claude-Code-Prompt-Id", " p ",
                "x-codex-window-id", "",
                "x-codex-window-id", "a, b",
                "x-openai-subagent", "collab_spawn",
                "x-openai-other", "no",
                "x-claude-1p-request-class", "main",
                "session-id", "s",
                "x-codex-bad", "\u00e9");
        assertEquals(
                Map.of(
                        "x-claude-code-prompt-id", List.of(" p "),
                        "x-codex-window-id", List.of("", "a, b"),
                        "x-openai-subagent", List.of("collab_spawn")),
                context.agentHeaders());
        assertEquals(
                List.of("s"),
                of("session-id", "s", "thread-id", "t").agentHeaders().get("session-id"));
        assertFalse(of("session-id", "s", "thread-id", " ").agentHeaders().containsKey("session-id"));
        assertTrue(of("x-codex-window-id", "w").agentHeaders().isEmpty());
    }

    @Test
    void shouldLeaveOutWholeValuesWhenLimitsAreReached() {
        String big = "b".repeat(16 * 1024);
        AgentContext context =
                of("thread-id", "t", "x-codex-a", big + "b", "x-codex-b", big, "x-codex-c", big, "x-codex-d", "fits");
        assertEquals(
                java.util.Set.of("thread-id", "x-codex-b", "x-codex-d"),
                context.agentHeaders().keySet());
        String[] many = new String[2 * 70 + 2];
        java.util.Arrays.fill(many, "x-codex-n");
        many[0] = "thread-id";
        AgentContext counted = of(many);
        assertEquals(63, counted.agentHeaders().get("x-codex-n").size());
        assertEquals("x-codex-n", counted.session());
    }

    @Test
    void shouldNameAGroupWhenOnlyTheBodySaysSo() {
        AgentContext key = body(new BodyIdentity("k", "c", null));
        assertNull(key.session());
        assertEquals("k", key.group());
        assertEquals(IdentitySource.BODY, key.source());
        assertNull(key.inputTrigger());
        assertEquals("c", body(new BodyIdentity(" ", "c", null)).group());
        assertEquals(
                "e",
                body(new BodyIdentity(null, null, "{\"device_id\":\"d\",\"session_id\":\"e\"}"))
                        .group());
        assertEquals(
                "f-1",
                body(new BodyIdentity(null, null, "user_9_account__session_f-1"))
                        .group());
        assertSame(AgentContext.NONE, body(new BodyIdentity(null, null, "alice")));
        assertSame(AgentContext.NONE, body(new BodyIdentity("k".repeat(4_097), null, null)));
    }

    @Test
    void shouldGroupRootAndChildrenWhenTheHarnessNamesTheRoot() {
        assertEquals(
                "c",
                of("x-claude-code-session-id", "c", "x-claude-code-agent-id", "a")
                        .group());
        assertEquals("r", of("thread-id", "t", "session-id", "r").group());
        assertNull(of("x-session-id", "o").group());
    }

    private static AgentContext body(BodyIdentity identity) {
        return AgentContext.of(fields(), InputTrigger.USER_MESSAGE, identity);
    }
}
