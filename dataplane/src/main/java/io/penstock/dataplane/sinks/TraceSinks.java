package io.penstock.dataplane.sinks;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Dynamo's sinks behind one consumer of decisions: it only hands records on, so that a slow sink delays neither the journal
 * nor another sink.
 *
 * <p><b>Threading:</b> the handler runs on its consumer's thread, each sink on its own; made and closed by one thread.
 */
public final class TraceSinks implements EventHandler<DecisionRecord>, AutoCloseable {
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);

    private final TraceSettings settings;
    private final SinkCounts counts;
    private final List<SinkLane> lanes = new ArrayList<>();

    TraceSinks(TraceSettings settings, SinkCounts counts) {
        this.settings = settings;
        this.counts = counts;
        for (TraceSettings.Sink sink : settings.sinks()) {
            add(sink.label(), open(sink), counts.of(sink));
        }
    }

    private void add(String name, TraceSink sink, SinkCounts.OfSink of) {
        SinkLane lane = new SinkLane(name, sink, settings.capacity(), of);
        lanes.add(lane);
        lane.start();
    }

    private TraceSink open(TraceSettings.Sink sink) {
        try {
            return switch (sink) {
                case FILE ->
                    settings.fileFormat() == TraceSettings.FileFormat.JSONL
                            ? new LineFile(settings.file(), settings.bufferBytes(), settings.flushIntervalMs())
                            : new PackedFiles(settings);
                case STDERR -> new RowStream(System.err);
                case OTEL -> new OtelLogs(settings.otel());
            };
        } catch (IOException e) {
            close();
            throw new IllegalArgumentException(
                    "a trace sink cannot be opened: sink=" + sink.label() + " path=" + settings.file() + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    /** Whether there is any sink to tell. */
    public boolean any() {
        return !lanes.isEmpty();
    }

    @Override
    public void onEvent(DecisionRecord decision, long sequence, boolean endOfBatch) {
        TraceRecord trace = decision.trace;
        if (trace != null && decision.kind != DecisionRecord.Kind.DECIDED) {
            RowsOfRecord rows = new RowsOfRecord(trace, settings, counts);
            for (SinkLane lane : lanes) {
                lane.offer(rows);
            }
        }
    }

    /** Writes what waits, for ten seconds at most; what is left then is given up and counted. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + DRAIN_NS;
        lanes.forEach(SinkLane::end);
        try {
            for (SinkLane lane : lanes) {
                lane.await(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lanes.clear();
    }
}
