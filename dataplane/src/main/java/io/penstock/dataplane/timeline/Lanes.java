package io.penstock.dataplane.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Rows for spans of one session that overlap: by start, each takes the lowest row that is free. Requests and tools share
 * them, so that a turn and the tool it asked for stand in one row.
 *
 * <p><b>Threading:</b> filled by one thread, then read.
 */
final class Lanes {
    private final Map<Span, Integer> lanes = new IdentityHashMap<>();
    private final List<Span> ordered;
    private final int count;

    Lanes(Session session) {
        List<Double> freeFrom = new ArrayList<>();
        // Requests first at the same time: the sort is stable.
        ordered = Stream.<Span>concat(session.requests.stream(), session.tools.stream())
                .sorted(Comparator.comparingDouble(Span::startMs))
                .toList();
        for (Span span : ordered) {
            int lane = 0;
            while (lane < freeFrom.size() && freeFrom.get(lane) > span.startMs()) {
                lane++;
            }
            if (lane == freeFrom.size()) {
                freeFrom.add(0.0);
            }
            freeFrom.set(lane, span.endMs());
            lanes.put(span, lane);
        }
        count = Math.max(1, freeFrom.size());
    }

    /** The session's requests and tools by start. */
    List<Span> ordered() {
        return ordered;
    }

    int count() {
        return count;
    }

    int lane(Span span) {
        return lanes.get(span);
    }
}
