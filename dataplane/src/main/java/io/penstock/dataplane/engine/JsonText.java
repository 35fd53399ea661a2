package io.penstock.dataplane.engine;

/**
 * Pieces of JSON text.
 *
 * <p><b>Threading:</b> stateless.
 */
final class JsonText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonText() {}

    /** Appends a quoted string, or {@code null}. */
    static void string(StringBuilder out, String text) {
        if (text == null) {
            out.append("null");
            return;
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Appends an array of integers. */
    static void ints(StringBuilder out, int[] values, int from, int to) {
        out.append('[');
        for (int i = from; i < to; i++) {
            if (i > from) {
                out.append(',');
            }
            out.append(values[i]);
        }
        out.append(']');
    }
}
