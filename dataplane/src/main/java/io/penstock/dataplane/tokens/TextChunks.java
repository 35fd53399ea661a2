package io.penstock.dataplane.tokens;

import io.penstock.dataplane.hashing.PromptHasher;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.util.Arrays;

/**
 * Hashes a text as if each {@code chunkBytes} bytes were a token. A block of text then has a hash chain like a block of
 * tokens, good for finding what was sent where; no engine knows these hashes, and they cannot meet those of tokens: the
 * isolation mixes in that this is text, and of which model.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TextChunks {
    private TextChunks() {}

    /** Fills estimated tokens and hashes of {@code out}. A last chunk that is not full is filled up with zeros. */
    static void hash(CanonicalPrompt.Text text, int chunkBytes, PromptInput in, RouteRequest out) {
        int chunks = (text.length() + chunkBytes - 1) / chunkBytes;
        byte[] bytes = text.bytes();
        int from = text.from();
        int to = from + chunks * chunkBytes;
        if (to > bytes.length) {
            bytes = Arrays.copyOf(bytes, to);
        }
        Arrays.fill(bytes, from + text.length(), to, (byte) 0);
        String room = "text\u0000" + in.model() + '\u0000';
        long seed = PromptHasher.seed(in.adapter(), room + in.cacheSalt());
        long plainSeed = PromptHasher.seed(null, room);
        out.promptTokens = chunks;
        for (int size : in.blockSizes()) {
            long[] hashes = new long[chunks / size];
            PromptHasher.seeded(size, false, seed).chainBytes(bytes, from, chunks, chunkBytes, hashes);
            PromptHasher plain = PromptHasher.seeded(size, false, plainSeed);
            long[] traces = seed == plainSeed ? null : new long[hashes.length];
            if (traces != null) {
                plain.chainBytes(bytes, from, chunks, chunkBytes, traces);
            }
            long partial = plain.partialBytes(bytes, from, chunks, chunkBytes, traces == null ? hashes : traces);
            out.addHashing(size, hashes, hashes.length, traces, partial);
        }
    }
}
