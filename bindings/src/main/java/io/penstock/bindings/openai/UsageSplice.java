package io.penstock.bindings.openai;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The edit that asks the engine for usage in a stream when the client did not.
 *
 * <p>The engine then sends one more chunk, with empty {@code choices}, which {@link OpenAiStreamEvents} names so that
 * it can be taken out again. {@code continuous_usage_stats} without {@code include_usage} has no effect in an engine;
 * it would have one after the edit, in every chunk, so it is switched off in the same edit.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class UsageSplice {
    static final String OPTIONS = "{\"include_usage\":true}";

    private UsageSplice() {}

    /**
     * Whether usage has to be asked for: a stream of an API that gives none by itself. A {@code stream_options} that is
     * neither object nor null is left to the engine to refuse.
     */
    public static boolean isNeeded(RequestScan scan) {
        return scan.ok()
                && scan.stream
                && scan.kind.usageOnRequest()
                && !scan.includeUsage
                && (scan.streamOptions == null || scan.streamOptionsIsNull || scan.streamOptionsIsObject);
    }

    /** The splices, in order; empty where none is needed. */
    public static List<Splice> of(RequestScan scan) {
        if (!isNeeded(scan)) {
            return List.of();
        }
        Span options = scan.streamOptions;
        if (options == null) {
            String field = (scan.isEmptyObject ? "" : ",") + "\"stream_options\":" + OPTIONS;
            return List.of(insert(scan.objectEnd, field));
        }
        if (scan.streamOptionsIsNull) {
            return List.of(replace(options, OPTIONS));
        }
        List<Splice> splices = new ArrayList<>(2);
        if (scan.continuousUsageSpan != null) {
            splices.add(replace(scan.continuousUsageSpan, "false"));
        }
        if (scan.includeUsageSpan != null) {
            splices.add(replace(scan.includeUsageSpan, "true"));
        } else {
            String key = (scan.streamOptionsIsEmpty ? "" : ",") + "\"include_usage\":true";
            splices.add(insert(options.end() - 1, key));
        }
        splices.sort(java.util.Comparator.comparingInt(Splice::offset));
        return splices;
    }

    private static Splice insert(int at, String text) {
        return new Splice(at, 0, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Splice replace(Span span, String text) {
        return new Splice(span.start(), span.length(), text.getBytes(StandardCharsets.UTF_8));
    }
}
