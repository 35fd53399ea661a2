package io.penstock.bindings.events;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A few known words, found in bytes without making a string.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> no allocation; one length compare a word.
 */
public final class Words {
    private final byte[][] words;

    /** The words, in the order of their numbers. */
    public Words(String... words) {
        this.words = Arrays.stream(words)
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** Index of the word that these bytes are, or -1. */
    public int find(byte[] bytes, int offset, int length) {
        for (int i = 0; i < words.length; i++) {
            if (words[i].length == length && Arrays.equals(words[i], 0, length, bytes, offset, offset + length)) {
                return i;
            }
        }
        return -1;
    }
}
