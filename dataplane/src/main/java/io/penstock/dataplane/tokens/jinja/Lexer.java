package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a template into text and tags, whitespace control done, and tags into tokens. Follows Jinja with
 * {@code trim_blocks} and {@code lstrip_blocks} on and {@code keep_trailing_newline} off.
 *
 * <p><b>Threading:</b> used once, by one thread.
 */
final class Lexer {
    /** Kinds of token. */
    enum Kind {
        TEXT,
        BLOCK_BEGIN,
        BLOCK_END,
        PRINT_BEGIN,
        PRINT_END,
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        END
    }

    /** A token; {@code text} is the decoded value of a string. */
    record Token(Kind kind, String text, int line) {
        boolean is(Kind k, String t) {
            return kind == k && text.equals(t);
        }
    }

    private static final String[] OPERATORS = {
        "**", "//", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}", "<", ">", "=",
        ".", ":", "|", ",", ";"
    };

    private final String s;
    private final List<Token> out = new ArrayList<>();
    private int at;
    private int line = 1;
    private int counted;
    private boolean lineStarting = true;

    private Lexer(String source) {
        String text = source.replace("\r\n", "\n").replace('\r', '\n');
        s = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    static List<Token> tokens(String source) {
        Lexer lexer = new Lexer(source);
        lexer.run();
        return lexer.out;
    }

    private void run() {
        while (at < s.length()) {
            int open = nextTag(at);
            if (open < 0) {
                add(Kind.TEXT, s.substring(at));
                break;
            }
            char kind = s.charAt(open + 1);
            char sign = open + 2 < s.length() ? s.charAt(open + 2) : ' ';
            boolean signed = sign == '-' || sign == '+';
            text(at, open, kind, sign);
            at = open + (signed ? 3 : 2);
            switch (kind) {
                case '#' -> comment();
                case '%' -> {
                    int raw = rawBegin();
                    if (raw >= 0) {
                        raw(raw);
                    } else {
                        add(Kind.BLOCK_BEGIN, "{%");
                        inside("%}", Kind.BLOCK_END);
                    }
                }
                default -> {
                    add(Kind.PRINT_BEGIN, "{{");
                    inside("}}", Kind.PRINT_END);
                }
            }
        }
        add(Kind.END, "");
    }

    private int nextTag(int from) {
        for (int i = s.indexOf('{', from); i >= 0 && i + 1 < s.length(); i = s.indexOf('{', i + 1)) {
            char c = s.charAt(i + 1);
            if (c == '%' || c == '{' || c == '#') {
                return i;
            }
        }
        return -1;
    }

    private void text(int from, int to, char kind, char sign) {
        int end = to;
        if (sign == '-') {
            while (end > from && PyText.space(s.charAt(end - 1))) {
                end--;
            }
        } else if (sign != '+' && kind != '{') {
            int lineStart = Math.max(s.lastIndexOf('\n', to - 1) + 1, from);
            boolean begins = lineStart > from || lineStarting;
            if (begins && blank(lineStart, to)) {
                end = lineStart;
            }
        }
        if (end > from) {
            add(Kind.TEXT, s.substring(from, end));
        }
    }

    private boolean blank(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!PyText.space(s.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private void comment() {
        int close = s.indexOf("#}", at);
        if (close < 0) {
            throw new JinjaException("line " + line() + ": missing end of comment");
        }
        char sign = close > at ? s.charAt(close - 1) : ' ';
        at = close + 2;
        afterTag(sign, true);
    }

    /** What follows a tag's end: {@code -} eats white space, a block's end one newline unless {@code +}. */
    private void afterTag(char sign, boolean trims) {
        int from = at;
        if (sign == '-') {
            while (at < s.length() && PyText.space(s.charAt(at))) {
                at++;
            }
        } else if (trims && sign != '+' && at < s.length() && s.charAt(at) == '\n') {
            at++;
        }
        lineStarting = at > from && s.charAt(at - 1) == '\n';
    }

    private int rawBegin() {
        int i = skipSpace(at);
        if (!s.startsWith("raw", i)) {
            return -1;
        }
        i = skipSpace(i + 3);
        if (s.startsWith("-%}", i)) {
            return skipSpace(i + 3);
        }
        return s.startsWith("%}", i) ? i + 2 : -1;
    }

    private int skipSpace(int i) {
        int k = i;
        while (k < s.length() && PyText.space(s.charAt(k))) {
            k++;
        }
        return k;
    }

    private void raw(int from) {
        for (int i = s.indexOf("{%", from); i >= 0; i = s.indexOf("{%", i + 2)) {
            char sign = i + 2 < s.length() ? s.charAt(i + 2) : ' ';
            int name = skipSpace(sign == '-' || sign == '+' ? i + 3 : i + 2);
            if (!s.startsWith("endraw", name)) {
                continue;
            }
            int close = skipSpace(name + 6);
            char after = close < s.length() ? s.charAt(close) : ' ';
            int end = after == '-' || after == '+' ? close + 1 : close;
            if (!s.startsWith("%}", end)) {
                continue;
            }
            text(from, i, '%', sign);
            at = end + 2;
            afterTag(after, true);
            return;
        }
        throw new JinjaException("line " + line() + ": missing end of raw");
    }

    private void inside(String close, Kind end) {
        int braces = 0;
        while (true) {
            at = skipSpace(at);
            if (at >= s.length()) {
                throw new JinjaException("line " + line() + ": tag without end");
            }
            char c = s.charAt(at);
            if (braces == 0) {
                boolean signed = (c == '-' || (c == '+' && end == Kind.BLOCK_END)) && s.startsWith(close, at + 1);
                if (signed || s.startsWith(close, at)) {
                    add(end, close);
                    at += signed ? 3 : 2;
                    afterTag(signed ? c : ' ', end == Kind.BLOCK_END);
                    return;
                }
            }
            if (c == '\'' || c == '"') {
                string(c);
            } else if (Character.isDigit(c)) {
                number();
            } else if (Character.isUnicodeIdentifierStart(c) || c == '_') {
                int from = at;
                while (at < s.length() && (Character.isUnicodeIdentifierPart(s.charAt(at)) || s.charAt(at) == '_')) {
                    at++;
                }
                add(Kind.NAME, s.substring(from, at));
            } else {
                String operator = operator();
                if ("([{".contains(operator)) {
                    braces++;
                } else if (")]}".contains(operator)) {
                    braces--;
                }
                add(Kind.OPERATOR, operator);
                at += operator.length();
            }
        }
    }

    private String operator() {
        for (String o : OPERATORS) {
            if (s.startsWith(o, at)) {
                return o;
            }
        }
        throw new JinjaException("line " + line() + ": unexpected character " + s.charAt(at));
    }

    private void number() {
        int from = at;
        boolean real = false;
        digits();
        boolean afterDot = from > 0 && s.charAt(from - 1) == '.';
        if (!afterDot && at + 1 < s.length() && s.charAt(at) == '.' && Character.isDigit(s.charAt(at + 1))) {
            at++;
            digits();
            real = true;
        }
        if (!afterDot && at + 1 < s.length() && (s.charAt(at) == 'e' || s.charAt(at) == 'E')) {
            int k = s.charAt(at + 1) == '-' || s.charAt(at + 1) == '+' ? at + 2 : at + 1;
            if (k < s.length() && Character.isDigit(s.charAt(k))) {
                at = k;
                digits();
                real = true;
            }
        }
        add(real ? Kind.FLOAT : Kind.INTEGER, s.substring(from, at).replace("_", ""));
    }

    private void digits() {
        while (at < s.length() && (Character.isDigit(s.charAt(at)) || s.charAt(at) == '_')) {
            at++;
        }
    }

    private void string(char quote) {
        int i = at + 1;
        while (i < s.length() && s.charAt(i) != quote) {
            i += s.charAt(i) == '\\' ? 2 : 1;
        }
        if (i >= s.length()) {
            throw new JinjaException("line " + line() + ": string without end");
        }
        add(Kind.STRING, PyText.unescape(s.substring(at + 1, i)));
        at = i + 1;
    }

    private int line() {
        for (; counted < Math.min(at, s.length()); counted++) {
            if (s.charAt(counted) == '\n') {
                line++;
            }
        }
        return line;
    }

    private void add(Kind kind, String text) {
        out.add(new Token(kind, text, line()));
    }
}
