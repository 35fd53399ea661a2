package io.penstock.dataplane.engine;

/**
 * What a sequence will say: how many tokens, why it ends, and which tokens.
 *
 * <p>The simulator has no model; the text is a function of the prompt and the position, so that the same prompt gives
 * the same answer
 * and a growing context finds the engine's own output in the cache.
 *
 * <p><b>Threading:</b> called by the engine thread only.
 */
interface OutputPlan {
    /** Tokens to come, at least one. */
    int length();

    /** Why the sequence ends after the last token. */
    FinishReason end();

    /** Token number {@code index}, from 0. */
    int token(int index);
}
