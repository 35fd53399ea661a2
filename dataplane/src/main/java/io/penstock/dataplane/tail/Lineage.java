package io.penstock.dataplane.tail;

import io.penstock.bindings.harness.AgentContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which session started which, as their own records say. A session is known from its first record on; of {@value #KEPT}
 * subagents the one longest unheard of is forgotten first.
 *
 * <p><b>Threading:</b> one thread.
 */
final class Lineage {
    private static final int KEPT = 65_536;

    /** No harness nests deeper; also ends the walk where two sessions name each other. */
    private static final int DEEPEST = 32;

    private final Map<String, String> parents = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > KEPT;
        }
    };

    /** Remembers whose child a session is. */
    void learn(AgentContext agent) {
        if (agent.session() != null && agent.parent() != null) {
            parents.put(agent.session(), agent.parent());
        }
    }

    /** Whether the session, its parent, or one further up is asked for. */
    boolean within(String session, Predicate<String> asked) {
        String one = session;
        for (int i = 0; one != null && i < DEEPEST; i++) {
            if (asked.test(one)) {
                return true;
            }
            one = parents.get(one);
        }
        return false;
    }

    /** How many sessions stand above this one: 0 for a root. */
    int depth(String session) {
        int depth = 0;
        for (String one = parents.get(session); one != null && depth < DEEPEST; one = parents.get(one)) {
            depth++;
        }
        return depth;
    }
}
