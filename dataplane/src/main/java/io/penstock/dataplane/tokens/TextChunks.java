package io.penstock.dataplane.tokens;

import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * Hashes a text as if each {@code chunkBytes} bytes were a token. A block of text then has a hash chain like a block of
 * tokens, good for finding what was sent where; no engine knows these hashes, and they cannot meet those of tokens: the
 * isolation mixes in that this is text, and of which model.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TextChunks {
    private TextChunks() {}

    /** Fills estimated tokens and hashes of {@code out}. */
    static void hash(byte[] text, int chunkBytes, PromptInput in, RouteRequest out) {
        int[] units = new int[(text.length + chunkBytes - 1) / chunkBytes];
        for (int i = 0; i < units.length; i++) {
            int from = i * chunkBytes;
            int to = Math.min(text.length, from + chunkBytes);
            int unit = 0;
            for (int k = from; k < to; k++) {
                unit = chunkBytes == 4 ? unit << 8 | (text[k] & 0xff) : unit * 31 + text[k];
            }
            units[i] = unit;
        }
        String salt = "text\u0000" + in.model() + '\u0000' + in.cacheSalt();
        TokenisedPrompt.hash(units, units.length, in.blockSizes(), in.adapter(), salt, out);
    }
}
