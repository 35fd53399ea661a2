package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Python's methods of {@code str}. */
final class StringMethods {
    private StringMethods() {}

    /** The method bound to {@code s}, or null where Python has none (or templates never use it). */
    static Callable of(String s, String name) {
        return switch (name) {
            case "strip" -> (a, n) -> strip(s, new Args(name, a, n).text(0, "chars"), true, true);
            case "lstrip" -> (a, n) -> strip(s, new Args(name, a, n).text(0, "chars"), true, false);
            case "rstrip" -> (a, n) -> strip(s, new Args(name, a, n).text(0, "chars"), false, true);
            case "split" -> (a, n) -> split(s, new Args(name, a, n));
            case "rsplit" -> (a, n) -> rsplit(s, new Args(name, a, n));
            case "splitlines" -> (a, n) -> splitLines(s, new Args(name, a, n).flag(0, "keepends", false));
            case "partition" -> (a, n) -> partition(s, new Args(name, a, n), s.indexOf(needle(name, a)));
            case "rpartition" -> (a, n) -> partition(s, new Args(name, a, n), s.lastIndexOf(needle(name, a)));
            case "startswith" -> (a, n) -> starts(range(s, a), new Args(name, a, n).need(0, "prefix"), true);
            case "endswith" -> (a, n) -> starts(range(s, a), new Args(name, a, n).need(0, "suffix"), false);
            case "removeprefix" ->
                (a, n) -> s.startsWith(needle(name, a))
                        ? s.substring(needle(name, a).length())
                        : s;
            case "removesuffix" ->
                (a, n) -> !needle(name, a).isEmpty() && s.endsWith(needle(name, a))
                        ? s.substring(0, s.length() - needle(name, a).length())
                        : s;
            case "replace" ->
                (a, n) -> {
                    Args args = new Args(name, a, n);
                    args.need(1, "new");
                    return replace(s, args.text(0, "old"), args.text(1, "new"), args.whole(2, "count", -1));
                };
            case "find" -> (a, n) -> points(s, s.indexOf(needle(name, a)));
            case "rfind" -> (a, n) -> points(s, s.lastIndexOf(needle(name, a)));
            case "index" -> (a, n) -> found(points(s, s.indexOf(needle(name, a))));
            case "rindex" -> (a, n) -> found(points(s, s.lastIndexOf(needle(name, a))));
            case "count" -> (a, n) -> count(range(s, a), needle(name, a));
            case "join" -> (a, n) -> join(s, new Args(name, a, n).need(0, "iterable"));
            case "upper" -> (a, n) -> s.toUpperCase(Locale.ROOT);
            case "lower", "casefold" -> (a, n) -> s.toLowerCase(Locale.ROOT);
            case "capitalize" -> (a, n) -> capitalize(s);
            case "title" -> (a, n) -> title(s);
            case "zfill" ->
                (a, n) -> {
                    String sign = s.startsWith("-") || s.startsWith("+") ? s.substring(0, 1) : "";
                    long width = new Args(name, a, n).whole(0, "width", 0);
                    return sign + "0".repeat((int) Math.max(0, width - Py.length(s))) + s.substring(sign.length());
                };
            case "ljust" -> (a, n) -> s + fill(s, a);
            case "rjust" -> (a, n) -> fill(s, a) + s;
            case "isdigit" -> (a, n) -> !s.isEmpty() && s.codePoints().allMatch(Character::isDigit);
            case "isalpha" -> (a, n) -> !s.isEmpty() && s.codePoints().allMatch(Character::isLetter);
            case "isalnum" -> (a, n) -> !s.isEmpty() && s.codePoints().allMatch(Character::isLetterOrDigit);
            case "isspace" -> (a, n) -> !s.isEmpty() && s.chars().allMatch(c -> PyText.space((char) c));
            case "isupper" -> (a, n) -> cased(s) && s.equals(s.toUpperCase(Locale.ROOT));
            case "islower" -> (a, n) -> cased(s) && s.equals(s.toLowerCase(Locale.ROOT));
            default -> null;
        };
    }

    private static boolean cased(String s) {
        return s.codePoints().anyMatch(c -> Character.isUpperCase(c) || Character.isLowerCase(c));
    }

    private static String needle(String name, List<Object> args) {
        if (args.isEmpty() || !(args.getFirst() instanceof String text)) {
            throw new JinjaException(name + " needs a string");
        }
        return text;
    }

    /** The part that optional start and end arguments select. */
    private static String range(String s, List<Object> args) {
        return args.size() < 2 ? s : (String) Py.slice(s, args.get(1), args.size() > 2 ? args.get(2) : null, null);
    }

    private static long points(String s, int at) {
        return at < 0 ? -1 : s.codePointCount(0, at);
    }

    private static long found(long at) {
        if (at < 0) {
            throw new JinjaException("substring not found");
        }
        return at;
    }

    private static long count(String s, String needle) {
        if (needle.isEmpty()) {
            return Py.length(s) + 1;
        }
        long n = 0;
        for (int i = s.indexOf(needle); i >= 0; i = s.indexOf(needle, i + needle.length())) {
            n++;
        }
        return n;
    }

