package io.penstock.bindings.zmq;

import java.util.Arrays;

/**
 * A multi-part message in one reused array: parts one after the other.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> grows to the largest message, nothing after that.
 */
public final class ZmqMessage {
    private static final int MAX_PARTS = 8;

    private final int[] ends = new int[MAX_PARTS];
    private final int maxBytes;
    private byte[] bytes = new byte[4096];
    private int parts;
    private boolean intact = true;

    /** Takes messages of at most {@code maxBytes} bytes over all parts, and of at most eight parts. */
    public ZmqMessage(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Forgets all parts. */
    public void clear() {
        parts = 0;
        intact = true;
    }

    /**
     * Makes room for a part; for transports. A part that does not fit leaves a mark, see {@link #intact}.
     *
     * @return where to write it, or -1 if it does not fit
     */
    public int append(long length) {
        int start = start(parts);
        if (parts == MAX_PARTS || length > maxBytes - start) {
            intact = false;
            return -1;
        }
        int end = start + (int) length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, Math.max(end, 2L * bytes.length)));
        }
        ends[parts++] = end;
        return start;
    }

    /** Becomes a copy of another message. */
    public void copyOf(ZmqMessage other) {
        clear();
        for (int i = 0; i < other.parts; i++) {
            int at = append(other.length(i));
            if (at >= 0) {
                System.arraycopy(other.bytes, other.start(i), bytes, at, other.length(i));
            }
        }
        intact &= other.intact;
    }

    /** Whether all parts of the message are here. */
    public boolean intact() {
        return intact;
    }

    /** Number of parts. */
    public int parts() {
        return parts;
    }

    /** The array that holds all parts; replaced when it grows. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where part {@code i} begins. */
    public int start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    /** Bytes of part {@code i}. */
    public int length(int i) {
        return ends[i] - start(i);
    }
}
