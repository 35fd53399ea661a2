package io.penstock.dataplane.inputlog;

import java.nio.ByteBuffer;

/**
 * A record read back.
 *
 * <p><b>Threading:</b> immutable but for the body's position.
 *
 * @param kind {@link RecordLayout}
 * @param flags as the kind says
 * @param seq number of the input
 * @param timeNs router's nanoseconds, 0 where it has none
 * @param body little-endian, from its beginning
 */
record InputRecord(int kind, int flags, long seq, long timeNs, ByteBuffer body) {
    boolean isYes() {
        return (flags & RecordLayout.YES) != 0;
    }

    /** Last number left out, of a GAP that begins with {@link #seq}. */
    long gapEnd() {
        return body.getLong(0);
    }
}
