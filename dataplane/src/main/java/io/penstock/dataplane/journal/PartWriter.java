package io.penstock.dataplane.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writes numbers, texts and bytes into documents of bounded length; what does not fit goes on in the next one.
 *
 * <p>Allocates nothing.
 *
 * <p><b>Threading:</b> one thread.
 */
final class PartWriter {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] document = new byte[TraceLayout.MAX_DOCUMENT_BYTES];
    private final CRC32C crc = new CRC32C();
    private Documents to;
    private int at;
    private int part;
    private long bytes;

    /** Begins a record. */
    void begin(Documents documents) {
        to = documents;
        at = TraceLayout.DOCUMENT_HEADER;
        part = 0;
        bytes = 0;
    }

    /** Ends it; bytes of all its documents. */
    long end() {
        flush(TraceLayout.LAST);
        return bytes;
    }

    private void flush(int last) {
        INT.set(document, TraceLayout.LENGTH, at);
        document[TraceLayout.VERSION] = TraceLayout.VERSION_NOW;
        document[TraceLayout.PART_FLAGS] = (byte) (last | (part == 0 ? TraceLayout.FIRST : 0));
        SHORT.set(document, TraceLayout.PART, (short) part);
        crc.reset();
        crc.update(document, TraceLayout.VERSION, at - TraceLayout.VERSION);
        INT.set(document, TraceLayout.CRC, (int) crc.getValue());
        to.write(document, at);
        bytes += at;
        part++;
        at = TraceLayout.DOCUMENT_HEADER;
    }

    private void room(int needed) {
        if (document.length - at < needed) {
            flush(0);
        }
    }

    void u8(int value) {
        room(1);
        document[at++] = (byte) value;
    }

    void i32(int value) {
        room(4);
        INT.set(document, at, value);
        at += 4;
    }

    void i64(long value) {
        room(8);
        LONG.set(document, at, value);
        at += 8;
    }

    void f64(double value) {
        i64(Double.doubleToRawLongBits(value));
    }

    /** Seven bits a byte, the lowest first; a set top bit says that more follow. */
    void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            u8((int) rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        u8((int) rest);
    }

    /** Length plus one, then the bytes; 0 for null. */
    void bytes(byte[] value) {
        if (value == null) {
            u8(0);
            return;
        }
        varint(value.length + 1L);
        int from = 0;
        while (from < value.length) {
            room(1);
            int step = Math.min(value.length - from, document.length - at);
            System.arraycopy(value, from, document, at, step);
            at += step;
            from += step;
        }
    }

    /** The same with a text in UTF-8. */
    void text(String value) {
        if (value == null) {
            u8(0);
            return;
        }
        int length = value.length();
        if (length < 0x7F && document.length - at > length) {
            if (ascii(value, length)) {
                return;
            }
        }
        varint(Utf8.length(value) + 1L);
        for (int i = 0; i < length; i++) {
            int point = Utf8.pointAt(value, i);
            if (point >= 0x10000) {
                i++;
            }
            encode(point);
        }
    }

    /** Most texts: short and plain. False, and nothing written, if it is not. */
    private boolean ascii(String value, int length) {
        byte[] out = document;
        int begin = at + 1;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return false;
            }
            out[begin + i] = (byte) c;
        }
        out[at] = (byte) (length + 1);
        at = begin + length;
        return true;
    }

    private void encode(int point) {
        if (point < 0x80) {
            u8(point);
        } else if (point < 0x800) {
            u8(0xC0 | point >> 6);
            u8(0x80 | point & 0x3F);
        } else if (point < 0x10000) {
            u8(0xE0 | point >> 12);
            u8(0x80 | point >> 6 & 0x3F);
            u8(0x80 | point & 0x3F);
        } else {
            u8(0xF0 | point >> 18);
            u8(0x80 | point >> 12 & 0x3F);
            u8(0x80 | point >> 6 & 0x3F);
            u8(0x80 | point & 0x3F);
        }
    }
}
