package io.penstock.dataplane.hashing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes what vLLM hashes of a block, {@code (parent, tokens, extra)}, as bytes: canonical CBOR, or what Python's pickle
 * makes of it in protocol 5. Tokens are not negative, so both are plain.
 *
 * <p><b>Threading:</b> owned by the caller; grows once.
 */
final class ChunkCode {
    private static final String SALT = "cache_salt";
    private static final int FRAME_HEAD = 11;

    private final boolean pickle;
    private byte[] bytes = new byte[512];
    private int length;

    ChunkCode(boolean pickle) {
        this.pickle = pickle;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** The text alone. */
    void text(String text) {
        begin();
        putText(text);
        end();
    }

    /**
     * A block.
     *
     * @param parent hash before it
     * @param salt of the first block, else null
     */
    void block(byte[] parent, int[] tokens, int from, int count, String salt) {
        begin();
        room(64 + parent.length + 5 * count);
        if (pickle) {
            pickled(parent, tokens, from, count, salt);
        } else {
            cbor(parent, tokens, from, count, salt);
        }
        end();
    }

    private void begin() {
        length = pickle ? FRAME_HEAD : 0;
    }

    /** A pickle's frame says its length, which is known at its end. */
    private void end() {
        if (!pickle) {
            return;
        }
        room(1);
        put('.');
        bytes[0] = (byte) 0x80;
        bytes[1] = 5;
        bytes[2] = (byte) 0x95;
        int frame = length - FRAME_HEAD;
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[3 + i] = i < Integer.BYTES ? (byte) (frame >>> 8 * i) : 0;
        }
    }

    private void cbor(byte[] parent, int[] tokens, int from, int count, String salt) {
        head(0x80, 3);
        head(0x40, parent.length);
        putAll(parent);
        head(0x80, count);
        for (int i = from; i < from + count; i++) {
            head(0, tokens[i]);
        }
        if (salt == null) {
            put(0xf6);
            return;
        }
        head(0x80, 1);
        head(0x80, 2);
        putText(SALT);
        putText(salt);
    }

    private void head(int major, int value) {
        if (value < 24) {
            put(major | value);
        } else if (value < 1 << 8) {
            put(major | 24);
            put(value);
        } else if (value < 1 << 16) {
            put(major | 25);
            put(value >>> 8);
            put(value);
        } else {
            put(major | 26);
            put(value >>> 24);
            put(value >>> 16);
            put(value >>> 8);
            put(value);
        }
    }

    private void pickled(byte[] parent, int[] tokens, int from, int count, String salt) {
        put('C');
        put(parent.length);
        putAll(parent);
        remember();
        if (count > 3) {
            put('(');
        }
        for (int i = from; i < from + count; i++) {
            pickledInt(tokens[i]);
        }
        tuple(count);
        if (salt == null) {
            put('N');
        } else {
            putText(SALT);
            putText(salt);
            tuple(2);
            tuple(1);
        }
        tuple(3);
    }

    private void pickledInt(int value) {
        int width = value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : 4;
        put(width == 1 ? 'K' : width == 2 ? 'M' : 'J');
        for (int i = 0; i < width; i++) {
            put(value >>> 8 * i);
        }
    }

    private void tuple(int count) {
        put(count > 3 ? 't' : 0x84 + count);
        remember();
    }

    private void remember() {
        put(0x94);
    }

    private void putText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        room(16 + utf8.length);
        if (!pickle) {
            head(0x60, utf8.length);
            putAll(utf8);
            return;
        }
        put(utf8.length < 1 << 8 ? 0x8c : 'X');
        put(utf8.length);
        for (int i = 1; i < Integer.BYTES && utf8.length >= 1 << 8; i++) {
            put(utf8.length >>> 8 * i);
        }
        putAll(utf8);
        remember();
    }

    private void putAll(byte[] all) {
        room(16 + all.length);
        System.arraycopy(all, 0, bytes, length, all.length);
        length += all.length;
    }

    private void put(int b) {
        bytes[length++] = (byte) b;
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
