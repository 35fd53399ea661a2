package io.penstock.dataplane.sinks;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One row of a Dynamo request trace, written once and shared by all sinks.
 *
 * <p><b>Threading:</b> immutable; nobody changes {@link #json}.
 *
 * @param event what it tells
 * @param epochMs time of the event, ms since 1970
 * @param requestId name of the request, or null for tools
 * @param model model asked for, or null where the row does not name it
 * @param endpoint payload rows: the API in Dynamo's words; else null
 * @param payloadComplete payload rows: whether request and answer are in it in full; else null
 * @param payloadDropReason payload rows: why not; or null
 * @param json the bare row, UTF-8, one line without its end
 */
public record DynamoRow(
        DynamoEvent event,
        long epochMs,
        String requestId,
        String model,
        String endpoint,
        Boolean payloadComplete,
        String payloadDropReason,
        byte[] json) {
    private static final byte[] HEAD = "{\"timestamp\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MIDDLE = ",\"event\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = "}\n".getBytes(StandardCharsets.US_ASCII);

    /** Schema that every row names. */
    public static final String SCHEMA = "dynamo.request.trace.v1";

    /** Writes the row as file sinks have it: within its envelope, with the line's end. */
    public void writeLine(OutputStream out, long timestampMs) throws IOException {
        out.write(HEAD);
        out.write(digits(timestampMs));
        out.write(MIDDLE);
        out.write(json);
        out.write(TAIL);
    }

    /** Bytes that {@link #writeLine} writes. */
    public long lineBytes(long timestampMs) {
        return HEAD.length + digits(timestampMs).length + MIDDLE.length + json.length + TAIL.length;
    }

    private static byte[] digits(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
