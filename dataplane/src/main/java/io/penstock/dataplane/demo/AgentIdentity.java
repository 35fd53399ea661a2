package io.penstock.dataplane.demo;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Who sends a turn.
 *
 * @param root session that a person started
 * @param session the agent's own; the root's for the main agent
 * @param parent session that started it, or null
 * @param type kind of sub-agent, or null
 */
record AgentIdentity(String root, String session, String parent, String type) {

    /**
     * The headers that Claude Code sends with its gateway hints on: each agent of a session names the session and itself, and
     * its parent where that is not the main agent.
     */
    Map<String, String> claudeCodeHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-Claude-Code-Session-Id", uuid(root).toString());
        boolean main = session.equals(root);
        headers.put("x-claude-code-request-class", main ? "main" : "subagent");
        if (!main) {
            headers.put("x-claude-code-agent-id", agentId(session));
            if (parent != null && !parent.equals(root)) {
                headers.put("x-claude-code-parent-agent-id", agentId(parent));
            }
            if (type != null) {
                headers.put("x-claude-code-agent-type", type);
            }
        }
        return headers;
    }

    /** The agent as those headers name it. */
    String wireName() {
        return session.equals(root) ? uuid(root).toString() : agentId(session);
    }

    /** Its parent likewise, or null. */
    String wireParent() {
        boolean main = session.equals(root);
        return main ? null : parent == null || parent.equals(root) ? uuid(root).toString() : agentId(parent);
    }

    /** Names in Claude Code's shapes, the same for the same session in every run. */
    private static UUID uuid(String name) {
        UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return new UUID(hash.getMostSignificantBits() & ~0xf000L | 0x4000L, hash.getLeastSignificantBits());
    }

    private static String agentId(String name) {
        return String.format("a%016x", uuid(name).getLeastSignificantBits());
    }
}
