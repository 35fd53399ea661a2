package io.penstock.dataplane.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Puts a record's parts together. What has no begin or no end is left out: its writer was killed within it.
 *
 * <p><b>Threading:</b> one thread.
 */
final class RecordParts {
    private byte[] bytes = new byte[1 << 12];
    private int length;
    private int parts;

    /**
     * Takes a document.
     *
     * @return whether it was the last part of a whole record
     * @throws IllegalStateException if it is of another version
     */
    boolean take(ByteBuffer document) {
        int version = document.get(TraceLayout.VERSION);
        if (version != TraceLayout.VERSION_NOW) {
            throw new IllegalStateException(
                    "record of another version: version=" + version + " expected=" + TraceLayout.VERSION_NOW);
        }
        int flags = document.get(TraceLayout.PART_FLAGS);
        int part = Short.toUnsignedInt(document.getShort(TraceLayout.PART));
        if ((flags & TraceLayout.FIRST) != 0) {
            length = 0;
            parts = 0;
        } else if (part != (parts & 0xFFFF) || parts == 0) {
            parts = 0;
            return false;
        }
        int more = document.limit() - TraceLayout.DOCUMENT_HEADER;
        if (bytes.length < length + more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        document.get(TraceLayout.DOCUMENT_HEADER, bytes, length, more);
        length += more;
        parts++;
        boolean whole = (flags & TraceLayout.LAST) != 0;
        if (whole) {
            parts = 0;
        }
        return whole;
    }

    /** Whether it is amid a record. */
    boolean amid() {
        return parts > 0;
    }

    /** The whole record. */
    TraceDecoder decode() {
        return new TraceDecoder(bytes, length);
    }

    void forget() {
        parts = 0;
    }
}
