package io.penstock.dataplane.tokens.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/** The filters that work on text and numbers. */
final class FilterText {
    private FilterText() {}

    /** Jinja's {@code title}: words begin after white space, a hyphen, or an opening bracket. */
    static String title(String s) {
        StringBuilder out = new StringBuilder(s.length());
        boolean start = true;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            boolean breaks = PyText.space(c) || "-({[<".indexOf(c) >= 0;
            out.append(breaks ? c : start ? Character.toUpperCase(c) : Character.toLowerCase(c));
            start = breaks;
        }
        return out.toString();
    }

    static Object indent(Object v, Args a) {
        Object width = a.get(0, "width", 4L);
        boolean first = a.flag(1, "first", false);
        boolean blank = a.flag(2, "blank", false);
        String by = width instanceof String s ? s : " ".repeat(Math.clamp(Py.integer(width), 0, 1 << 10));
        List<Object> lines =
                Py.iterate(StringMethods.of(PyText.str(v) + "\n", "splitlines").call(List.of(), java.util.Map.of()));
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            String line = (String) lines.get(i);
            if (i > 0) {
                out.append('\n');
            }
            out.append(i == 0 ? (first ? by : "") : blank || !line.isEmpty() ? by : "")
                    .append(line);
        }
        return out.toString();
    }

    static String escape(String s) {
        return s.replace("&", "&amp;")
                .replace(">", "&gt;")
                .replace("<", "&lt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }

    static Object integer(Object v, Args a) {
        Object otherwise = a.get(0, "default", 0L);
        try {
            return switch (v) {
                case String s ->
                    Py.small(new BigInteger(StringMethods.strip(s, null, true, true), (int) a.whole(1, "base", 10)));
                case Double d -> Py.small(new BigDecimal(d).toBigInteger());
                case null, default -> Py.num(v);
            };
        } catch (NumberFormatException e) {
            try {
                return v instanceof String s ? Py.small(new BigDecimal(s.strip()).toBigInteger()) : otherwise;
            } catch (NumberFormatException notReal) {
                return otherwise;
            }
        } catch (JinjaException e) {
            if (v instanceof Undefined u) {
                throw u.error();
            }
            return otherwise;
        }
    }

    static Object real(Object v, Args a) {
        try {
            return v instanceof String s
                    ? Double.valueOf(s.strip())
                    : (Object) Py.num(v).doubleValue();
        } catch (NumberFormatException | JinjaException e) {
            if (v instanceof Undefined u) {
                throw u.error();
            }
            return a.get(0, "default", 0.0);
        }
    }

    static Object round(Object v, Args a) {
        int precision = Math.clamp(a.whole(0, "precision", 0), -300, 300);
        RoundingMode mode = switch (String.valueOf(a.get(1, "method", "common"))) {
            case "ceil" -> RoundingMode.CEILING;
            case "floor" -> RoundingMode.FLOOR;
            case "common" -> RoundingMode.HALF_EVEN;
            default -> throw new JinjaException("method must be common, ceil or floor");
        };
        return new BigDecimal(Py.num(v).doubleValue()).setScale(precision, mode).doubleValue();
    }

    static long words(String s) {
        return java.util.regex.Pattern.compile("\\w+", java.util.regex.Pattern.UNICODE_CHARACTER_CLASS)
                .matcher(s)
                .results()
                .count();
    }
}
