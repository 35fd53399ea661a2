package io.penstock.dataplane.tokens;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads JSON and writes it in one form, bytes to bytes: no white space, one way to write each text and number, keys in
 * their order. {@code cache_control} is left out, except below keys where the model's own data begins.
 *
 * <p>Structure is checked as far as it is read; UTF-8 and literals are taken as they come. A key given twice is written
 * twice.
 *
 * <p><b>Threading:</b> one thread, one use. <b>Cost:</b> plain text is copied eight bytes a step; nothing allocated but
 * the output.
 */
final class CanonicalJson {
    /** Room that the output is given beyond the input's length. */
    static final int SPARE = 64;

    private static final int MOST_DEPTH = 1_000;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH = ONES << 7;
    private static final byte[] MARK = ascii("\"cache_control\"");
    private static final byte[] TEXT = ascii("\"text\"");
    private static final byte[] BILLING = ascii("\"x-anthropic-billing-header");
    private static final byte[] DIGITS = ascii("0123456789abcdef");
    private static final byte[][] OPAQUE = {
        ascii("\"input\""),
        ascii("\"arguments\""),
        ascii("\"parameters\""),
        ascii("\"input_schema\""),
        ascii("\"properties\"")
    };

    private final byte[] in;
    private final int end;
    private int at;
    private byte[] out;
    private int length;
    private boolean billed;

    CanonicalJson(byte[] in, int offset, int count) {
        this.in = in;
        this.at = offset;
        this.end = offset + count;
        this.out = new byte[count + SPARE];
    }

    /** Bytes written, in the first {@link #length}. */
    byte[] written() {
        return out;
    }

    int length() {
        return length;
    }

    /** Takes back what was written after a length. */
    void backTo(int earlier) {
        length = earlier;
    }

    void write(byte[] more) {
        room(more.length);
        System.arraycopy(more, 0, out, length, more.length);
        length += more.length;
    }

