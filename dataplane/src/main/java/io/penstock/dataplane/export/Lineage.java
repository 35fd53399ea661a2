package io.penstock.dataplane.export;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who started whom, as far as the trace has both.
 *
 * <p>The first parent that a session names counts. A parent without a request in the trace, and one that would be its own
 * ancestor, are dropped and counted; the session is a root then.
 *
 * <p><b>Threading:</b> immutable once made.
 */
final class Lineage {
    private final Map<String, String> parents;

    private Lineage(Map<String, String> parents) {
        this.parents = parents;
    }

    /** Of requests in order of start. */
    static Lineage of(List<ReplayRequest> requests, Notices notices) {
        Set<String> present = new HashSet<>();
        requests.forEach(request -> present.add(request.session()));
        Map<String, String> named = new LinkedHashMap<>();
        Set<String> conflicts = new HashSet<>();
        for (ReplayRequest request : requests) {
            if (request.parent() != null) {
                String first = named.putIfAbsent(request.session(), request.parent());
                if (first != null && !first.equals(request.parent())) {
                    conflicts.add(request.session());
                }
            }
        }
        notices.add("sessions that name several parents (the first counts)", conflicts.size());
        Lineage lineage = new Lineage(new HashMap<>());
        named.forEach((session, parent) -> lineage.add(session, parent, present, notices));
        return lineage;
    }

    private void add(String session, String parent, Set<String> present, Notices notices) {
        if (!present.contains(parent)) {
            notices.add("sessions whose parent has no request in the trace (now roots)");
        } else if (root(parent).equals(session)) {
            notices.add("sessions that are their own ancestors (now roots)");
        } else {
            parents.put(session, parent);
        }
    }

    /** The parent, or null of a root. */
    String parent(String session) {
        return parents.get(session);
    }

    /** The session at the top. */
    String root(String session) {
        String at = session;
        for (String parent = parent(at); parent != null; parent = parent(at)) {
            at = parent;
        }
        return at;
    }

    /** Steps up to the root. */
    int depth(String session) {
        int depth = 0;
        for (String parent = parent(session); parent != null; parent = parent(parent)) {
            depth++;
        }
        return depth;
    }
}
