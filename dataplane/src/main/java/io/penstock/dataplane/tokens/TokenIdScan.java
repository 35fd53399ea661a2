package io.penstock.dataplane.tokens;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds token ids at the top level of a body, without building anything else: bodies of ids may hold hundreds of
 * thousands.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TokenIdScan {
    private static final JsonFactory JSON = new JsonFactory();

    private TokenIdScan() {}

    /**
     * The ids in the first of the named fields that holds an array of integers (or an array of one such array), or null.
     *
     * @throws IOException if the body is not JSON
     */
    static int[] find(byte[] body, int offset, int length, String... fields) throws IOException {
        try (JsonParser p = JSON.createParser(body, offset, length)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            int[] found = null;
            while (p.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = Arrays.asList(fields).contains(p.currentName());
                JsonToken value = p.nextToken();
                if (wanted && value == JsonToken.START_ARRAY) {
                    int[] ids = ids(p);
                    found = found == null ? ids : found;
                } else {
                    p.skipChildren();
                }
            }
            return found;
        }
    }

    /** Reads the array to its end; null if it holds anything but ids. */
    private static int[] ids(JsonParser p) throws IOException {
        int[] out = new int[256];
        int n = 0;
        boolean good = true;
        int depth = 1;
        int inner = 0;
        while (depth > 0) {
            JsonToken t = p.nextToken();
            if (t == null) {
                throw new IOException("array without end");
            }
            if (t.isStructStart()) {
                depth++;
                inner++;
                good &= t == JsonToken.START_ARRAY && depth == 2 && inner == 1 && n == 0;
            } else if (t.isStructEnd()) {
                depth--;
            } else if (t == JsonToken.VALUE_NUMBER_INT && good && (inner == 0 || depth == 2)) {
                long id = p.getNumberType() == JsonParser.NumberType.INT ? p.getIntValue() : -1;
                good = id >= 0;
                if (n == out.length) {
                    out = Arrays.copyOf(out, n * 2);
                }
                out[n++] = (int) id;
            } else {
                good = false;
            }
        }
        return good && n > 0 ? Arrays.copyOf(out, n) : null;
    }
}
