package io.penstock.perf.index;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The summary beside what is to be reached on the main stream.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class TargetTable {
    private record Target(String key, boolean atLeast, double bound) {}

    private static final List<Target> TARGETS = List.of(
            new Target("applyRatio", true, 1.4),
            new Target("applyDecodeRatio", true, 1.2),
            new Target("removedRatio", false, 0.55),
            new Target("lookupP50Ratio", false, 0.2),
            new Target("lookupP99Ratio", false, 0.45),
            new Target("scoreP50Ratio", false, 0.5),
            new Target("scoreP99Ratio", false, 0.6),
            new Target("lookupBusyP99Ratio", false, 0.5),
            new Target("bytesRatio", false, 0.4),
            new Target("fullHit8192Ratio", false, 0.2),
            new Target("reopenCleanMs", false, 100),
            new Target("reopenDirtyMs", false, 2_000),
            new Target("wrongAnswers", false, 0),
            new Target("allocatedBytesPerEvent", false, 0),
            new Target("allocatedBytesPerLookup", false, 0));

    private TargetTable() {}

    /** Prints a row for each key of the summary. */
    public static void print(Map<String, Object> summary, PrintWriter out) {
        out.printf("%n%-28s %14s %10s  %s%n", "summary", "value", "target", "met");
        summary.forEach((key, value) -> {
            Target target =
                    TARGETS.stream().filter(t -> t.key.equals(key)).findFirst().orElse(null);
            String bound = target == null ? "" : (target.atLeast ? ">= " : "<= ") + number(target.bound);
            String met = target == null ? "" : met(target, value);
            out.printf(Locale.ROOT, "%-28s %14s %10s  %s%n", key, value == null ? "-" : value, bound, met);
        });
    }

    private static String met(Target target, Object value) {
        if (!(value instanceof Number number)) {
            return "not measured";
        }
        double found = number.doubleValue();
        return (target.atLeast ? found >= target.bound : found <= target.bound) ? "yes" : "no";
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
