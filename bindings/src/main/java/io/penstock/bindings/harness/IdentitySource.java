package io.penstock.bindings.harness;

/** Where an agent's identity was found, best first. */
public enum IdentitySource {
    /** {@code x-dynamo-session-id}. */
    DYNAMO("dynamo", true),
    /** Claude Code's session and agent headers. */
    CLAUDE_CODE("claude-code", true),
    /** Codex's {@code thread-id}. */
    CODEX("codex", true),
    /** OpenCode's {@code x-session-id}. */
    OPENCODE("opencode", true),
    /** {@code x-session-affinity}: many harnesses, no parents. */
    SESSION_AFFINITY("x-session-affinity", false),
    /** {@code session-id} without {@code thread-id}: Pi. */
    SESSION_ID("session-id", false),
    /** {@code session_id}: Pi and OpenClaw; some proxies drop it. */
    SESSION_ID_UNDERSCORE("session_id", false),
    /** Only the body names something, and that is a group: there is no session. */
    BODY("body", false),
    /** Nothing was found. */
    NONE("none", false);

    private final String label;
    private final boolean firstClass;

    IdentitySource(String label, boolean firstClass) {
        this.label = label;
        this.firstClass = firstClass;
    }

    /** Name in metrics and traces. */
    public String label() {
        return label;
    }

    /** Whether Dynamo recognises it too; the others are fallbacks of ours. */
    public boolean isFirstClass() {
        return firstClass;
    }
}
