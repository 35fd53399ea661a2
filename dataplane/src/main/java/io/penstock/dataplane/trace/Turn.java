package io.penstock.dataplane.trace;

import java.util.List;

/**
 * One model request of a session, and the sub-agents that start when it has been answered.
 *
 * @param gapMs what the client does between the answer before (and the end of that turn's children) and this request:
 *     a tool runs or a person thinks
 * @param prompt the whole context that is sent
 * @param outputTokens tokens to generate
 * @param children sub-agents started by this turn's answer; the session goes on when all have completed
 * @param tool tool that the answer calls, or null where it is a text for the user
 */
public record Turn(double gapMs, Prompt prompt, int outputTokens, List<AgentSession> children, String tool) {
    /** Tool that starts sub-agents. */
    public static final String AGENT_TOOL = "Agent";

    /** Copies the children; at least one token is generated. */
    public Turn {
        children = List.copyOf(children);
        outputTokens = Math.max(1, outputTokens);
        gapMs = Math.max(0, gapMs);
    }

    /** A turn that ends with a text, or with the call that starts the children. */
    public Turn(double gapMs, Prompt prompt, int outputTokens, List<AgentSession> children) {
        this(gapMs, prompt, outputTokens, children, children.isEmpty() ? null : AGENT_TOOL);
    }
}
