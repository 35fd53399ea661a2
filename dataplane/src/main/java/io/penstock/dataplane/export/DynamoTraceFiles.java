package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.sinks.DynamoTraceReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files of a Dynamo request trace, plain or gzipped, as a source; whoever wrote them.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class DynamoTraceFiles implements TraceSource {
    private final List<Path> files;
    private DynamoTraceReader last;

    /** A source of the files, in order. */
    public DynamoTraceFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    @Override
    public String format() {
        return "dynamo";
    }

    @Override
    public Map<String, Long> steppedOver() {
        Map<String, Long> counts = new TreeMap<>();
        if (last != null) {
            last.steppedOver()
                    .forEach((reason, count) ->
                            counts.put("lines stepped over, " + reason.name().toLowerCase(Locale.ROOT), count));
        }
        return counts;
    }

    @Override
    public TraceReader open() {
        last = new DynamoTraceReader(files);
        return last;
    }
}
