package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * A body with fields of the router's at its end, where they also win over earlier ones of that name.
 *
 * <p><b>Threading:</b> stateless. <b>Cost:</b> the body is not copied.
 */
final class EngineBody {
    private static final byte[] HINT_BEGIN = "\"kv_transfer_params\":{\"kv_hint\":".getBytes(StandardCharsets.US_ASCII);

    private EngineBody() {}

    /**
     * The body with the fields; as it is where it does not end as an object does.
     *
     * @param fields name and value each, JSON; null for none
     */
    static ByteBuf with(byte[] body, int length, byte[]... fields) {
        ByteBuf all = Unpooled.wrappedBuffer(body, 0, length);
        int brace = lastBefore(body, length);
        if (brace < 0 || body[brace] != '}') {
            return all;
        }
        int before = lastBefore(body, brace);
        boolean first = before >= 0 && body[before] == '{';
        ByteBuf added = Unpooled.EMPTY_BUFFER;
        for (byte[] field : fields) {
            if (field != null) {
                ByteBuf next = Unpooled.wrappedBuffer(field);
                added = first
                        ? Unpooled.wrappedBuffer(added, next)
                        : Unpooled.wrappedBuffer(added, Unpooled.wrappedBuffer(new byte[] {','}), next);
                first = false;
            }
        }
        if (!added.isReadable()) {
            return all;
        }
        return Unpooled.wrappedBuffer(
                Unpooled.wrappedBuffer(body, 0, brace), added, Unpooled.wrappedBuffer(body, brace, length - brace));
    }

    /** The field in which Dynamo's workers look for a hint, or null without one. */
    static byte[] hintField(byte[] hint) {
        if (hint == null) {
            return null;
        }
        byte[] field = new byte[HINT_BEGIN.length + hint.length + 1];
        System.arraycopy(HINT_BEGIN, 0, field, 0, HINT_BEGIN.length);
        System.arraycopy(hint, 0, field, HINT_BEGIN.length, hint.length);
        field[field.length - 1] = '}';
        return field;
    }

    /** The last byte before {@code end} that is no space, or -1. */
    private static int lastBefore(byte[] body, int end) {
        int at = end - 1;
        while (at >= 0 && body[at] <= ' ' && body[at] >= 0) {
            at--;
        }
        return at;
    }
}
