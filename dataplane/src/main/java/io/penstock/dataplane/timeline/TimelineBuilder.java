package io.penstock.dataplane.timeline;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a timeline of a journal: sessions with their lineage, requests, tools told or inferred, gaps.
 *
 * <p>A session's parent is the one it names first; two that name each other are both roots' children of nobody: the later
 * link is left out.
 *
 * <p><b>Threading:</b> one thread.
 */
final class TimelineBuilder {
    private final TimelineRange range;
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private final ToolRows toolRows = new ToolRows();
    private final List<Hint> hints = new ArrayList<>();

    TimelineBuilder(TimelineRange range) {
        this.range = range;
    }

    /** The timeline of all that the reader has from here on. */
    static Timeline read(TraceReader reader, TimelineRange range) {
        TimelineBuilder builder = new TimelineBuilder(range);
        for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
            builder.add(record);
        }
        return builder.build();
    }

    void add(TraceRecord record) {
        if (!range.holds(record.epochMs)) {
            return;
        }
        switch (record.kind) {
            case REQUEST_END -> {
                Session session = session(record.agent);
                session.requests.add(RequestSpan.of(session, record));
            }
            case TOOL_START, TOOL_END, TOOL_ERROR -> {
                if (record.agent.hasSession()) {
                    toolRows.add(session(record.agent), record);
                }
            }
            case ADMISSION, HINT ->
                hints.add(new Hint(
                        record.epochMs,
                        record.action == null ? record.kind.name() : record.action,
                        record.amount,
                        record.worker,
                        record.agent.session()));
        }
    }

    private Session session(AgentContext agent) {
        Session session = named(agent.session() == null ? Session.NOBODY : agent.session());
        if (session.parentName == null && agent.parent() != null) {
            session.parentName = agent.parent();
            named(agent.parent());
        }
        return session;
    }

    private Session named(String name) {
        return sessions.computeIfAbsent(name, Session::new);
    }

    Timeline build() {
        sessions.values().forEach(this::link);
        sessions.values().forEach(session -> session.requests.sort(Comparator.comparingDouble(RequestSpan::startMs)));
        toolRows.finish();
        for (Session session : sessions.values()) {
            InferredTools.add(session);
            session.tools.sort(Comparator.comparingDouble(ToolSpan::startMs));
            session.requests.forEach(request -> session.cover(request.startMs(), request.endMs()));
            session.tools.forEach(tool -> session.cover(tool.startMs(), tool.endMs()));
        }
        List<Session> shown = choose();
        for (Session session : shown) {
            session.gaps.addAll(SessionGaps.of(session));
        }
        hints.sort(Comparator.comparingLong(Hint::epochMs));
        return new Timeline(
                shown,
                all(shown.stream().flatMap(session -> session.requests.stream()).toList()),
                all(shown.stream().flatMap(session -> session.tools.stream()).toList()),
                all(shown.stream().flatMap(session -> session.gaps.stream()).toList()),
                hints);
    }

    private static <T extends Span> List<T> all(List<T> spans) {
        return spans.stream().sorted(Comparator.comparingDouble(Span::startMs)).toList();
    }

    private void link(Session session) {
        Session parent = session.parentName == null ? null : sessions.get(session.parentName);
        if (parent != null && !session.isAbove(parent)) {
            session.parent = parent;
            parent.children.add(session);
        }
    }

    /** In tree order, those that were asked for with all below them. */
    private List<Session> choose() {
        List<Session> roots = sessions.values().stream()
                .filter(session -> session.parent == null)
                .toList();
        roots.forEach(TimelineBuilder::stretch);
        List<Session> shown = new ArrayList<>();
        roots.stream().sorted(Session.BY_START).forEach(root -> walk(root, false, 0, shown));
        return shown;
    }

    /** A session that is only named begins with its first child. */
    private static void stretch(Session session) {
        session.children.forEach(TimelineBuilder::stretch);
        if (session.requests.isEmpty() && session.tools.isEmpty()) {
            session.children.forEach(child -> session.cover(child.startMs, child.endMs));
        }
    }

    private void walk(Session session, boolean within, int depth, List<Session> shown) {
        boolean chosen = within || range.asksFor(session.name());
        if (chosen) {
            session.depth = depth;
            session.order = shown.size();
            shown.add(session);
        }
        session.children.stream()
                .sorted(Session.BY_START)
                .forEach(child -> walk(child, chosen, chosen ? depth + 1 : 0, shown));
    }
}
