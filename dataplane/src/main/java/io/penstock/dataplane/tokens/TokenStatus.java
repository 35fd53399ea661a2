package io.penstock.dataplane.tokens;

/**
 * How a model's prompts become tokens at present; for {@code /health}.
 *
 * @param model configured name
 * @param source best source in use (a request that it cannot serve goes on to the next)
 * @param state result of holding this process's rendering against the engine's
 * @param detail one line: what differs, or why nothing could be compared; empty when all is well
 */
public record TokenStatus(String model, TokenSource source, State state, String detail) {
    /** Result of the comparison. */
    public enum State {
        /** No tokenizer in this process: nothing to compare. */
        NOT_APPLICABLE,
        /** No engine has been compared yet. */
        PENDING,
        /** Equal on every probe. */
        AGREES,
        /** The engine renders otherwise: this process's tokenizer is not used for chats. */
        DIFFERS,
        /** The engine has no endpoint to compare with: this process's rendering is used as it is. */
        UNCHECKED,
        /** Tokenizer or template could not be loaded. */
        UNAVAILABLE
    }
}
