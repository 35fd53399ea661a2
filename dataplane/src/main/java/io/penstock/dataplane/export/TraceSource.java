package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import java.util.Map;

/**
 * A trace that can be read from its start, as often as needed: most formats want one look at all of it before the first
 * row is written.
 *
 * <p><b>Threading:</b> stateless; each reader belongs to one thread.
 */
public interface TraceSource {
    /** What the trace is, as files name their source. */
    String format();

    /** What the reader opened last stepped over, by reason; empty for a source that holds nothing but records. */
    default Map<String, Long> steppedOver() {
        return Map.of();
    }

    /** A reader that stands before the oldest record. Each record is an object of its own. */
    TraceReader open();
}
