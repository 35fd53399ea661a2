package io.penstock.dataplane.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes MessagePack as msgspec does: each value in its shortest form, non-negative integers unsigned.
 *
 * <p><b>Threading:</b> owned by one thread. <b>Cost:</b> one array that grows and is reused.
 */
public final class MsgPackWriter {
    private byte[] bytes;
    private int length;

    /** Empty; grows beyond the capacity. */
    public MsgPackWriter(int capacity) {
        bytes = new byte[capacity];
    }

    /** Bytes written. */
    public int length() {
        return length;
    }

    /** The bytes, from 0; until the next write. */
    public byte[] array() {
        return bytes;
    }

    /** Forgets what was written. */
    public void clear() {
        length = 0;
    }

    void nil() {
        put(0xc0);
    }

    void array(int size) {
        if (size < 16) {
            put(0x90 | size);
        } else if (size < 65_536) {
            put(0xdc);
            bigEndian(size, 2);
        } else {
            put(0xdd);
            bigEndian(size, 4);
        }
    }

    /** Begins a map of fewer than 16 entries. */
    public void map(int size) {
        assert size < 16 : "events have few fields";
        put(0x80 | size);
    }

    /** An unsigned 64-bit integer. */
    public void unsigned(long value) {
        if (value >= 0 && value < 128) {
            put((int) value);
        } else if (value >= 0 && value < 256) {
            put(0xcc);
            bigEndian(value, 1);
        } else if (value >= 0 && value < 65_536) {
            put(0xcd);
            bigEndian(value, 2);
        } else if (value >= 0 && value < 1L << 32) {
            put(0xce);
            bigEndian(value, 4);
        } else {
            put(0xcf);
            bigEndian(value, 8);
        }
    }

    /** A double. */
    public void float64(double value) {
        put(0xcb);
        bigEndian(Double.doubleToRawLongBits(value), 8);
    }

    /** A text. */
    public void text(String text) {
        utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A string whose UTF-8 form is at hand. */
    void utf8(byte[] text) {
        if (text.length < 32) {
            put(0xa0 | text.length);
        } else if (text.length < 256) {
            put(0xd9);
            bigEndian(text.length, 1);
        } else if (text.length < 65_536) {
            put(0xda);
            bigEndian(text.length, 2);
        } else {
            put(0xdb);
            bigEndian(text.length, 4);
        }
        raw(text, 0, text.length);
    }

    void binary(byte[] source, int at, int count) {
        assert count < 256 : "digests are short";
        put(0xc4);
        bigEndian(count, 1);
        raw(source, at, count);
    }

    void raw(byte[] source, int at, int count) {
        ensure(count);
        System.arraycopy(source, at, bytes, length, count);
        length += count;
    }

    private void put(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    private void bigEndian(long value, int count) {
        ensure(count);
        for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
