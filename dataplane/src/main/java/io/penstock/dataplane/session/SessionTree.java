package io.penstock.dataplane.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One session with its children below it. Each session is shown once, also where clients claim circles; what lies too
 * deep or is too much is counted instead.
 *
 * <p><b>Threading:</b> one use, under {@link SessionTable}'s lock.
 */
final class SessionTree {
    /** Levels shown: no agent nests deeper, and every JSON reader follows. */
    static final int LEVELS = 64;

    private final long nowMs;
    private final Function<String, Session> sessions;
    private final Function<String, Collection<String>> children;
    private final Set<String> shown = new HashSet<>();
    private long leftOut;
    private long turns;
    private long inputTokens;
    private long outputTokens;

    SessionTree(long nowMs, Function<String, Session> sessions, Function<String, Collection<String>> children) {
        this.nowMs = nowMs;
        this.sessions = sessions;
        this.children = children;
    }

    /** The session's own figures, {@code children}, and in {@code tree} what all of them add up to. */
    Map<String, Object> of(Session root) {
        Map<String, Object> out = node(root, 1);
        Map<String, Object> sums = new LinkedHashMap<>();
        sums.put("sessions", shown.size());
        sums.put("leftOut", leftOut);
        sums.put("turns", turns);
        sums.put("inputTokens", inputTokens);
        sums.put("outputTokens", outputTokens);
        out.put("tree", sums);
        return out;
    }

    private Map<String, Object> node(Session session, int level) {
        shown.add(session.id);
        turns += session.turns();
        inputTokens += session.inputTokens();
        outputTokens += session.outputTokens();
        List<Map<String, Object>> below = new ArrayList<>();
        for (String id : children.apply(session.id)) {
            Session child = sessions.apply(id);
            if (child == null || shown.contains(id)) {
                continue;
            }
            if (level == LEVELS || shown.size() == SessionTable.MOST_SHOWN) {
                leftOut++;
            } else {
                below.add(node(child, level + 1));
            }
        }
        Map<String, Object> out = session.shown(nowMs);
        out.put("children", below);
        return out;
    }
}
