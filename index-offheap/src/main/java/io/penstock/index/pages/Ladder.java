package io.penstock.index.pages;

/**
 * What the product adds to a bare index, each part switched off by {@code -Dpenstock.index.ladder=RUNG}, so that a
 * benchmark can tell what it costs: bare (memory instead of the file's pages; the file never gets its name), pages, layers (tiers and copies), versions
 * (for readers beside the writer), intent (undo log and sums of the truth). Everything is on unless the property is set;
 * a file written below the top must not be opened again.
 *
 * <p><b>Threading:</b> immutable; constants to the compiler.
 */
public final class Ladder {
    private static final int RUNG = switch (System.getProperty("penstock.index.ladder", "intent")) {
        case "bare" -> 0;
        case "pages" -> 1;
        case "layers" -> 2;
        case "versions" -> 3;
        case "intent" -> 4;
        default ->
            throw new IllegalArgumentException(
                    "unknown rung: penstock.index.ladder=" + System.getProperty("penstock.index.ladder"));
    };

    /** Pages lie in the file. */
    public static final boolean PAGES = RUNG >= 1;

    /** Tiers below the device and further copies. */
    public static final boolean LAYERS = RUNG >= 2;

    /** Versions for readers. */
    public static final boolean VERSIONS = RUNG >= 3;

    /** Undo log and sums. */
    public static final boolean INTENT = RUNG >= 4;

    private Ladder() {}
}
