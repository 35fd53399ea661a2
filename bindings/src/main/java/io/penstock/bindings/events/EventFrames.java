package io.penstock.bindings.events;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The frames around a batch, live or replayed. Whatever stands in front (a topic; the empty delimiter of a replay, with
 * the topic behind it since vLLM 0.26 and SGLang 0.5.22), the last two parts are the sequence number, eight bytes
 * big-endian, and the payload. A replay ends with an empty payload under sequence number -1.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class EventFrames {
    /** Sequence number of what is no frame of this protocol. */
    public static final long BAD = Long.MIN_VALUE;

    /** Sequence number of a replay's end. */
    public static final long REPLAY_END = -1;

    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private EventFrames() {}

    /**
     * Sequence number of a batch.
     *
     * @param bytes array that holds the part before the last
     * @param offset where it begins
     * @param length its bytes
     * @param payloadLength bytes of the last part
     * @return the number, {@link #REPLAY_END} or {@link #BAD}
     */
    public static long sequence(byte[] bytes, int offset, int length, int payloadLength) {
        if (length != Long.BYTES) {
            return BAD;
        }
        long sequence = (long) U64.get(bytes, offset);
        if (sequence == REPLAY_END) {
            return payloadLength == 0 ? REPLAY_END : BAD;
        }
        return sequence < 0 || payloadLength == 0 ? BAD : sequence;
    }

    /** The second part of a replay request (the first is empty): everything from this sequence number on. */
    public static byte[] replayRequest(long fromSequence) {
        byte[] request = new byte[Long.BYTES];
        U64.set(request, 0, fromSequence);
        return request;
    }
}
