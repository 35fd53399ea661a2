package io.penstock.dataplane.trace;

import java.util.List;

/**
 * Sessions to replay and where they came from.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param source file names or the generator's name and seed
 * @param openLoop true when sessions arrive at their recorded times, false when a fixed number of agents works on them
 * @param sessions root sessions
 */
public record TraceSet(String source, boolean openLoop, List<AgentSession> sessions) {
    /** Copies the sessions. */
    public TraceSet {
        sessions = List.copyOf(sessions);
    }

    /** Requests over all sessions. */
    public int requests() {
        return sessions.stream().mapToInt(AgentSession::requests).sum();
    }

    /** Prompt tokens over all sessions. */
    public long promptTokens() {
        return sessions.stream().mapToLong(AgentSession::promptTokens).sum();
    }

    /** Sub-agents over all sessions. */
    public int subAgents() {
        return sessions.stream().mapToInt(AgentSession::descendants).sum();
    }
}
