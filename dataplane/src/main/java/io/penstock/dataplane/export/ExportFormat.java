package io.penstock.dataplane.export;

import java.util.function.Supplier;

/** Formats that a trace can be written in, by the name that the command line uses. */
public enum ExportFormat {
    /** Dynamo's request trace, a row a line. */
    DYNAMO("dynamo", DynamoExport::new),
    /** Mooncake rows as Dynamo's replay takes them. */
    MOONCAKE("mooncake", MooncakeExport::dynamo),
    /** Dynamo's agentic Mooncake, version 2. */
    AGENTIC_MOONCAKE("agentic-mooncake", AgenticMooncakeExport::new),
    /** Mooncake rows as AIPerf takes them. */
    AIPERF_MOONCAKE("aiperf-mooncake", MooncakeExport::aiperf),
    /** Recorded sessions, a file a conversation. */
    WEKA("weka", null),
    /** OpenTelemetry logs as JSON. */
    OTLP("otlp", OtlpExport::new),
    /** A table. */
    CSV("csv", CsvExport::new);

    private final String label;
    private final Supplier<StreamExport> stream;

    ExportFormat(String label, Supplier<StreamExport> stream) {
        this.label = label;
        this.stream = stream;
    }

    /** Whether it fills a folder instead of a stream. */
    public boolean fillsFolder() {
        return stream == null;
    }

    StreamExport stream() {
        return stream.get();
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return label;
    }
}
