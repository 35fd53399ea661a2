package io.penstock.perf.index;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * What each part of the product costs on applying: from the bare structure to all switched on.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class LadderTable {
    static final List<String> RUNGS = List.of("bare", "pages", "layers", "versions", "intent");

    private LadderTable() {}

    static String label(String rung) {
        return "ladder-" + rung;
    }

    /** Prints the rungs that were measured. */
    public static void print(Figures figures, PrintWriter out) {
        if (Double.isNaN(figures.median(figure(RUNGS.getFirst(), "storedNsPerBlock")))) {
            return;
        }
        out.printf("%n%-28s %14s %14s%n", "ladder, ops_w64, ns a block", "stored", "removed");
        for (String rung : RUNGS) {
            out.printf(
                    Locale.ROOT,
                    "%-28s %14.1f %14.1f%n",
                    rung,
                    figures.median(figure(rung, "storedNsPerBlock")),
                    figures.median(figure(rung, "removedNsPerBlock")));
        }
    }

    private static String figure(String rung, String field) {
        return label(rung) + "." + Comparison.MAIN + ".apply." + field;
    }
}