    /** The next byte that is not white space, not consumed; 0 at the end. */
    byte peek() {
        while (at < end) {
            byte b = in[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            at++;
        }
        return 0;
    }

    /** Consumes this byte. */
    void expect(char wanted) throws IOException {
        if (peek() != wanted) {
            throw new IOException("not JSON: no " + wanted + " at byte " + at);
        }
        at++;
    }

    /** Consumes this byte if it is the next. */
    boolean take(char wanted) {
        boolean there = peek() == wanted;
        at += there ? 1 : 0;
        return there;
    }

    /** Writes a text without its quotes. */
    void bareText() throws IOException {
        expect('"');
        characters();
    }

    /** Reads a key and its colon, and takes it back from the output. */
    String key() throws IOException {
        int start = length;
        text();
        expect(':');
        String key = new String(out, start + 1, length - start - 2, StandardCharsets.UTF_8);
        length = start;
        return key;
    }

    /** Reads a value and writes nothing. */
    void skip() throws IOException {
        int start = length;
        value(1, true);
        length = start;
    }

    /** Writes an item of a list; false, and nothing written, if it is Claude Code's billing header. */
    boolean item() throws IOException {
        int start = length;
        billed = false;
        value(1, false);
        if (billed) {
            length = start;
        }
        return !billed;
    }

    private void value(int depth, boolean opaque) throws IOException {
        switch (peek()) {
            case '"' -> text();
            case '{' -> object(depth, opaque);
            case '[' -> list(depth, opaque);
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void object(int depth, boolean opaque) throws IOException {
        enter(depth);
        boolean empty = true;
        if (!take('}')) {
            do {
                int start = length;
                if (!empty) {
                    put(',');
                }
                int name = length;
                text();
                expect(':');
                boolean mark = !opaque && is(MARK, name);
                boolean below = opaque || isOpaque(name);
                boolean words = depth == 1 && is(TEXT, name);
                put(':');
                int value = length;
                value(depth + 1, below);
                if (words) {
                    billed = starts(BILLING, value);
                }
                if (mark) {
                    length = start;
                } else {
                    empty = false;
                }
            } while (take(','));
            expect('}');
        }
        put('}');
    }

    private void list(int depth, boolean opaque) throws IOException {
        enter(depth);
        if (!take(']')) {
            value(depth + 1, opaque);
            while (take(',')) {
                put(',');
                value(depth + 1, opaque);
            }
            expect(']');
        }
        put(']');
    }

    private void enter(int depth) throws IOException {
        if (depth > MOST_DEPTH) {
            throw new IOException("JSON deeper than " + MOST_DEPTH);
        }
        put((char) in[at++]);
    }

    private void literal(String word) throws IOException {
        for (int i = 0; i < word.length(); i++) {
            if (at >= end || in[at] != word.charAt(i)) {
                throw new IOException("not JSON: no " + word + " at byte " + at);
            }
            put(word.charAt(i));
            at++;
        }
    }

    private void number() throws IOException {
        int start = at;
        boolean whole = true;
        for (; at < end; at++) {
            byte b = in[at];
            if (b == '.' || b == 'e' || b == 'E') {
                whole = false;
            } else if ((b < '0' || b > '9') && b != '-' && b != '+') {
                break;
            }
        }
        String digits = new String(in, start, at - start, StandardCharsets.ISO_8859_1);
        try {
            if (whole && at - start > 18) {
                write(ascii(new java.math.BigInteger(digits).toString()));
            } else {
                write(ascii(
                        whole ? Long.toString(Long.parseLong(digits)) : Double.toString(Double.parseDouble(digits))));
            }
        } catch (NumberFormatException e) {
            throw new IOException("not JSON at byte " + start, e);
        }
    }

    private void text() throws IOException {
        expect('"');
        put('"');
        characters();
        put('"');
    }

    /** Writes the characters of a text and consumes its closing quote. */
    private void characters() throws IOException {
        while (true) {
            int run = at;
            at = plainUntil(at);
            room(at - run);
            System.arraycopy(in, run, out, length, at - run);
            length += at - run;
            if (at >= end || in[at] >= 0 && in[at] < ' ') {
                throw new IOException("not JSON: text without end at byte " + at);
            }
            if (in[at++] == '"') {
                return;
            }
            escape();
        }
    }

    /** First byte from {@code from} on that is a quote, a backslash or a control character. */
    private int plainUntil(int from) {
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            long word = (long) LONGS.get(in, i);
            // High bit set where a byte of the word is zero after the mask, or below a space; a borrow can only add
            // false marks above a true one, so that the lowest mark is right.
            long quote = word ^ ONES * '"';
            long back = word ^ ONES * '\\';
            long found = (quote - ONES & ~quote | back - ONES & ~back | word - ONES * ' ' & ~word) & HIGH;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && in[i] != '"' && in[i] != '\\' && (in[i] < 0 || in[i] >= ' ')) {
            i++;
        }
        return i;
    }

    private void escape() throws IOException {
        byte kind = at < end ? in[at++] : 0;
        switch (kind) {
            case '"', '\\', 'n', 'r', 't', 'b', 'f' -> {
                put('\\');
                put((char) kind);
            }
            case '/' -> put('/');
            case 'u' -> unicode(hex());
            default -> throw new IOException("not JSON: unknown escape at byte " + at);
        }
    }

    private int hex() throws IOException {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < end && in[at] > 0 ? Character.digit(in[at++], 16) : -1;
            if (digit < 0) {
                throw new IOException("not JSON: unknown escape at byte " + at);
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private void unicode(int unit) throws IOException {
        int code = unit;
        if (Character.isHighSurrogate((char) unit) && at + 1 < end && in[at] == '\\' && in[at + 1] == 'u') {
            int before = at;
            at += 2;
            int low = hex();
            if (Character.isLowSurrogate((char) low)) {
                code = Character.toCodePoint((char) unit, (char) low);
            } else {
                at = before;
            }
        }
        int brief = "\"\\\n\r\t\b\f".indexOf(code);
        if (brief >= 0) {
            put('\\');
            put("\"\\nrtbf".charAt(brief));
        } else if (code < ' ') {
            write(new byte[] {'\\', 'u', '0', '0', DIGITS[code >> 4], DIGITS[code & 15]});
        } else {
            // Half a pair becomes a question mark.
            write(Character.toString(code).getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean isOpaque(int name) {
        for (byte[] key : OPAQUE) {
            if (is(key, name)) {
                return true;
            }
        }
        return false;
    }

    private boolean is(byte[] key, int from) {
        return length - from == key.length && starts(key, from);
    }

    private boolean starts(byte[] beginning, int from) {
        return length - from >= beginning.length
                && Arrays.equals(out, from, from + beginning.length, beginning, 0, beginning.length);
    }

    private void put(char c) {
        room(1);
        out[length++] = (byte) c;
    }

    private void room(int more) {
        if (more > out.length - length) {
            out = Arrays.copyOf(out, Math.max(length + more, out.length * 2));
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
