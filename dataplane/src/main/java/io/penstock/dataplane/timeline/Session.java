package io.penstock.dataplane.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An agent on the timeline. One that is only named as a parent has children and nothing else.
 *
 * <p><b>Threading:</b> filled by one thread, then read.
 */
final class Session {
    /** By when they were first seen. */
    static final Comparator<Session> BY_START =
            Comparator.comparingDouble((Session session) -> session.startMs).thenComparing(Session::name);

    /** Requests that name nobody. */
    static final String NOBODY = "request-only";

    final List<RequestSpan> requests = new ArrayList<>();
    final List<ToolSpan> tools = new ArrayList<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<Session> children = new ArrayList<>();
    double startMs = Double.POSITIVE_INFINITY;
    double endMs = Double.NEGATIVE_INFINITY;
    String parentName;
    Session parent;
    int depth;

    /** Place among all, parents before their children. */
    int order;

    private final String name;

    Session(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Stretches the session's time. */
    void cover(double fromMs, double toMs) {
        startMs = Math.min(startMs, fromMs);
        endMs = Math.max(endMs, toMs);
    }

    /** Whether this session is {@code other} or stands above it. */
    boolean isAbove(Session other) {
        for (Session one = other; one != null; one = one.parent) {
            if (one == this) {
                return true;
            }
        }
        return false;
    }
}
