package io.penstock.bindings.openai;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Walks over the members of a JSON text without building anything: every key, at any depth, with the place of its
 * value. It trusts the text to be JSON, as an engine's answers are; other input gives no members or wrong ones, but
 * never an exception.
 *
 * <p><b>Threading:</b> one thread, reusable. <b>Cost:</b> one to two ns a byte, no allocation.
 */
public final class JsonMembers {
    private static final int TRACKED = 16;

    private ByteBuffer in;
    private int at;
    private int end;
    private int depth;
    private int keyStart;
    private int keyEnd;
    private int valueStart;
    private final int[] openedAt = new int[TRACKED];

    /** Starts over with another text. */
    public JsonMembers reset(ByteBuffer bytes, int start, int length) {
        in = bytes;
        at = start;
        end = start + length;
        depth = 0;
        return this;
    }

    /** Goes to the next key. */
    public boolean next() {
        int i = at;
        while (i < end) {
            byte b = in.get(i++);
            if (b == '"') {
                int start = i;
                i = closingQuote(i);
                int colon = skipSpace(i + 1);
                if (colon < end && in.get(colon) == ':') {
                    keyStart = start;
                    keyEnd = i;
                    valueStart = skipSpace(colon + 1);
                    at = valueStart;
                    return true;
                }
                i++;
            } else if (b == '{' || b == '[') {
                depth++;
                if (depth >= 0 && depth < TRACKED) {
                    openedAt[depth] = i;
                }
            } else if (b == '}' || b == ']') {
                depth--;
            }
        }
        at = end;
        return false;
    }

    private int closingQuote(int from) {
        int i = from;
        while (i < end) {
            byte b = in.get(i);
            if (b == '"') {
                return i;
            }
            i += b == '\\' ? 2 : 1;
        }
        return end;
    }

    private int skipSpace(int from) {
        int i = from;
        while (i < end && in.get(i) <= ' ' && in.get(i) >= 0) {
            i++;
        }
        return i;
    }

    /** Open objects and lists around the key: 1 for a key of the outermost object. */
    public int depth() {
        return depth;
    }

    /**
     * Tells apart the objects of a list: a number that each object or list around the key has for itself.
     *
     * @param level depth of the keys in it, below 16
     */
    public int opened(int level) {
        return openedAt[level];
    }

    /** Whether the key is this one, given without quotes. */
    public boolean keyIs(byte[] name) {
        return keyEnd - keyStart == name.length && matches(keyStart, name);
    }

    /** Whether the value is this text; texts with escapes never are. */
    public boolean valueIs(byte[] text) {
        int close = valueStart + 1 + text.length;
        return valueStart < end
                && in.get(valueStart) == '"'
                && close < end
                && in.get(close) == '"'
                && matches(valueStart + 1, text);
    }

    private boolean matches(int from, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (in.get(from + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** First byte of the value, 0 when the text ends before it. */
    public byte value() {
        return valueStart < end ? in.get(valueStart) : 0;
    }

    /** Whether the value is a text, a list or an object with something in it. */
    public boolean valueIsFilled() {
        byte open = value();
        byte close = (byte) (open == '[' ? ']' : open == '{' ? '}' : open == '"' ? '"' : 0);
        int first = open == '"' ? valueStart + 1 : skipSpace(valueStart + 1);
        return close != 0 && first < end && in.get(first) != close;
    }

    /** Whether the value is a list with nothing in it. */
    public boolean valueIsEmptyList() {
        return value() == '[' && !valueIsFilled();
    }

    /** The value as a whole number, or {@code otherwise}. */
    public int number(int otherwise) {
        int i = valueStart;
        long value = 0;
        while (i < end && in.get(i) >= '0' && in.get(i) <= '9' && value <= Integer.MAX_VALUE) {
            value = value * 10 + in.get(i) - '0';
            i++;
        }
        return i == valueStart || value > Integer.MAX_VALUE ? otherwise : (int) value;
    }

    /** The value as text, escapes left as they are; null when it is no text. */
    public String text() {
        if (value() != '"') {
            return null;
        }
        byte[] bytes = new byte[closingQuote(valueStart + 1) - valueStart - 1];
        in.get(valueStart + 1, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The value as text with its escapes resolved, or a number as it is written; null for anything else. */
    public String scalar() {
        if (value() == '"') {
            String raw = text();
            return raw.indexOf('\\') < 0 ? raw : resolved(raw);
        }
        int i = valueStart;
        while (i < end && (in.get(i) >= '0' && in.get(i) <= '9' || in.get(i) == '-' || in.get(i) == '.')) {
            i++;
        }
        if (i == valueStart) {
            return null;
        }
        byte[] digits = new byte[i - valueStart];
        in.get(valueStart, digits);
        return new String(digits, StandardCharsets.US_ASCII);
    }

    private static String resolved(String raw) {
        byte[] quoted = ('"' + raw + '"').getBytes(StandardCharsets.UTF_8);
        return RequestScanner.decode(quoted, 0, quoted.length);
    }
}
