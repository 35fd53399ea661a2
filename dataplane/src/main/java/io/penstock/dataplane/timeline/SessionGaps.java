package io.penstock.dataplane.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * When a session did nothing, and whether its subagents did.
 *
 * <p><b>Threading:</b> stateless.
 */
final class SessionGaps {
    /** Shorter ones are the rounding of times. */
    private static final double SHORTEST_MS = 1;

    private record Interval(double from, double to) {}

    private SessionGaps() {}

    /** Its gaps in order. */
    static List<Gap> of(Session session) {
        List<Interval> own = union(Stream.concat(session.requests.stream(), session.tools.stream())
                .map(span -> new Interval(span.startMs(), span.endMs())));
        List<Interval> below =
                union(session.children.stream().map(SessionGaps::whole).filter(child -> child.to > child.from));
        List<Gap> gaps = new ArrayList<>();
        for (int i = 0; i + 1 < own.size(); i++) {
            split(session, own.get(i).to, own.get(i + 1).from, below, gaps);
        }
        return gaps;
    }

    /** From a child's start to its end, and that of all below it. */
    private static Interval whole(Session session) {
        double from = session.startMs;
        double to = session.endMs;
        for (Session child : session.children) {
            Interval below = whole(child);
            from = Math.min(from, below.from);
            to = Math.max(to, below.to);
        }
        return new Interval(from, to);
    }

    private static void split(Session session, double from, double to, List<Interval> below, List<Gap> gaps) {
        double at = from;
        for (Interval child : below) {
            if (child.to > at && child.from < to) {
                add(session, at, Math.min(to, child.from), Gap.Kind.PAUSED, gaps);
                double until = Math.min(to, child.to);
                add(session, Math.max(at, child.from), until, Gap.Kind.SUBAGENTS, gaps);
                at = until;
            }
        }
        add(session, at, to, Gap.Kind.PAUSED, gaps);
    }

    private static void add(Session session, double from, double to, Gap.Kind kind, List<Gap> gaps) {
        if (to - from >= SHORTEST_MS) {
            gaps.add(new Gap(session, from, to - from, kind));
        }
    }

    private static List<Interval> union(Stream<Interval> intervals) {
        List<Interval> joined = new ArrayList<>();
        intervals.sorted(Comparator.comparingDouble(Interval::from)).forEach(next -> {
            Interval last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && next.from <= last.to) {
                joined.set(joined.size() - 1, new Interval(last.from, Math.max(last.to, next.to)));
            } else {
                joined.add(next);
            }
        });
        return joined;
    }
}
