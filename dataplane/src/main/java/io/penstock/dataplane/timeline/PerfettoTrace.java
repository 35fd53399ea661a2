package io.penstock.dataplane.timeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The timeline as a Chrome trace, for ui.perfetto.dev or chrome://tracing. Tracks, lanes, stages and tools are those of
 * Dynamo's converter; ours besides: the wait in the router, pauses and waits for subagents, arrows from a parent's request
 * to its subagent's first, subagents sorted below their parents, and counters of KV hit rate and evictions.
 *
 * <p>Format: Trace Event Format, JSON object; times in microseconds since 1970.
 *
 * <p><b>Threading:</b> one thread.
 */
final class PerfettoTrace {
    /** The one process of the trace. */
    static final int PID = 1;

    private record Track(Session session, int lane, boolean tools) {}

    private final Timeline timeline;
    private final Map<Track, Integer> tracks = new LinkedHashMap<>();
    private final Map<Session, Lanes> lanes = new LinkedHashMap<>();
    private final List<TraceEvent> events = new ArrayList<>();

    private PerfettoTrace(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Writes the trace and ends the stream's content, not the stream. */
    static void write(Timeline timeline, OutputStream out) throws IOException {
        PerfettoTrace trace = new PerfettoTrace(timeline);
        trace.collect();
        JsonFactory factory = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        try (JsonGenerator json = factory.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("displayTimeUnit", "ms");
            json.writeArrayFieldStart("traceEvents");
            trace.metadata(json);
            for (TraceEvent event : trace.events) {
                event.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private void collect() {
        timeline.sessions().forEach(session -> lanes.put(session, new Lanes(session)));
        // Track numbers by first use, over all sessions in time.
        timeline.sessions().stream()
                .flatMap(session -> lanes.get(session).ordered().stream())
                .sorted(Comparator.comparingDouble(Span::startMs))
                .forEach(this::add);
        timeline.gaps().forEach(this::add);
        timeline.sessions().forEach(this::arrow);
        events.addAll(TraceCounters.of(timeline));
        timeline.hints().forEach(hint -> events.add(TraceEvent.hint(hint)));
        events.sort(Comparator.comparingLong(TraceEvent::timeUs).thenComparingInt(TraceEvent::tid));
    }

    private void add(Span span) {
        int lane = lanes.get(span.session()).lane(span);
        switch (span) {
            case RequestSpan request -> events.addAll(RequestEvents.of(request, track(request.session(), lane, false)));
            case ToolSpan tool -> events.add(ToolEvents.of(tool, track(tool.session(), lane, true)));
            default -> throw new IllegalArgumentException("no slice for " + span);
        }
    }

    private void add(Gap gap) {
        int track = track(gap.session(), 0, false);
        events.add(TraceEvent.slice(
                gap.kind().label(),
                "penstock.session",
                gap.startMs(),
                gap.durationMs(),
                track,
                Map.of("session_id", gap.session().name())));
    }

    private int track(Session session, int lane, boolean tools) {
        return tracks.computeIfAbsent(new Track(session, lane, tools), any -> tracks.size() + 1);
    }

    /** From the parent's latest request that had begun to the subagent's first. */
    private void arrow(Session child) {
        if (child.parent == null || child.requests.isEmpty()) {
            return;
        }
        RequestSpan first = child.requests.getFirst();
        RequestSpan caller = null;
        for (RequestSpan request : child.parent.requests) {
            if (request.startMs() <= first.startMs()) {
                caller = request;
            }
        }
        if (caller != null && lanes.containsKey(child.parent)) {
            events.addAll(TraceEvent.arrow(caller, track(caller), first, track(first), child.order));
        }
    }

    private int track(RequestSpan request) {
        return track(request.session(), lanes.get(request.session()).lane(request), false);
    }

    private void metadata(JsonGenerator json) throws IOException {
        TraceEvent.name(json, "process_name", 0, "name", "Penstock request trace");
        for (Map.Entry<Track, Integer> entry : tracks.entrySet()) {
            Track track = entry.getKey();
            boolean many = lanes.get(track.session).count() > 1;
            String name =
                    track.session.name() + (many ? " [lane " + track.lane + "]" : "") + (track.tools ? " tools" : "");
            TraceEvent.name(json, "thread_name", entry.getValue(), "name", name);
        }
        // Viewers sort by it: tree order, a session's requests above its tools.
        List<Track> sorted = new ArrayList<>(tracks.keySet());
        sorted.sort(Comparator.comparingInt((Track track) -> track.session.order)
                .thenComparing(Track::tools)
                .thenComparingInt(Track::lane));
        for (int i = 0; i < sorted.size(); i++) {
            TraceEvent.sortIndex(json, tracks.get(sorted.get(i)), i);
        }
    }
}
