package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.Arrays;

/**
 * The bodies of one request, as far as they are to be kept.
 *
 * <p><b>Threading:</b> owned by {@link RequestTrace}'s lock.
 */
final class Payloads {
    private static final int FIRST = 4 << 10;

    private final PayloadCapture capture;
    private byte[] request;
    private byte[] response = {};
    private int responseLength;
    private int charged;

    Payloads(PayloadCapture capture) {
        this.capture = capture;
    }

    /** The client's body, in the first {@code length} bytes; not copied, and not changed by anyone. */
    void request(byte[] bytes, int length) {
        if (length > capture.maxBytes()) {
            capture.dropped(PayloadCapture.Drop.TOO_LARGE);
        } else if (charge(length)) {
            request = bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
        }
    }

    /** Bytes of the answer, as they go to the client. */
    void response(ByteBuf bytes) {
        int count = bytes.readableBytes();
        if (response == null) {
            return;
        }
        if (count > capture.maxBytes() - responseLength) {
            capture.dropped(PayloadCapture.Drop.TOO_LARGE);
            response = null;
            return;
        }
        if (responseLength + count > response.length) {
            int grown = Math.min(
                    capture.maxBytes(), Math.max(Math.max(FIRST, responseLength + count), response.length * 2));
            if (!charge(grown - response.length)) {
                response = null;
                return;
            }
            response = Arrays.copyOf(response, grown);
        }
        bytes.getBytes(bytes.readerIndex(), response, responseLength, count);
        responseLength += count;
    }

    private boolean charge(int bytes) {
        if (!capture.budget().take(bytes)) {
            capture.dropped(PayloadCapture.Drop.BUDGET);
            return false;
        }
        charged += bytes;
        return true;
    }

    /** The request has ended: what there is goes into its record. */
    void into(TraceRecord record, HttpHeaders headers) {
        record.capturedHeaders = capture.kept(headers);
        record.requestPayload = request;
        record.responsePayload =
                response == null || responseLength == 0 ? null : Arrays.copyOf(response, responseLength);
        capture.budget().give(charged);
        charged = 0;
    }
}
