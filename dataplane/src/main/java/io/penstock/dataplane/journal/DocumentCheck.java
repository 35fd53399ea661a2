package io.penstock.dataplane.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Whether a document is one of ours, whole.
 *
 * <p><b>Threading:</b> one thread.
 */
final class DocumentCheck {
    private final CRC32C crc = new CRC32C();

    boolean sound(ByteBuffer document) {
        int length = document.limit();
        if (length < TraceLayout.DOCUMENT_HEADER || document.getInt(TraceLayout.LENGTH) != length) {
            return false;
        }
        crc.reset();
        crc.update(document.slice(TraceLayout.VERSION, length - TraceLayout.VERSION));
        return (int) crc.getValue() == document.getInt(TraceLayout.CRC);
    }
}
