package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Python's {@code json.dumps}: separators, indentation, number and string forms as it writes them. */
public final class PyJson {
    private final StringBuilder out = new StringBuilder();
    private final boolean ascii;
    private final String indent;
    private final String itemSeparator;
    private final String keySeparator;
    private final boolean sortKeys;

    PyJson(boolean ascii, String indent, String itemSeparator, String keySeparator, boolean sortKeys) {
        this.ascii = ascii;
        this.indent = indent;
        this.itemSeparator = itemSeparator;
        this.keySeparator = keySeparator;
        this.sortKeys = sortKeys;
    }

    /** {@code json.dumps(value, ensure_ascii=ascii)}. */
    public static String dumps(Object value, boolean ascii) {
        return new PyJson(ascii, null, ", ", ": ", false).text(value);
    }

    String text(Object value) {
        write(value, 0);
        return out.toString();
    }

    private void write(Object value, int depth) {
        switch (value) {
            case null -> out.append("null");
            case Boolean b -> out.append(b);
            case Double d -> out.append(real(d));
            case Number n -> out.append(n);
            case String s -> string(s);
            case List<?> l -> {
                if (l.isEmpty()) {
                    out.append("[]");
                    return;
                }
                out.append('[');
                for (int i = 0; i < l.size(); i++) {
                    separate(i == 0, depth + 1);
                    write(l.get(i), depth + 1);
                }
                line(depth);
                out.append(']');
            }
            case Map<?, ?> m -> map(m, depth);
            default -> throw new JinjaException("not JSON serializable: " + Py.type(value));
        }
    }

    private void map(Map<?, ?> m, int depth) {
        if (m.isEmpty()) {
            out.append("{}");
            return;
        }
        List<Map.Entry<?, ?>> entries = new ArrayList<>(m.entrySet());
        if (sortKeys) {
            entries.sort((a, b) -> Py.compare(a.getKey(), b.getKey()));
        }
        out.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> e : entries) {
            separate(first, depth + 1);
            first = false;
            string(key(e.getKey()));
            out.append(keySeparator);
            write(e.getValue(), depth + 1);
        }
        line(depth);
        out.append('}');
    }

    private static String key(Object key) {
        return switch (key) {
            case null -> "null";
            case Boolean b -> b.toString();
            case Double d -> real(d);
            default -> key.toString();
        };
    }

    private static String real(double d) {
        return Double.isNaN(d) ? "NaN" : Double.isInfinite(d) ? (d > 0 ? "Infinity" : "-Infinity") : PyText.real(d);
    }

    private void separate(boolean first, int depth) {
        if (!first) {
            out.append(itemSeparator);
        }
        line(depth);
    }

    private void line(int depth) {
        if (indent != null) {
            out.append('\n').repeat(indent, depth);
        }
    }

    private void string(String s) {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < 0x20 || (ascii && c > 0x7e)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
