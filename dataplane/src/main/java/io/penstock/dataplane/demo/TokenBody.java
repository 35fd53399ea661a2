package io.penstock.dataplane.demo;

import io.penstock.dataplane.trace.Prompt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A request's JSON, most of which is token ids.
 *
 * <p><b>Threading:</b> confined to the thread that makes it.
 */
final class TokenBody {
    private static final int LONGEST_TOKEN = 12;

    private byte[] bytes;
    private int length;

    /** Empty, with room for a prompt. */
    TokenBody(Prompt prompt) {
        bytes = new byte[512 + prompt.tokens() * 6];
    }

    /** Adds JSON as it stands. */
    TokenBody json(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ensure(utf8.length);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
        return this;
    }

    /** Adds the prompt's ids as a list. */
    TokenBody ids(Prompt prompt) {
        json("[");
        for (int i = 0; i < prompt.tokens(); i++) {
            number(prompt.token(i), i > 0);
        }
        return json("]");
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void number(int value, boolean comma) {
        ensure(LONGEST_TOKEN);
        if (comma) {
            bytes[length++] = ',';
        }
        int digits = 1;
        for (int rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int rest = value;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
