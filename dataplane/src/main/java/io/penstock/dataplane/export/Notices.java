package io.penstock.dataplane.export;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What was left out, cut or could not be joined, counted by reason; so that nothing goes missing in silence.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class Notices {
    private final Map<String, Long> counts = new LinkedHashMap<>();

    /** Counts one more of a kind, for instance {@code left out: requests without hashes}. */
    void add(String what) {
        add(what, 1);
    }

    /** Counts {@code count} more; nothing for zero. */
    void add(String what, long count) {
        if (count > 0) {
            counts.merge(what, count, Long::sum);
        }
    }

    /** Counts so far, in the order in which they were met first. */
    public Map<String, Long> counts() {
        return Map.copyOf(counts);
    }

    /** A line each, {@code what: count}. */
    public void lines(Consumer<String> out) {
        counts.forEach((what, count) -> out.accept(what + ": " + count));
    }
}
