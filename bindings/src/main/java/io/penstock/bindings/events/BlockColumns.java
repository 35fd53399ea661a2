package io.penstock.bindings.events;

import io.penstock.bindings.msgpack.MsgPackCursor;

/**
 * The long lists of an event: hashes, tokens, copies left.
 *
 * <p><b>Threading:</b> owned by its cursor. <b>Cost:</b> grows to the largest event, bounded by the bytes of its payload.
 */
final class BlockColumns {
    long[] hashes = new long[64];
    int[] copies = new int[64];
    int[] tokens = new int[1024];
    int count;
    int copyCount;
    int tokenCount;

    /** Tokens are pairs. */
    boolean pairs;

    /** Some tokens are texts. */
    boolean texts;

    /** A value was not what it should be. */
    boolean malformed;

    private final MsgPackCursor in;
    private final EventBatchCursor engine;

    BlockColumns(MsgPackCursor in, EventBatchCursor engine) {
        this.in = in;
        this.engine = engine;
    }

    void forget() {
        count = 0;
        copyCount = 0;
        tokenCount = 0;
        pairs = false;
        texts = false;
        malformed = false;
    }

    private boolean broken() {
        return malformed || in.failed();
    }

    /** Reads one hash, a number or bytes. */
    long readHash(byte[] bytes) {
        if (in.type() == MsgPackCursor.BIN) {
            int length = in.readBinary();
            if (length >= Long.BYTES) {
                return engine.hashOfBytes(bytes, in.valueOffset(), length);
            }
            malformed = true;
            return 0;
        }
        return in.readInt();
    }

    /** Reads a number from 0 to {@code max}. */
    int readSmall(int max) {
        long value = in.readInt();
        malformed |= value < 0 || value > max;
        return (int) value;
    }

    void readHashes(byte[] bytes) {
        int length = Math.max(0, in.readArray());
        if (length > hashes.length) {
            hashes = new long[grown(length)];
        }
        for (int i = 0; i < length && !broken(); i++) {
            hashes[i] = readHash(bytes);
        }
        count = length;
    }

    void readCopies() {
        int length = Math.max(0, in.readArray());
        if (length > copies.length) {
            copies = new int[grown(length)];
        }
        for (int i = 0; i < length && !broken(); i++) {
            copies[i] = readSmall(Integer.MAX_VALUE);
        }
        copyCount = length;
    }

    void readTokens() {
        int length = Math.max(0, in.readArray());
        pairs = length > 0 && in.type() == MsgPackCursor.ARRAY;
        int perToken = pairs ? 2 : 1;
        if ((long) length * perToken > tokens.length) {
            tokens = new int[grown(length * perToken)];
        }
        int at = 0;
        for (int i = 0; i < length && !broken(); i++) {
            if (in.type() == MsgPackCursor.STR) {
                texts = true;
                in.skip();
                continue;
            }
            malformed |= pairs && in.readArray() != 2;
            for (int j = 0; j < perToken && !broken(); j++) {
                long token = in.readInt();
                malformed |= token < 0 || token > 0xffff_ffffL;
                tokens[at++] = (int) token;
            }
        }
        tokenCount = length;
    }

    private static int grown(int needed) {
        return Math.max(needed, (int) Math.min(1L << 24, 2L * needed));
    }
}
