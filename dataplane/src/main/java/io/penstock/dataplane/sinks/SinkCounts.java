package io.penstock.dataplane.sinks;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the sinks and the ingress of tool events count.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class SinkCounts {
    /** Of one sink. */
    static final class OfSink {
        /** Rows taken over by the sink. */
        final LongAdder rows = new LongAdder();
        /** Records that were dropped, oldest first, since the sink was behind. */
        final LongAdder dropped = new LongAdder();
        /** Rows that the sink could not write. */
        final LongAdder failed = new LongAdder();
    }

    /** What became of a tool's event. */
    enum ToolEvent {
        /** Journalled. */
        TAKEN,
        /** Not three frames. */
        FRAMES,
        /** Another topic. */
        TOPIC,
        /** Not a map of MessagePack that can be read. */
        UNREADABLE,
        /** Another schema or type of event. */
        SCHEMA,
        /** No session. */
        NO_SESSION,
        /** No tool, or fields of the tool that are none. */
        TOOL,
        /** A request or content in a tool's event. */
        FOREIGN,
        /** The router's ring is full. */
        RING_FULL
    }

    private final Map<TraceSettings.Sink, OfSink> sinks = new EnumMap<>(TraceSettings.Sink.class);
    private final Map<SkippedRow, LongAdder> skipped = new EnumMap<>(SkippedRow.class);
    private final Map<ToolEvent, LongAdder> toolEvents = new EnumMap<>(ToolEvent.class);

    SinkCounts() {
        for (TraceSettings.Sink sink : TraceSettings.Sink.values()) {
            sinks.put(sink, new OfSink());
        }
        for (SkippedRow reason : SkippedRow.values()) {
            skipped.put(reason, new LongAdder());
        }
        for (ToolEvent result : ToolEvent.values()) {
            toolEvents.put(result, new LongAdder());
        }
    }

    OfSink of(TraceSettings.Sink sink) {
        return sinks.get(sink);
    }

    LongAdder skipped(SkippedRow reason) {
        return skipped.get(reason);
    }

    LongAdder of(ToolEvent result) {
        return toolEvents.get(result);
    }

    /** Shows all of it, also what stays at zero. */
    void bindTo(MeterRegistry registry) {
        sinks.forEach((sink, counts) -> {
            count(registry, "penstock.trace.sink.rows", "Rows handed to a sink", "sink", sink.label(), counts.rows);
            count(
                    registry,
                    "penstock.trace.sink.dropped",
                    "Records dropped, oldest first: a sink is behind",
                    "sink",
                    sink.label(),
                    counts.dropped);
            count(
                    registry,
                    "penstock.trace.sink.failed",
                    "Rows that a sink could not write",
                    "sink",
                    sink.label(),
                    counts.failed);
        });
        skipped.forEach((reason, adder) -> count(
                registry,
                "penstock.trace.rows.skipped",
                "Records without a row in a Dynamo trace",
                "reason",
                reason.label(),
                adder));
        toolEvents.forEach((result, adder) -> count(
                registry,
                "penstock.tool.events",
                "Tool events received, by what became of them",
                "result",
                result.name().toLowerCase(Locale.ROOT),
                adder));
    }

    private static void count(
            MeterRegistry registry, String name, String description, String tag, String value, LongAdder adder) {
        FunctionCounter.builder(name, adder, LongAdder::sum)
                .description(description)
                .tag(tag, value)
                .register(registry);
    }
}
