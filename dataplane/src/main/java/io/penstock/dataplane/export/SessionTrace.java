package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the journal has of one session: its requests by start, and its tools by the id of the call.
 *
 * <p><b>Threading:</b> immutable once read.
 *
 * @param session its name, or null where none fits
 * @param requests by start
 * @param tools last event of each tool call
 */
record SessionTrace(String session, List<TraceRecord> requests, Map<String, TraceRecord> tools) {
    /**
     * What a trajectory is looked for by.
     *
     * @param sessions names that its session may have, the likeliest first
     * @param ids ids of requests and tool calls in it
     */
    record Clues(List<String> sessions, Set<String> ids) {}

    /** The name of the session that started it, or null. */
    String parent() {
        return requests.stream()
                .map(request -> request.agent.parent())
                .filter(parent -> parent != null)
                .findFirst()
                .orElse(null);
    }

    /**
     * The sessions of some trajectories, in their order: by name, else the one that has most of the ids. No session is
     * given twice. Two looks at the source, whatever their number.
     */
    static List<SessionTrace> find(TraceSource source, List<Clues> wanted) {
        Set<String> present = new HashSet<>();
        List<Map<String, Integer>> hits = new ArrayList<>();
        wanted.forEach(clues -> hits.add(new HashMap<>()));
        try (TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                String session = record.agent.session();
                if (session != null) {
                    present.add(session);
                    for (int i = 0; i < wanted.size(); i++) {
                        if (mentions(record, wanted.get(i).ids())) {
                            hits.get(i).merge(session, 1, Integer::sum);
                        }
                    }
                }
            }
        }
        Map<String, SessionTrace> chosen = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            String name = choose(wanted.get(i), present, hits.get(i), chosen.keySet());
            names.add(name);
            if (name != null) {
                chosen.put(name, new SessionTrace(name, new ArrayList<>(), new HashMap<>()));
            }
        }
        collect(source, chosen);
        return names.stream()
                .map(name -> name == null ? new SessionTrace(null, List.of(), Map.of()) : chosen.get(name))
                .toList();
    }

    private static String choose(Clues clues, Set<String> present, Map<String, Integer> hits, Set<String> taken) {
        for (String name : clues.sessions()) {
            if (present.contains(name) && !taken.contains(name)) {
                return name;
            }
        }
        return hits.entrySet().stream()
                .filter(hit -> !taken.contains(hit.getKey()))
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static boolean mentions(TraceRecord record, Set<String> ids) {
        return record.clientRequestId != null && ids.contains(record.clientRequestId)
                || record.toolCallId != null && ids.contains(record.toolCallId)
                || record.toolCalls.stream().anyMatch(call -> call.id() != null && ids.contains(call.id()));
    }

    private static void collect(TraceSource source, Map<String, SessionTrace> chosen) {
        try (TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                SessionTrace trace = chosen.get(record.agent.session());
                if (trace != null && record.kind == TraceRecord.Kind.REQUEST_END) {
                    trace.requests().add(record);
                } else if (trace != null && record.toolCallId != null) {
                    trace.tools().put(record.toolCallId, record);
                }
            }
        }
        Comparator<TraceRecord> byStart =
                Comparator.comparingLong(record -> RequestSpan.of(record).startMs());
        chosen.values().forEach(trace -> trace.requests().sort(byStart));
    }
}
