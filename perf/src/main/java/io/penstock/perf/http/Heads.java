package io.penstock.perf.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Heads of HTTP messages, as far as a benchmark needs them. */
final class Heads {
    private static final int END = 0x0d0a0d0a;

    /** The lines of a head, in lower case. */
    record Head(String text) {
        int contentLength() {
            int at = text.indexOf("content-length:");
            return at < 0
                    ? 0
                    : Integer.parseInt(
                            text.substring(at + 15, text.indexOf('\r', at)).trim());
        }

        int status() {
            return Integer.parseInt(text.substring(9, 12));
        }
    }

    private Heads() {}

    /** The next head, or null at the end. */
    static Head read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int tail = 0;
        while (tail != END) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.write(b);
            tail = tail << 8 | b;
        }
        return new Head(head.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
    }
}
