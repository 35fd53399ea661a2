package io.penstock.dataplane.demo;

import io.penstock.dataplane.trace.Prompt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The body of a streaming {@code /v1/completions} call whose prompt is token ids.
 *
 * <p><b>Threading:</b> confined to the thread that makes it.
 */
final class CompletionRequest {
    private static final int LONGEST_TOKEN = 12;

    private byte[] bytes;
    private int length;

    private CompletionRequest(int capacity) {
        bytes = new byte[capacity];
    }

    /** The body; exactly {@code outputTokens} are asked for. */
    static byte[] body(String model, Prompt prompt, int outputTokens) {
        CompletionRequest body = new CompletionRequest(256 + prompt.tokens() * 6);
        body.text("{\"model\":\"" + model + "\",\"prompt\":[");
        for (int i = 0; i < prompt.tokens(); i++) {
            body.number(prompt.token(i), i > 0);
        }
        body.text(
                "],\"max_tokens\":" + outputTokens
                        + ",\"ignore_eos\":true,\"temperature\":0,\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        return Arrays.copyOf(body.bytes, body.length);
    }

    private void text(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.UTF_8);
        ensure(ascii.length);
        System.arraycopy(ascii, 0, bytes, length, ascii.length);
        length += ascii.length;
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