    private static String fill(String s, List<Object> args) {
        String with = args.size() > 1 ? (String) args.get(1) : " ";
        return with.repeat(Math.clamp(Py.integer(args.getFirst()) - Py.length(s), 0, 1 << 16));
    }

    static String strip(String s, String chars, boolean left, boolean right) {
        int from = 0;
        int to = s.length();
        while (left && from < to && strips(s, from, chars)) {
            from += Character.charCount(s.codePointAt(from));
        }
        while (right && to > from && strips(s, to - Character.charCount(s.codePointBefore(to)), chars)) {
            to -= Character.charCount(s.codePointBefore(to));
        }
        return s.substring(from, to);
    }

    private static boolean strips(String s, int at, String chars) {
        return chars == null ? PyText.space(s.charAt(at)) : chars.indexOf(s.codePointAt(at)) >= 0;
    }

    private static List<Object> split(String s, Args args) {
        String by = args.text(0, "sep");
        long most = args.whole(1, "maxsplit", -1);
        List<Object> out = new ArrayList<>();
        if (by != null) {
            if (by.isEmpty()) {
                throw new JinjaException("empty separator");
            }
            int from = 0;
            for (int i = s.indexOf(by); i >= 0 && most != 0; i = s.indexOf(by, from), most--) {
                out.add(s.substring(from, i));
                from = i + by.length();
            }
            out.add(s.substring(from));
            return out;
        }
        int at = 0;
        while (true) {
            while (at < s.length() && PyText.space(s.charAt(at))) {
                at++;
            }
            if (at == s.length()) {
                return out;
            }
            if (most-- == 0) {
                out.add(strip(s.substring(at), null, false, true));
                return out;
            }
            int from = at;
            while (at < s.length() && !PyText.space(s.charAt(at))) {
                at++;
            }
            out.add(s.substring(from, at));
        }
    }

    private static List<Object> rsplit(String s, Args args) {
        String by = args.text(0, "sep");
        long most = args.whole(1, "maxsplit", -1);
        if (most < 0) {
            return split(s, args);
        }
        if (by == null || by.isEmpty()) {
            throw new JinjaException("rsplit needs a separator");
        }
        List<Object> out = new ArrayList<>();
        int to = s.length();
        for (int i = s.lastIndexOf(by); i >= 0 && most > 0; i = s.lastIndexOf(by, to - by.length()), most--) {
            out.addFirst(s.substring(i + by.length(), to));
            to = i;
            if (to < by.length()) {
                break;
            }
        }
        out.addFirst(s.substring(0, to));
        return out;
    }

    private static List<Object> splitLines(String s, boolean keep) {
        List<Object> out = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < s.length(); i++) {
            if ("\n\r\u000b\f\u001c\u001d\u001e\u0085\u2028\u2029".indexOf(s.charAt(i)) < 0) {
                continue;
            }
            int end = i;
            if (s.charAt(i) == '\r' && i + 1 < s.length() && s.charAt(i + 1) == '\n') {
                i++;
            }
            out.add(s.substring(from, keep ? i + 1 : end));
            from = i + 1;
        }
        if (from < s.length()) {
            out.add(s.substring(from));
        }
        return out;
    }

    private static Object partition(String s, Args args, int at) {
        String by = args.text(0, "sep");
        boolean right = args.of().equals("rpartition");
        if (at < 0) {
            return new Tuple(right ? List.of("", "", s) : List.of(s, "", ""));
        }
        return new Tuple(List.of(s.substring(0, at), by, s.substring(at + by.length())));
    }

    private static boolean starts(String s, Object what, boolean front) {
        if (what instanceof List<?> any) {
            return any.stream().anyMatch(x -> starts(s, x, front));
        }
        if (!(what instanceof String text)) {
            throw new JinjaException("needs a string: " + Py.type(what));
        }
        return front ? s.startsWith(text) : s.endsWith(text);
    }

    static String replace(String s, String old, String fresh, long most) {
        if (most < 0 || old.isEmpty()) {
            return s.replace(old, fresh);
        }
        StringBuilder out = new StringBuilder();
        int from = 0;
        for (int i = s.indexOf(old); i >= 0 && most > 0; i = s.indexOf(old, from), most--) {
            out.append(s, from, i).append(fresh);
            from = i + old.length();
        }
        return out.append(s, from, s.length()).toString();
    }

    private static String join(String by, Object items) {
        StringBuilder out = new StringBuilder();
        boolean next = false;
        for (Object x : Py.iterate(items)) {
            if (!(x instanceof String text)) {
                throw new JinjaException("join needs strings: " + Py.type(x));
            }
            out.append(next ? by : "").append(text);
            next = true;
        }
        return out.toString();
    }

    static String capitalize(String s) {
        if (s.isEmpty()) {
            return s;
        }
        int first = s.offsetByCodePoints(0, 1);
        return new StringBuilder()
                .appendCodePoint(Character.toTitleCase(s.codePointAt(0)))
                .append(s.substring(first).toLowerCase(Locale.ROOT))
                .toString();
    }

    private static String title(String s) {
        StringBuilder out = new StringBuilder(s.length());
        boolean inWord = false;
        for (int i = 0; i < s.length(); ) {
            int c = s.codePointAt(i);
            i += Character.charCount(c);
            boolean letter = Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
            out.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inWord = letter;
        }
        return out.toString();
    }
}
