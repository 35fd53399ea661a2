package io.penstock.dataplane.journal;

/**
 * UTF-8 of a text, character by character, so that none of it is copied. An unpaired surrogate becomes a question mark, as
 * in Java.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Utf8 {
    private Utf8() {}

    /** Bytes of the text. */
    static int length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            int point = pointAt(text, i);
            if (point >= 0x10000) {
                bytes += 4;
                i++;
            } else {
                bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }

    /** Code point at {@code i}; two characters where it is 0x10000 or more. */
    static int pointAt(String text, int i) {
        char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return c;
        }
        if (Character.isHighSurrogate(c) && i + 1 < text.length()) {
            char low = text.charAt(i + 1);
            if (Character.isLowSurrogate(low)) {
                return Character.toCodePoint(c, low);
            }
        }
        return '?';
    }
}
