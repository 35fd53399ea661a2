package io.penstock.dataplane.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One event of a Chrome trace.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param phase X slice, i instant, C counter, s and f ends of an arrow
 * @param name shown
 * @param category dotted, for filters
 * @param timeUs microseconds since 1970
 * @param durationUs of a slice, else -1
 * @param tid track, 0 for the whole process
 * @param id of an arrow, else -1
 * @param args shown beside; null values are left out
 */
record TraceEvent(
        char phase,
        String name,
        String category,
        long timeUs,
        long durationUs,
        int tid,
        int id,
        Map<String, Object> args) {

    /** Microseconds of milliseconds. */
    static long us(double ms) {
        return Math.round(ms * 1_000);
    }

    /** A slice. */
    static TraceEvent slice(
            String name, String category, double startMs, double durationMs, int tid, Map<String, Object> args) {
        // Rounded as ends, not as lengths: neighbours then touch, and stages stay within their request.
        long start = us(startMs);
        return new TraceEvent('X', name, category, start, Math.max(1, us(startMs + durationMs) - start), tid, -1, args);
    }

    /** A mark on a track. */
    static TraceEvent instant(String name, String category, double ms, int tid, Map<String, Object> args) {
        return new TraceEvent('i', name, category, us(ms), -1, tid, -1, args);
    }

    /** A value from now on. */
    static TraceEvent counter(String name, double ms, String unit, double value) {
        return new TraceEvent('C', name, "penstock.counter", us(ms), -1, 0, -1, Map.of(unit, value));
    }

    /** A mark across all tracks for what the router did on its own. */
    static TraceEvent hint(Hint hint) {
        Map<String, Object> args = new LinkedHashMap<>();
        args.put("amount", hint.amount() < 0 ? null : hint.amount());
        args.put("worker", hint.worker());
        args.put("session_id", hint.session());
        return instant(hint.action(), "penstock.hint", hint.epochMs(), 0, args);
    }

    /** An arrow between two requests. */
    static List<TraceEvent> arrow(RequestSpan from, int fromTid, RequestSpan to, int toTid, int id) {
        // An end of an arrow belongs to the slice around it, so it must lie within.
        long start = us(from.startMs());
        long latest = start + Math.max(1, us(from.durationMs())) - 1;
        long at = Math.clamp(us(to.startMs()), start, latest);
        return List.of(
                new TraceEvent('s', "subagent", "penstock.lineage", at, -1, fromTid, id, Map.of()),
                new TraceEvent('f', "subagent", "penstock.lineage", us(to.startMs()), -1, toTid, id, Map.of()));
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", String.valueOf(phase));
        json.writeStringField("name", name);
        json.writeStringField("cat", category);
        json.writeNumberField("ts", timeUs);
        if (durationUs >= 0) {
            json.writeNumberField("dur", durationUs);
        }
        json.writeNumberField("pid", PerfettoTrace.PID);
        json.writeNumberField("tid", tid);
        switch (phase) {
            case 'i' -> json.writeStringField("s", tid == 0 ? "p" : "t");
            case 's', 'f' -> {
                json.writeNumberField("id", id);
                if (phase == 'f') {
                    json.writeStringField("bp", "e");
                }
            }
            default -> {}
        }
        args(json);
        json.writeEndObject();
    }

    private void args(JsonGenerator json) throws IOException {
        if (!args.isEmpty()) {
            json.writeObjectFieldStart("args");
            for (Map.Entry<String, Object> arg : args.entrySet()) {
                value(json, arg.getKey(), arg.getValue());
            }
            json.writeEndObject();
        }
    }

    private static void value(JsonGenerator json, String name, Object value) throws IOException {
        switch (value) {
            case null -> {}
            case Double number when !Double.isFinite(number) -> {}
            case Double number -> json.writeNumberField(name, number);
            case Number number -> json.writeNumberField(name, number.longValue());
            case Boolean flag -> json.writeBooleanField(name, flag);
            default -> json.writeStringField(name, value.toString());
        }
    }

    /** Names the process or a track. */
    static void name(JsonGenerator json, String what, int tid, String key, String name) throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", "M");
        json.writeStringField("name", what);
        json.writeNumberField("pid", PerfettoTrace.PID);
        json.writeNumberField("tid", tid);
        json.writeObjectFieldStart("args");
        json.writeStringField(key, name);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Tells where a track stands. */
    static void sortIndex(JsonGenerator json, int tid, int index) throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", "M");
        json.writeStringField("name", "thread_sort_index");
        json.writeNumberField("pid", PerfettoTrace.PID);
        json.writeNumberField("tid", tid);
        json.writeObjectFieldStart("args");
        json.writeNumberField("sort_index", index);
        json.writeEndObject();
        json.writeEndObject();
    }
}
