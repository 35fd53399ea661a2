package io.penstock.dataplane.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded coding-agent session (the "weka" format): one JSON object a file, prompts as ids of 64-token blocks.
 *
 * <p>Two things the files leave to their reader: ids are local to a file, so they are moved into a range of their own;
 * and the tools and system prompt, which all sessions of an agent have in common, are local too, so the leading
 * {@code tool_tokens + system_tokens} are replaced by one chain common to all root sessions, and by one chain per kind of
 * sub-agent.
 *
 * <p>A sub-agent's entry stands where it started; its times count from there, and the parent waits for all that started
 * between two of its requests.
 *
 * <p><b>Threading:</b> confined to the reading thread.
 */
final class ClaudeCodeTrace {
    private static final long TAIL = 0x7461696cL;
    private static final long ROOT_PREFIX = 0x726f6f74L;

    /** The files tell that a tool was called, not which. */
    private static final String SOME_TOOL = "Tool";

    private final JsonNode file;
    private final String id;
    private final long fileNumber;
    private final int blockTokens;

    private ClaudeCodeTrace(JsonNode file, long fileNumber) {
        this.file = file;
        this.fileNumber = fileNumber;
        id = file.path("id").asText("session-" + fileNumber);
        blockTokens = file.path("block_size").asInt(64);
    }

    /** Whether the object has this format's fields. */
    static boolean matches(JsonNode file) {
        return file.path("requests").isArray() && file.has("hash_id_scope");
    }

    /**
     * The session of a file.
     *
     * @param fileNumber different for each file read, so that ids do not meet
     */
    static AgentSession read(JsonNode file, long fileNumber) {
        ClaudeCodeTrace trace = new ClaudeCodeTrace(file, fileNumber);
        return new AgentSession(trace.id, null, 0, trace.turns(file, trace.id, ROOT_PREFIX));
    }

    private List<Turn> turns(JsonNode owner, String ownerId, long prefixChain) {
        int shared =
                (owner.path("tool_tokens").asInt() + owner.path("system_tokens").asInt()) / blockTokens;
        List<Turn> turns = new ArrayList<>();
        JsonNode pending = null;
        List<AgentSession> children = new ArrayList<>();
        JsonNode before = null;
        for (JsonNode entry : owner.path("requests")) {
            if (entry.path("type").asText().equals("subagent")) {
                children.add(child(entry, ownerId, pending));
                continue;
            }
            if (pending != null) {
                turns.add(turn(before, pending, shared, prefixChain, children));
                children = new ArrayList<>();
            }
            before = pending;
            pending = entry;
        }
        if (pending != null) {
            turns.add(turn(before, pending, shared, prefixChain, children));
        }
        return turns;
    }

    private AgentSession child(JsonNode entry, String ownerId, JsonNode startedBy) {
        String agent = id + "/" + entry.path("agent_id").asText();
        double sinceAnswer = startedBy == null ? 0 : entry.path("t").asDouble() - endSeconds(startedBy);
        long chain = Mix.of(ROOT_PREFIX, entry.path("subagent_type").asText().hashCode());
        return new AgentSession(
                agent,
                ownerId,
                Math.max(0, sinceAnswer) * 1_000,
                turns(entry, agent, chain),
                entry.path("subagent_type").asText(null));
    }

    private Turn turn(JsonNode before, JsonNode entry, int shared, long chain, List<AgentSession> children) {
        return new Turn(
                gapMs(before, entry),
                prompt(entry, shared, chain),
                entry.path("out").asInt(),
                children,
                tool(entry, children));
    }

    private static String tool(JsonNode entry, List<AgentSession> children) {
        if (!children.isEmpty()) {
            return Turn.AGENT_TOOL;
        }
        return entry.path("stop").asText().equals("tool_use") ? SOME_TOOL : null;
    }

    private static double gapMs(JsonNode before, JsonNode entry) {
        if (before == null) {
            return 0;
        }
        double seconds = entry.has("think_time")
                ? entry.path("think_time").asDouble()
                : entry.path("t").asDouble() - endSeconds(before);
        return Math.max(0, seconds) * 1_000;
    }

    private static double endSeconds(JsonNode request) {
        return request.path("t").asDouble() + request.path("api_time").asDouble();
    }

    private Prompt prompt(JsonNode entry, int shared, long chain) {
        int tokens = entry.path("in").asInt();
        JsonNode recorded = entry.path("hash_ids");
        int full = recorded.size();
        if (full != tokens / blockTokens) {
            throw new IllegalArgumentException(
                    "hash_ids do not match in of " + id + ": in=" + tokens + " hash_ids=" + full);
        }
        boolean partial = tokens % blockTokens != 0;
        long[] ids = new long[full + (partial ? 1 : 0)];
        for (int i = 0; i < full; i++) {
            ids[i] = i < shared
                    ? Mix.of(chain, i)
                    : Mix.of(fileNumber, recorded.get(i).asLong());
        }
        if (partial) {
            ids[full] = Mix.of(full == 0 ? fileNumber : ids[full - 1], TAIL + tokens);
        }
        return new Prompt(ids, tokens, blockTokens);
    }
}
