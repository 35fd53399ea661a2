package io.penstock.bindings.openai;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A long list of token ids, found and read before the rest of a body: such lists are most of what agents' clients send
 * when they tokenise themselves, and a JSON parser takes five times as long over them.
 *
 * <p>Only lists of plain numbers are taken. Where the list stands in the body is not known: {@link #rest} is the body with
 * one number left in the list, for a parser that tells; positions in it become the body's by {@link #position}.
 *
 * <p><b>Threading:</b> immutable.
 */
final class TokenIdList {
    private static final int LEAST_BYTES = 256;
    private static final int MOST_DIGITS = 11;
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] PROMPT = "\"prompt\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TOKEN_DATA = "\"token_data\"".getBytes(StandardCharsets.US_ASCII);

    /** Messages' ids are looked for at the body's beginning only: most bodies have none, and are long. */
    private static final int HEAD_BYTES = 64;

    private static final byte[] INPUT = "\"input\"".getBytes(StandardCharsets.US_ASCII);

    private final byte[] body;
    private final int offset;
    private final int length;
    /** First digit and closing bracket, from the body's first byte. */
    private final int from;

    private final int to;
    private final int[] ids;

    private TokenIdList(byte[] body, int offset, int length, int from, int to, int[] ids) {
        this.body = body;
        this.offset = offset;
        this.length = length;
        this.from = from;
        this.to = to;
        this.ids = ids;
    }

    /** The first list of ids behind the API's key for them, at whatever depth; null where there is none worth it. */
    static TokenIdList find(ApiKind kind, byte[] body, int offset, int length) {
        byte[] key = kind == ApiKind.COMPLETIONS ? PROMPT : kind == ApiKind.EMBEDDINGS ? INPUT : TOKEN_DATA;
        int end = offset + length;
        int keyEnd = key == TOKEN_DATA ? Math.min(end, offset + HEAD_BYTES) : end;
        int at = length < LEAST_BYTES ? -1 : indexOf(key, body, offset, keyEnd);
        if (at < 0) {
            return null;
        }
        at = skipSpace(body, at + key.length, end);
        if (at >= end || body[at] != ':') {
            return null;
        }
        at = skipSpace(body, at + 1, end);
        if (at >= end || body[at] != '[') {
            return null;
        }
        return read(body, offset, length, skipSpace(body, at + 1, end));
    }

    private static TokenIdList read(byte[] body, int offset, int length, int first) {
        int end = offset + length;
        int[] ids = new int[Math.max(16, (end - first) / 6)];
        int count = 0;
        int i = first;
        while (true) {
            int start = i;
            long word = i + Long.BYTES <= end ? (long) LONGS.get(body, i) : 0;
            int digits = digits(word);
            long id = 0;
            if (digits > 0 && digits < Long.BYTES) {
                id = number(word << (Long.SIZE - Byte.SIZE * digits));
                i += digits;
            } else {
                while (i < end && body[i] >= '0' && body[i] <= '9' && i - start < MOST_DIGITS) {
                    id = id * 10 + body[i++] - '0';
                }
            }
            boolean number = i > start && id <= Integer.MAX_VALUE && (body[start] != '0' || i == start + 1);
            if (!number) {
                return null;
            }
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, count * 2);
            }
            ids[count++] = (int) id;
            if (i < end && body[i] != ',') {
                i = skipSpace(body, i, end);
            }
            if (i >= end) {
                return null;
            }
            if (body[i] == ']') {
                return i - first < LEAST_BYTES
                        ? null
                        : new TokenIdList(body, offset, length, first - offset, i - offset, Arrays.copyOf(ids, count));
            }
            if (body[i] != ',') {
                return null;
            }
            i = skipSpace(body, i + 1, end);
        }
    }

    /** Bytes at the beginning of the word (little-endian) that are digits. */
    private static int digits(long word) {
        long value = word ^ ONES * '0';
        // Above nine a value reaches the high bit with 0x76 added.
        long others = (((value & ONES * 0x7f) + ONES * 0x76) | value) & HIGH_BITS;
        return Long.numberOfTrailingZeros(others) >>> 3;
    }

    /**
     * Eight digits, the first in the lowest byte; a zero byte is no digit. Pairs, then fours, then all are joined.
     * NOTE(perf): lists of ids have numbers of random length; a loop over digits mispredicts at each one's end.
     */
    private static long number(long word) {
        long pairs = (word & ONES * 0x0f) * 2_561 >>> 8;
        long fours = (pairs & 0x00ff_00ff_00ff_00ffL) * 6_553_601 >>> 16;
        return (fours & 0x0000_ffff_0000_ffffL) * 42_949_672_960_001L >>> 32;
    }

    private static int indexOf(byte[] key, byte[] body, int offset, int end) {
        for (int i = offset; i <= end - key.length; i++) {
            if (body[i] == '"' && Arrays.equals(body, i, i + key.length, key, 0, key.length)) {
                return i;
            }
        }
        return -1;
    }

    private static int skipSpace(byte[] body, int from, int end) {
        int i = from;
        while (i < end && (body[i] == ' ' || body[i] == '\n' || body[i] == '\r' || body[i] == '\t')) {
            i++;
        }
        return i;
    }

    /** The body with {@code 0} in place of the ids. */
    byte[] rest() {
        byte[] rest = new byte[from + 1 + length - to];
        System.arraycopy(body, offset, rest, 0, from);
        rest[from] = '0';
        System.arraycopy(body, offset + to, rest, from + 1, length - to);
        return rest;
    }

    /** Position in the body of a position in the rest. */
    int position(int inRest) {
        return inRest <= from ? inRest : inRest + to - from - 1;
    }

    /** Whether a number that starts at this position of the rest stands for the ids. */
    boolean startsAt(int inRest) {
        return inRest == from;
    }

    /** The ids; not to be changed. */
    int[] ids() {
        return ids;
    }
}
