package io.penstock.bindings.openai;

/**
 * A stretch of bytes of a request body, counted from the body's first byte.
 *
 * @param start first byte
 * @param end one past the last byte
 */
public record Span(int start, int end) {
    /** Bytes. */
    public int length() {
        return end - start;
    }
}
