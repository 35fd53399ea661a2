package io.penstock.dataplane.tokens.jinja;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Python's {@code str()} and {@code repr()} of values, and its idea of white space and escapes. */
final class PyText {
    private PyText() {}

    /** Python's {@code str.isspace} of one character. */
    static boolean space(char c) {
        return switch (c) {
            case ' ', '\t', '\n', '\u000b', '\f', '\r', '\u001c', '\u001d', '\u001e', '\u001f', '\u0085', '\u00a0' ->
                true;
            case '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000' -> true;
            default -> c >= '\u2000' && c <= '\u200a';
        };
    }

    /** {@code str(value)}. */
    static String str(Object value) {
        return switch (value) {
            case String s -> s;
            case Undefined u -> "";
            case null, default -> {
                StringBuilder out = new StringBuilder();
                repr(value, out);
                yield out.toString();
            }
        };
    }

    /** {@code repr(value)}. */
    static void repr(Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("None");
            case Boolean b -> out.append(b ? "True" : "False");
            case Double d -> out.append(real(d));
            case Number n -> out.append(n);
            case String s -> quote(s, out);
            case Tuple p -> sequence(p, "(", p.size() == 1 ? ",)" : ")", out);
            case List<?> l -> sequence(l, "[", "]", out);
            case Map<?, ?> m -> {
                out.append('{');
                boolean next = false;
                for (Map.Entry<?, ?> e : m.entrySet()) {
                    if (next) {
                        out.append(", ");
                    }
                    next = true;
                    repr(e.getKey(), out);
                    out.append(": ");
                    repr(e.getValue(), out);
                }
                out.append('}');
            }
            case Undefined u -> out.append("Undefined");
            default ->
                throw new JinjaException(
                        "cannot be printed as Python does: " + value.getClass().getSimpleName());
        }
    }

    private static void sequence(List<?> items, String open, String close, StringBuilder out) {
        out.append(open);
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.append(", ");
            }
            repr(items.get(i), out);
        }
        out.append(close);
    }

    /** {@code repr} of a float: the shortest digits that read back, exponent from 1e16 up and below 1e-4. */
    static String real(double d) {
        if (Double.isNaN(d)) {
            return "nan";
        }
        if (Double.isInfinite(d)) {
            return d > 0 ? "inf" : "-inf";
        }
        if (d == 0) {
            return 1 / d < 0 ? "-0.0" : "0.0";
        }
        BigDecimal exact = new BigDecimal(Double.toString(d)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= 16 || exponent < -4) {
            String digits = exact.unscaledValue().abs().toString();
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            String sign = exponent < 0 ? "-" : "+";
            int e = Math.abs(exponent);
            return (d < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + sign + (e < 10 ? "0" + e : "" + e);
        }
        String plain = exact.toPlainString();
        return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }

    private static void quote(String s, StringBuilder out) {
        char q = s.indexOf('\'') >= 0 && s.indexOf('"') < 0 ? '"' : '\'';
        out.append(q);
        for (int i = 0; i < s.length(); ) {
            int c = s.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c == q) {
                        out.append('\\').append(q);
                    } else if (printable(c)) {
                        out.appendCodePoint(c);
                    } else if (c < 0x100) {
                        out.append(String.format("\\x%02x", c));
                    } else {
                        out.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
                    }
                }
            }
        }
        out.append(q);
    }

    private static boolean printable(int c) {
        return c == ' '
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.SPACE_SEPARATOR -> false;
                    default -> true;
                };
    }

    /** Decodes the escapes of a string literal; unknown ones stay as they are. */
    static String unescape(String s) {
        if (s.indexOf('\\') < 0) {
            return s;
        }
        StringBuilder out = new StringBuilder(s.length());
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c != '\\' || i + 1 == s.length()) {
                out.append(c);
                continue;
            }
            char e = s.charAt(++i);
            int hex = e == 'x' ? 2 : e == 'u' ? 4 : e == 'U' ? 8 : 0;
            if (hex > 0) {
                if (i + hex >= s.length()) {
                    throw new JinjaException("truncated escape in a string");
                }
                try {
                    out.appendCodePoint(Integer.parseInt(s, i + 1, i + 1 + hex, 16));
                } catch (IllegalArgumentException bad) {
                    throw new JinjaException("bad escape in a string");
                }
                i += hex;
            } else if (e >= '0' && e <= '7') {
                int end = i + 1;
                while (end < s.length() && end < i + 3 && s.charAt(end) >= '0' && s.charAt(end) <= '7') {
                    end++;
                }
                out.append((char) Integer.parseInt(s, i, end, 8));
                i = end - 1;
            } else {
                simple(e, out);
            }
        }
        return out.toString();
    }

    private static void simple(char e, StringBuilder out) {
        switch (e) {
            case 'n' -> out.append('\n');
            case 't' -> out.append('\t');
            case 'r' -> out.append('\r');
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'v' -> out.append('\u000b');
            case 'a' -> out.append('\u0007');
            case '\\', '\'', '"' -> out.append(e);
            case '\n' -> {}
            default -> out.append('\\').append(e);
        }
    }
}
