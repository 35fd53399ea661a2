package io.penstock.dataplane.engine;

/**
 * Text to tokens and back: one byte, one token, and the ChatML marks; ids as in the tiny test model's vocabulary
 * without its merges.
 *
 * <p>Ids 0 to 2 are {@code <|endoftext|>}, {@code <|im_start|>}, {@code <|im_end|>}; 3 to 258 the bytes in the order of
 * the byte-level BPE alphabet.
 * Rendering, {@code /tokenize} and serving share this class, so their tokens agree.
 *
 * <p><b>Threading:</b> immutable.
 */
final class SimTokenizer {
    static final int END_OF_TEXT = 0;
    static final int IM_START = 1;
    static final int IM_END = 2;
    private static final int FIRST_BYTE = 3;
    private static final String[] MARKS = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
    private static final int[] ID_OF_BYTE = new int[256];
    private static final int[] BYTE_OF_ID = new int[FIRST_BYTE + 256];

    static {
        int id = FIRST_BYTE;
        for (int b = 0; b < 256; b++) {
            if (printable(b)) {
                ID_OF_BYTE[b] = id++;
            }
        }
        for (int b = 0; b < 256; b++) {
            if (!printable(b)) {
                ID_OF_BYTE[b] = id++;
            }
        }
        for (int b = 0; b < 256; b++) {
            BYTE_OF_ID[ID_OF_BYTE[b]] = b;
        }
    }

    private SimTokenizer() {}

    /** Bytes that the byte-level alphabet keeps as they are; the others come behind them. */
    private static boolean printable(int b) {
        return b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae;
    }

    /** The token of a byte. */
    static int idOf(int b) {
        return ID_OF_BYTE[b & 0xff];
    }

    /** Tokens of a text; ChatML marks in it are one token each. */
    static int[] encode(String text) {
        byte[] utf8 = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        int[] ids = new int[utf8.length];
        int n = 0;
        for (int i = 0; i < utf8.length; ) {
            int mark = utf8[i] == '<' ? markAt(utf8, i) : -1;
            if (mark >= 0) {
                ids[n++] = mark;
                i += MARKS[mark].length();
            } else {
                ids[n++] = ID_OF_BYTE[utf8[i++] & 0xff];
            }
        }
        return java.util.Arrays.copyOf(ids, n);
    }

    private static int markAt(byte[] utf8, int at) {
        for (int m = 0; m < MARKS.length; m++) {
            String mark = MARKS[m];
            int i = 0;
            while (i < mark.length() && at + i < utf8.length && utf8[at + i] == mark.charAt(i)) {
                i++;
            }
            if (i == mark.length()) {
                return m;
            }
        }
        return -1;
    }

    /** Text of tokens; marks are left out, ids beyond the vocabulary become U+FFFD. */
    static String decode(int[] ids, int from, int to) {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            int id = ids[i];
            if (id >= FIRST_BYTE && id < BYTE_OF_ID.length) {
                out.write(BYTE_OF_ID[id]);
            } else if (id < 0 || id >= BYTE_OF_ID.length) {
                out.writeBytes(new byte[] {(byte) 0xef, (byte) 0xbf, (byte) 0xbd});
            }
        }
        return out.toString(java.nio.charset.StandardCharsets.UTF_8);
    }
}
