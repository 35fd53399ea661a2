package io.penstock.bindings.kvhint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * {@code kv.fetch@1.0}: another worker holds more of the request's prompt than the one that got it; fetch what is missing.
 *
 * <p>The hashes are what the source's engine calls the prompt's blocks, from the first on; the target decides from which on
 * it fetches.
 *
 * <p><b>Threading:</b> immutable; the hashes are not to be changed.
 *
 * @param sourceControlEndpoint where the source is asked, {@code tcp://host:port}
 * @param blockHashes unsigned, entry i is block i of the request
 */
@SuppressWarnings("ArrayRecordComponent")
public record KvFetch(String sourceControlEndpoint, long[] blockHashes) {
    /** Type of the action. */
    public static final String TYPE = "kv.fetch";

    /** Version of the type. */
    public static final String VERSION = "1.0";

    private static final int MOST_BITS = Long.SIZE;
    private static final int MOST_DIGITS = 20;

    /** Appends the action; nothing is allocated. */
    public static void encode(HintText out, String actionId, String sourceControlEndpoint, long[] hashes, int count) {
        out.beginAction(actionId, TYPE, VERSION);
        out.ascii("{\"source_control_endpoint\":");
        out.string(sourceControlEndpoint);
        out.ascii(",\"block_hashes\":");
        out.beginNumbers();
        for (int i = 0; i < count; i++) {
            out.number(hashes[i]);
        }
        out.endNumbers();
        out.ascii("}");
        out.endAction();
    }

    /**
     * Reads the payload. Hashes may also be decimal texts, as writers send them that fear readers with 53-bit numbers.
     *
     * @throws RefusedHint in one line, when a field is missing or a hash is none
     */
    public static KvFetch decode(HintAction action) throws RefusedHint {
        String endpoint = null;
        long[] hashes = null;
        try (JsonParser in = MessageScan.JSON.createParser(action.payload())) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken token = in.nextToken();
                if (name.equals("source_control_endpoint") && token == JsonToken.VALUE_STRING) {
                    endpoint = in.getText();
                } else if (name.equals("block_hashes") && token == JsonToken.START_ARRAY) {
                    hashes = hashes(in);
                } else {
                    in.skipChildren();
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw RefusedHint.malformed("not read: payload of " + TYPE + " (" + e.getMessage() + ")", null);
        }
        if (endpoint == null || endpoint.isEmpty()) {
            throw RefusedHint.malformed("missing: source_control_endpoint", null);
        }
        if (hashes == null) {
            throw RefusedHint.malformed("missing: block_hashes", null);
        }
        return new KvFetch(endpoint, hashes);
    }

    private static long[] hashes(JsonParser in) throws IOException, RefusedHint {
        long[] hashes = new long[64];
        int count = 0;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, count * 2);
            }
            hashes[count++] = hash(in);
        }
        return Arrays.copyOf(hashes, count);
    }

    private static long hash(JsonParser in) throws IOException, RefusedHint {
        JsonToken token = in.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_STRING) {
            throw RefusedHint.malformed("not a number: block_hashes holds " + token, null);
        }
        if (token == JsonToken.VALUE_NUMBER_INT && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            return positive(in.getLongValue());
        }
        String text = in.getText();
        if (text.length() > MOST_DIGITS) {
            throw RefusedHint.malformed("more than 64 bits: block_hashes", null);
        }
        BigInteger value = new BigInteger(text);
        if (value.signum() < 0 || value.bitLength() > MOST_BITS) {
            throw RefusedHint.malformed("not an unsigned 64-bit number: block_hashes holds " + text, null);
        }
        return value.longValue();
    }

    private static long positive(long value) throws RefusedHint {
        if (value < 0) {
            throw RefusedHint.malformed("not an unsigned 64-bit number: block_hashes holds " + value, null);
        }
        return value;
    }
}
