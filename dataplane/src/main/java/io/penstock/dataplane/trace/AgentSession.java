package io.penstock.dataplane.trace;

import java.util.List;

/**
 * What an agent asks of a model from its start to its end.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param id unique in a trace set
 * @param parentId session that started it, or null
 * @param startMs milliseconds after the trace's start; for a child, after the answer that started it
 * @param turns its requests in order
 * @param type kind of sub-agent, or null
 */
public record AgentSession(String id, String parentId, double startMs, List<Turn> turns, String type) {
    /** Copies the turns. */
    public AgentSession {
        turns = List.copyOf(turns);
    }

    /** A session of no particular kind. */
    public AgentSession(String id, String parentId, double startMs, List<Turn> turns) {
        this(id, parentId, startMs, turns, null);
    }

    /** Requests, those of children included. */
    public int requests() {
        int sum = turns.size();
        for (Turn turn : turns) {
            for (AgentSession child : turn.children()) {
                sum += child.requests();
            }
        }
        return sum;
    }

    /** Prompt tokens over all requests, those of children included. */
    public long promptTokens() {
        long sum = 0;
        for (Turn turn : turns) {
            sum += turn.prompt().tokens();
            for (AgentSession child : turn.children()) {
                sum += child.promptTokens();
            }
        }
        return sum;
    }

    /** Sub-agents at any depth. */
    public int descendants() {
        int sum = 0;
        for (Turn turn : turns) {
            for (AgentSession child : turn.children()) {
                sum += 1 + child.descendants();
            }
        }
        return sum;
    }
}
