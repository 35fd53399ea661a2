package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.sinks.DynamoTraceReader;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of a Dynamo request trace, plain or gzipped, as a source; whoever wrote them.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param files in order
 */
public record DynamoTraceFiles(List<Path> files) implements TraceSource {
    /** Copies the list. */
    public DynamoTraceFiles {
        files = List.copyOf(files);
    }

    @Override
    public String format() {
        return "dynamo";
    }

    @Override
    public TraceReader open() {
        return new DynamoTraceReader(files);
    }
}
