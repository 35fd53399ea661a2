package io.penstock.bindings.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bindings.openai.RequestScan.PromptKind;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads a prompt: a text, a list of token ids, or a list of either.
 *
 * <p><b>Threading:</b> one thread, one use.
 */
final class PromptScan {
    private final JsonParser in;
    private final int bodyLength;
    private final TokenIdList found;
    private PromptKind kind = PromptKind.NONE;
    private int[] tokens;
    private Span text;

    /** {@code found}: ids that the parser does not see, or null. */
    PromptScan(JsonParser in, int bodyLength, TokenIdList found) {
        this.in = in;
        this.found = found;
        this.bodyLength = bodyLength;
    }

    PromptKind kind() {
        return kind;
    }

    /** Token ids, or null. */
    int[] tokens() {
        return tokens;
    }

    /** The text with its quotes, or null. */
    Span text() {
        return text;
    }

    /** Reads the value that the parser has just entered. */
    void read() throws IOException {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            int start = start();
            text = new Span(start, end());
            kind = PromptKind.TEXT;
        } else if (in.currentToken() == JsonToken.START_ARRAY) {
            list();
        } else {
            in.skipChildren();
        }
    }

    /** A list of ids, or a list of prompts; one prompt in a list counts as that prompt. */
    private void list() throws IOException {
        JsonToken first = in.nextToken();
        if (first == JsonToken.VALUE_NUMBER_INT
                && found != null
                && found.startsAt((int) in.currentTokenLocation().getByteOffset())) {
            tokens = found.ids();
            kind = PromptKind.TOKENS;
            next(); // its end
        } else if (first == JsonToken.VALUE_NUMBER_INT) {
            ids();
        } else if (first == JsonToken.START_ARRAY && in.nextToken() == JsonToken.VALUE_NUMBER_INT) {
            ids();
            rest();
        } else if (first == JsonToken.VALUE_STRING) {
            int start = start();
            Span span = new Span(start, end());
            kind = PromptKind.TEXT;
            rest();
            text = kind == PromptKind.TEXT ? span : null;
        } else {
            skipTo(first == JsonToken.START_ARRAY ? 2 : 1);
        }
    }

    /** Reads ids to the end of their list. A list with anything else than 32-bit numbers is not a prompt of ids. */
    private void ids() throws IOException {
        int[] ids = new int[Math.max(16, Math.min(bodyLength / 4, 4_096))];
        int count = 0;
        boolean good = true;
        JsonToken token = in.currentToken();
        while (token != JsonToken.END_ARRAY) {
            if (token == JsonToken.VALUE_NUMBER_INT && in.getNumberType() == JsonParser.NumberType.INT) {
                if (count == ids.length) {
                    ids = Arrays.copyOf(ids, count * 2);
                }
                ids[count++] = in.getIntValue();
            } else {
                good = false;
                in.skipChildren();
            }
            token = next();
        }
        if (good) {
            tokens = Arrays.copyOf(ids, count);
            kind = PromptKind.TOKENS;
        }
    }

    /** Reads to the end of a list of prompts whose first was read; a second one makes it a batch. */
    private void rest() throws IOException {
        while (next() != JsonToken.END_ARRAY) {
            in.skipChildren();
            kind = PromptKind.BATCH;
            tokens = null;
        }
    }

    /** Leaves {@code depth} lists. */
    private void skipTo(int depth) throws IOException {
        int open = depth;
        JsonToken token = in.currentToken();
        while (true) {
            if (token == JsonToken.END_ARRAY) {
                open--;
                if (open == 0) {
                    return;
                }
            } else {
                in.skipChildren();
            }
            token = next();
        }
    }

    private JsonToken next() throws IOException {
        JsonToken token = in.nextToken();
        if (token == null) {
            throw new IOException("unexpected end of body");
        }
        return token;
    }

    private int start() {
        return position(in.currentTokenLocation().getByteOffset());
    }

    private int end() throws IOException {
        in.finishToken();
        return position(in.currentLocation().getByteOffset());
    }

    private int position(long parsed) {
        return found == null ? (int) parsed : found.position((int) parsed);
    }
}
