package io.penstock.dataplane.export;

import io.penstock.dataplane.export.Dependency.Relation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What waits for what among the requests of agents, by the rules of Dynamo's replay where the trace has only times:
 *
 * <ul>
 *   <li>sequence: a request waits for the end of the one before in its session;
 *   <li>spawn: a session's first request waits for the start of the parent's latest request that began no later;
 *   <li>join: the parent's first request that began at or after the end of a child's last-ending one waits for that end.
 * </ul>
 *
 * <p>A delay below 0 (requests of one session that overlapped) is 0: Dynamo 1.6.1 refuses negative ones. Every edge leads
 * back in the order of start, end and id, so that there is no cycle also where times are equal.
 *
 * <p><b>Threading:</b> immutable once made.
 */
final class AgentGraph {
    private final List<ReplayRequest> requests;
    private final List<List<Dependency>> dependencies;
    private final int[] plays;

    private AgentGraph(List<ReplayRequest> requests) {
        this.requests = requests;
        dependencies = new ArrayList<>(requests.size());
        requests.forEach(request -> dependencies.add(List.of()));
        plays = new int[requests.size()];
    }

    /** Of requests in order of start. */
    static AgentGraph of(List<ReplayRequest> requests, Lineage lineage, Notices notices) {
        AgentGraph graph = new AgentGraph(requests);
        Map<String, List<Integer>> sessions = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            sessions.computeIfAbsent(requests.get(i).session(), key -> new ArrayList<>())
                    .add(i);
        }
        sessions.values().forEach(turns -> graph.sequence(turns, notices));
        sessions.forEach((session, turns) -> {
            String parent = lineage.parent(session);
            if (parent != null) {
                graph.spawn(sessions.get(parent), turns.getFirst(), notices);
                graph.join(sessions.get(parent), turns);
            }
        });
        graph.number();
        return graph;
    }

    private void sequence(List<Integer> turns, Notices notices) {
        for (int i = 1; i < turns.size(); i++) {
            int before = turns.get(i - 1);
            int at = turns.get(i);
            long delay = requests.get(at).startMs() - requests.get(before).endMs();
            if (delay < 0) {
                notices.add("delays set to 0: requests that began before the one before in their session ended");
            }
            add(at, before, Relation.SEQUENCE, delay);
        }
    }

    private void spawn(List<Integer> parentTurns, int first, Notices notices) {
        int from = -1;
        for (int turn : parentTurns) {
            if (turn < first) {
                from = turn;
            }
        }
        if (from < 0) {
            notices.add("sessions that began before their parent (no spawn edge)");
        } else {
            add(
                    first,
                    from,
                    Relation.SPAWN,
                    requests.get(first).startMs() - requests.get(from).startMs());
        }
    }

    private void join(List<Integer> parentTurns, List<Integer> turns) {
        int last = turns.getFirst();
        for (int turn : turns) {
            if (requests.get(turn).endMs() > requests.get(last).endMs()) {
                last = turn;
            }
        }
        long end = requests.get(last).endMs();
        for (int turn : parentTurns) {
            if (turn > last && requests.get(turn).startMs() >= end) {
                add(turn, last, Relation.JOIN, requests.get(turn).startMs() - end);
                return;
            }
        }
    }

    private void add(int at, int on, Relation relation, long delayMs) {
        if (dependencies.get(at).isEmpty()) {
            dependencies.set(at, new ArrayList<>(1));
        }
        dependencies.get(at).add(new Dependency(on, relation, Math.max(0, delayMs)));
    }

    /** Numbers the connected parts from 1, as they begin. */
    private void number() {
        int[] root = new int[plays.length];
        for (int i = 0; i < root.length; i++) {
            root[i] = i;
            for (Dependency dependency : dependencies.get(i)) {
                int one = find(root, dependency.on());
                int other = find(root, i);
                root[Math.max(one, other)] = Math.min(one, other);
            }
        }
        int next = 0;
        for (int i = 0; i < root.length; i++) {
            int top = find(root, i);
            plays[i] = top == i ? ++next : plays[top];
        }
    }

    private static int find(int[] root, int at) {
        int top = at;
        while (root[top] != top) {
            root[top] = root[root[top]];
            top = root[top];
        }
        return top;
    }

    /** What request {@code i} waits for; empty: it starts by the clock. */
    List<Dependency> dependencies(int i) {
        return dependencies.get(i);
    }

    /** Number of the connected part that request {@code i} belongs to, from 1. */
    int play(int i) {
        return plays[i];
    }
}
