package io.penstock.dataplane.tokens;

/** Where the tokens of a prompt came from; in this order of preference. */
public enum TokenSource {
    /** Token ids in the request itself. */
    IDS,
    /** The model's tokenizer and chat template, in this process. */
    TOKENIZER,
    /** The engine's render or tokenize endpoint. */
    ENGINE,
    /** Chunks of the canonical prompt's text: stable from turn to turn, but not the engine's tokens. */
    TEXT_CHUNKS,
    /** Nothing could be read: routed by load. */
    NONE;

    /** True when the hashes are over the engine's own tokens, so that its KV events can be matched. */
    public boolean exact() {
        return this == IDS || this == TOKENIZER || this == ENGINE;
    }
}
