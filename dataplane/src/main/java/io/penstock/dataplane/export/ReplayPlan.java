package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The requests of a trace that can be played again, in the order in which they began.
 *
 * <p>The journal has them in the order in which they ended. A first look keeps some 200 bytes a request; the second
 * holds only those records whose turn has not come, so as many as ran beside the longest one that is still awaited.
 *
 * <p><b>Threading:</b> one thread.
 */
final class ReplayPlan {
    /** Takes the requests in order. */
    interface Visitor {
        /** A request, its record, and its place in the order from 0. */
        void visit(int index, ReplayRequest request, TraceRecord record) throws IOException;
    }

    private record Held(int rank, TraceRecord record) {}

    private final TraceSource source;
    private final int blockSize;
    private final List<ReplayRequest> asRead;
    private final List<ReplayRequest> ordered;

    private ReplayPlan(TraceSource source, int blockSize, List<ReplayRequest> asRead) {
        this.source = source;
        this.blockSize = blockSize;
        this.asRead = asRead;
        List<ReplayRequest> sorted = new ArrayList<>(asRead);
        Collections.sort(sorted);
        ordered = Collections.unmodifiableList(sorted);
    }

    /** The first look; what is left out is counted. */
    static ReplayPlan of(TraceSource source, ExportOptions options, Notices notices) {
        ReplaySelection selection = new ReplaySelection(options, notices);
        Map<String, String> names = new HashMap<>();
        List<ReplayRequest> taken = new ArrayList<>();
        try (TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                if (selection.takes(record)) {
                    taken.add(request(reader.position(), record, names));
                }
            }
        }
        int size = options.blockSize() > 0 ? options.blockSize() : mostFrequent(taken);
        long before = taken.size();
        taken.removeIf(request -> request.blockSize() != size);
        notices.add(
                "left out: requests with blocks of another size than " + size + " (--block-size)",
                before - taken.size());
        return new ReplayPlan(source, size, taken);
    }

    private static ReplayRequest request(long position, TraceRecord record, Map<String, String> names) {
        boolean named = record.agent.hasSession();
        String session = named ? shared(record.agent.session(), names) : record.requestId;
        String parent = named ? shared(record.agent.parent(), names) : null;
        return new ReplayRequest(
                position, record.requestId, session, named, parent, RequestSpan.of(record), record.blockSize);
    }

    private static String shared(String name, Map<String, String> names) {
        return name == null ? null : names.computeIfAbsent(name, key -> key);
    }

    private static int mostFrequent(List<ReplayRequest> requests) {
        Map<Integer, Integer> counts = new HashMap<>();
        requests.forEach(request -> counts.merge(request.blockSize(), 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    /** Tokens of a block, the same for all; 0 without requests. */
    int blockSize() {
        return blockSize;
    }

    /** The requests by start. */
    List<ReplayRequest> requests() {
        return ordered;
    }

    /** When the first request began, ms since 1970; 0 without requests. */
    long originMs() {
        return ordered.isEmpty() ? 0 : ordered.getFirst().startMs();
    }

    /** The second look, by start. */
    void forEach(Visitor visitor) throws IOException {
        int[] ranks = ranks();
        PriorityQueue<Held> held = new PriorityQueue<>(Comparator.comparingInt(Held::rank));
        int next = 0;
        try (TraceReader reader = source.open()) {
            for (int i = 0; i < ranks.length; i++) {
                held.add(new Held(ranks[i], record(reader, asRead.get(i).position())));
                while (!held.isEmpty() && held.peek().rank() == next) {
                    visitor.visit(next, ordered.get(next), held.poll().record());
                    next++;
                }
            }
        }
    }

    /** The second look, as the journal has them. */
    void forEachAsRead(Visitor visitor) throws IOException {
        int[] ranks = ranks();
        try (TraceReader reader = source.open()) {
            for (int i = 0; i < ranks.length; i++) {
                ReplayRequest request = asRead.get(i);
                visitor.visit(ranks[i], request, record(reader, request.position()));
            }
        }
    }

    private static TraceRecord record(TraceReader reader, long position) {
        TraceRecord record;
        do {
            record = reader.next();
            if (record == null || reader.position() > position) {
                throw new IllegalStateException(
                        "the oldest part of the trace was removed while it was exported: missing position=" + position);
            }
        } while (reader.position() != position);
        return record;
    }

    /** Place in the order by start of each request as read. */
    private int[] ranks() {
        Integer[] byStart = new Integer[asRead.size()];
        Arrays.setAll(byStart, i -> i);
        Arrays.sort(byStart, Comparator.comparing(asRead::get));
        int[] ranks = new int[byStart.length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[byStart[rank]] = rank;
        }
        return ranks;
    }
}
