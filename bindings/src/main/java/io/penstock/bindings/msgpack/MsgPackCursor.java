package io.penstock.bindings.msgpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Walks MessagePack in a byte array without making objects. Source: the MessagePack specification.
 *
 * <p>Nothing throws on data. The first thing that does not fit (truncated, another type than asked for, a length beyond
 * the end) puts the cursor in a failed state that sticks until {@link #wrap}: every read then answers zero or -1 and
 * moves nothing. Nesting costs no stack, since {@link #skip} counts instead of recursing; announced lengths are held
 * against the bytes left before anyone loops over them.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> no allocation.
 */
public final class MsgPackCursor {
    /** Type of the next value: none, because the input is at its end or the cursor has failed. */
    public static final int NONE = 0;

    /** Type: nil. */
    public static final int NIL = 1;

    /** Type: true or false. */
    public static final int BOOL = 2;

    /** Type: a whole number. */
    public static final int INT = 3;

    /** Type: float 32 or 64. */
    public static final int FLOAT = 4;

    /** Type: text. */
    public static final int STR = 5;

    /** Type: bytes. */
    public static final int BIN = 6;

    /** Type: array. */
    public static final int ARRAY = 7;

    /** Type: map. */
    public static final int MAP = 8;

    /** Type: extension. */
    public static final int EXT = 9;

    private static final VarHandle U16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private boolean failed;
    private int valueOffset;

    /** Starts at {@code offset}; an impossible range is a failed cursor. */
    public MsgPackCursor wrap(byte[] source, int offset, int length) {
        bytes = source;
        failed = offset < 0 || length < 0 || length > source.length - offset;
        at = failed ? 0 : offset;
        end = failed ? 0 : offset + length;
        valueOffset = at;
        return this;
    }

    /** Whether something did not fit since {@link #wrap}. */
    public boolean failed() {
        return failed;
    }

    /** Position of the next value in the array. */
    public int position() {
        return at;
    }

    /** Continues at a position that this cursor has answered before. */
    public void position(int position) {
        at = position;
    }

    /** Whether all input was read. */
    public boolean atEnd() {
        return at == end;
    }

    /** Where the bytes of the last text or binary value begin. */
    public int valueOffset() {
        return valueOffset;
    }

    /** Type of the next value; reads nothing. */
    public int type() {
        if (failed || at >= end) {
            return NONE;
        }
        return typeOf(bytes[at] & 0xff);
    }

    private static int typeOf(int tag) {
        if (tag < 0x80 || tag >= 0xe0) {
            return INT;
        }
        if (tag < 0x90) {
            return MAP;
        }
        if (tag < 0xa0) {
            return ARRAY;
        }
        if (tag < 0xc0) {
            return STR;
        }
        return switch (tag) {
            case 0xc0 -> NIL;
            case 0xc2, 0xc3 -> BOOL;
            case 0xc4, 0xc5, 0xc6 -> BIN;
            case 0xc7, 0xc8, 0xc9, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> EXT;
            case 0xca, 0xcb -> FLOAT;
            case 0xd9, 0xda, 0xdb -> STR;
            case 0xdc, 0xdd -> ARRAY;
            case 0xde, 0xdf -> MAP;
            case 0xc1 -> NONE;
            default -> INT;
        };
    }

    /** Reads nil if it is next. */
    public boolean readNil() {
        if (type() != NIL) {
            return false;
        }
        at++;
        return true;
    }

    /** Reads a truth value. */
    public boolean readBool() {
        if (type() != BOOL) {
            fail();
            return false;
        }
        return bytes[at++] == (byte) 0xc3;
    }

    /** Reads a whole number as its raw 64 bits: uint64 above {@link Long#MAX_VALUE} comes out negative. */
    public long readInt() {
        if (type() != INT) {
            return fail();
        }
        int tag = bytes[at];
        if (tag >= -32) {
            at++;
            return tag;
        }
        return switch (tag & 0xff) {
            case 0xcc -> fixed(1) ? bytes[at - 1] & 0xffL : 0;
            case 0xcd -> fixed(2) ? (short) U16.get(bytes, at - 2) & 0xffffL : 0;
            case 0xce -> fixed(4) ? (int) U32.get(bytes, at - 4) & 0xffff_ffffL : 0;
            case 0xcf, 0xd3 -> fixed(8) ? (long) U64.get(bytes, at - 8) : 0;
            case 0xd0 -> fixed(1) ? bytes[at - 1] : 0;
            case 0xd1 -> fixed(2) ? (short) U16.get(bytes, at - 2) : 0;
            case 0xd2 -> fixed(4) ? (int) U32.get(bytes, at - 4) : 0;
            default -> fail();
        };
    }

    /** Whether the next number is an unsigned 64-bit one; such a number may lie above {@link Long#MAX_VALUE}. */
    public boolean isUnsigned64() {
        return !failed && at < end && bytes[at] == (byte) 0xcf;
    }

    /** Reads a float of either width, or a whole number, as the raw bits of a double. */
    public long readDoubleBits() {
        if (type() == INT) {
            boolean unsigned = isUnsigned64();
            long value = readInt();
            double wide = unsigned && value < 0 ? (value >>> 1) * 2.0 : value;
            return Double.doubleToRawLongBits(wide);
        }
        if (type() != FLOAT) {
            return fail();
        }
        if (bytes[at] == (byte) 0xca) {
            return fixed(4) ? Double.doubleToRawLongBits(Float.intBitsToFloat((int) U32.get(bytes, at - 4))) : 0;
        }
        return fixed(8) ? (long) U64.get(bytes, at - 8) : 0;
    }

    /**
     * Reads text; its bytes begin at {@link #valueOffset}.
     *
     * @return length in bytes, or -1
     */
    public int readString() {
        if (type() != STR) {
            fail();
            return -1;
        }
        int tag = bytes[at] & 0xff;
        return tag < 0xc0 ? body(tag & 0x1f, 1) : sized(tag - 0xd9);
    }

    /**
     * Reads bytes; they begin at {@link #valueOffset}.
     *
     * @return length, or -1
     */
    public int readBinary() {
        if (type() != BIN) {
            fail();
            return -1;
        }
        return sized((bytes[at] & 0xff) - 0xc4);
    }

    /**
     * Enters an array.
     *
     * @return number of elements, or -1
     */
    public int readArray() {
        if (type() != ARRAY) {
            fail();
            return -1;
        }
        int tag = bytes[at] & 0xff;
        return tag < 0xa0 ? items(tag & 0x0f, 1, 1) : items(length(tag - 0xdc + 1), tag == 0xdc ? 3 : 5, 1);
    }

    /**
     * Enters a map.
     *
     * @return number of pairs, or -1
     */
    public int readMap() {
        if (type() != MAP) {
            fail();
            return -1;
        }
        int tag = bytes[at] & 0xff;
        return tag < 0x90 ? items(tag & 0x0f, 1, 2) : items(length(tag - 0xde + 1), tag == 0xde ? 3 : 5, 2);
    }

    /** Steps over the next value, whatever it holds. */
    public boolean skip() {
        long left = 1;
        while (left > 0) {
            left--;
            switch (type()) {
                case NIL, BOOL -> at++;
                case INT -> readInt();
                case FLOAT -> readDoubleBits();
                case STR -> readString();
                case BIN -> readBinary();
                case EXT -> skipExtension();
                case ARRAY -> left += Math.max(0, readArray());
                case MAP -> left += 2L * Math.max(0, readMap());
                default -> fail();
            }
            if (failed) {
                return false;
            }
        }
        return true;
    }

    private void skipExtension() {
        int tag = bytes[at] & 0xff;
        if (tag >= 0xd4) {
            body(1 + (1 << (tag - 0xd4)), 1);
            return;
        }
        int width = tag - 0xc7;
        long length = length(width);
        body(length < 0 ? -1 : length + 1, 1 + (1 << width));
    }

    /** A length of 1, 2 or 4 bytes behind the tag, by width 0, 1, 2; -1 if it is cut off. */
    private long length(int width) {
        if (end - at < 1 + (1 << width)) {
            return -1;
        }
        return switch (width) {
            case 0 -> bytes[at + 1] & 0xffL;
            case 1 -> (short) U16.get(bytes, at + 1) & 0xffffL;
            default -> (int) U32.get(bytes, at + 1) & 0xffff_ffffL;
        };
    }

    private int sized(int width) {
        return body(length(width), 1 + (1 << width));
    }

    private int body(long length, int header) {
        if (length < 0 || length > (long) end - at - header) {
            fail();
            return -1;
        }
        valueOffset = at + header;
        at = valueOffset + (int) length;
        return (int) length;
    }

    /** Every element takes a byte at least, so a count beyond the bytes left is a lie. */
    private int items(long count, int header, int perItem) {
        if (count < 0 || count * perItem > (long) end - at - header) {
            fail();
            return -1;
        }
        at += header;
        return (int) count;
    }

    private boolean fixed(int width) {
        if (end - at < 1 + width) {
            fail();
            return false;
        }
        at += 1 + width;
        return true;
    }

    private long fail() {
        failed = true;
        return 0;
    }
}
