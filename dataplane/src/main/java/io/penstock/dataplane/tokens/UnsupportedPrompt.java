package io.penstock.dataplane.tokens;

/** A prompt that this process cannot render exactly as the engine does; the next source is tried. No stack trace. */
final class UnsupportedPrompt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnsupportedPrompt(String why) {
        super(why, null, false, false);
    }
}
