package io.penstock.dataplane.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceFilesTest {
    private static final String SESSION = """
            {"id":"t1","block_size":64,"hash_id_scope":"local","tool_tokens":64,"system_tokens":0,"requests":[
             {"t":0.0,"type":"n","in":130,"out":5,"hash_ids":[1,2],"api_time":2.0,"think_time":0.0},
             {"t":3.0,"type":"subagent","agent_id":"a1","subagent_type":"Explore","tool_tokens":0,"system_tokens":0,
              "requests":[{"t":0.0,"type":"n","in":64,"out":1,"hash_ids":[9],"api_time":1.0}]},
             {"t":9.0,"type":"s","in":192,"out":7,"hash_ids":[1,2,3],"api_time":1.0,"think_time":4.5}]}
            """;

    @TempDir
    Path folder;

    @Test
    void shouldReadEveryRequestWhenGivenTheRecordedSessions() throws Exception {
        TraceSet set = TraceFiles.read(claudeCodeFiles());
        assertEquals(60, set.sessions().size());
        assertEquals(3_498, set.requests());
        assertEquals(45, set.subAgents());
        assertEquals(311_840_932L, set.promptTokens());
        assertFalse(set.openLoop());
    }

    @Test
    void shouldReadEveryRowWhenGivenTheRecordedConversations() {
        TraceSet set = TraceFiles.read(List.of(shared("mooncake-fast25/conversation_trace.jsonl.gz")));
        assertEquals(12_031, set.requests());
        assertEquals(144_793_823L, set.promptTokens());
        assertTrue(set.openLoop());
        WorkingSet whole = WorkingSet.of(set.sessions(), MooncakeTrace.BLOCK_TOKENS);
        assertEquals(0.366, whole.idealHitRate(), 0.01, "ideal prefix hit of the trace's description");
    }

    @Test
    void shouldWaitForSubAgentsBetweenTwoRequests() throws Exception {
        AgentSession session =
                TraceFiles.read(List.of(file("a.json", SESSION))).sessions().getFirst();
        assertEquals(2, session.turns().size());
        Turn first = session.turns().getFirst();
        AgentSession child = first.children().getFirst();
        assertEquals("t1/a1", child.id());
        assertEquals("t1", child.parentId());
        assertEquals(1_000, child.startMs(), 1e-6, "one second after the answer");
        assertEquals(4_500, session.turns().get(1).gapMs(), 1e-6);
        assertEquals(3, session.requests());
    }

    @Test
    void shouldShareToolsPrefixOnlyAmongSessions() throws Exception {
        List<AgentSession> two = TraceFiles.read(List.of(file("a.json", SESSION), file("b.json", SESSION)))
                .sessions();
        Prompt a = two.get(0).turns().getFirst().prompt();
        Prompt b = two.get(1).turns().getFirst().prompt();
        assertArrayEquals(Arrays.copyOf(a.tokenIds(), 64), Arrays.copyOf(b.tokenIds(), 64));
        assertFalse(
                Arrays.equals(Arrays.copyOfRange(a.tokenIds(), 64, 128), Arrays.copyOfRange(b.tokenIds(), 64, 128)));
        assertEquals(130, a.tokenIds().length);
    }

    @Test
    void shouldKeepPrefixesWhenContextsAreDivided() throws Exception {
        List<Turn> turns = TraceFiles.read(List.of(file("a.json", SESSION)))
                .sessions()
                .getFirst()
                .turns();
        Prompt first = turns.get(0).prompt().dividedBy(8);
        Prompt second = turns.get(1).prompt().dividedBy(8);
        assertEquals(16, first.tokens());
        assertEquals(24, second.tokens());
        assertArrayEquals(first.tokenIds(), Arrays.copyOf(second.tokenIds(), 16));
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> turns.getFirst().prompt().dividedBy(7));
        assertEquals("contexts can only be divided by a divisor of the block size 64: scale=7", e.getMessage());
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithAFile() throws Exception {
        assertRefused(file("x.json", "{\"a\":1}"), "(neither a Claude Code session nor a Mooncake row: object 0)");
        assertRefused(
                file("y.json", "{\"timestamp\":1,\"input_length\":600,\"output_length\":1,\"hash_ids\":[1]}"),
                "(hash ids do not cover the prompt: tokens=600 ids=1)");
        assertRefused(file("z.json", "{\"timestamp\":"), "trace file unreadable: trace=");
        assertRefused(folder.resolve("absent.json"), "NoSuchFileException");
    }

    private static void assertRefused(Path file, String part) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> TraceFiles.read(List.of(file)));
        assertTrue(e.getMessage().contains(part), e.getMessage());
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    static List<Path> claudeCodeFiles() throws Exception {
        try (Stream<Path> files = Files.list(shared("claude-code-traces/traces"))) {
            return files.sorted().toList();
        }
    }

    static Path shared(String name) {
        Path path = Path.of(System.getProperty("penstock.shared", "../shared"), "data", name);
        if (!Files.exists(path)) {
            Assumptions.abort("recorded traces absent: " + path);
        }
        return path;
    }
}
