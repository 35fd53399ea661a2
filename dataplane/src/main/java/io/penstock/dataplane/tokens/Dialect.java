package io.penstock.dataplane.tokens;

import java.util.ArrayList;
import java.util.List;

/**
 * Details in which engines and their versions differ when they hand tools to the template. Which one an engine speaks is
 * found by comparison ({@link RenderingCheck}).
 *
 * @param keepsNulls a tool's absent description and parameters reach the template as null
 * @param argumentsFirst in a tool call, {@code arguments} stands before {@code name}
 * @param deferral what an Anthropic tool gets beside its schema
 */
record Dialect(boolean keepsNulls, boolean argumentsFirst, Deferral deferral) {
    /** How {@code defer_loading} of an Anthropic tool that does not set it reaches the template. */
    enum Deferral {
        /** Not at all. */
        ABSENT,
        /** As null. */
        NULL,
        /** As false. */
        FALSE,
        /** None of these gave the engine's count: such prompts are not claimed. */
        UNKNOWN
    }

    /** vLLM's, as far as known without asking. */
    static final Dialect VLLM = new Dialect(true, true, Deferral.ABSENT);

    /** All forms of a chat's tools, likeliest first. */
    static List<Dialect> all() {
        List<Dialect> out = new ArrayList<>();
        for (boolean nulls : new boolean[] {true, false}) {
            for (boolean first : new boolean[] {true, false}) {
                out.add(new Dialect(nulls, first, Deferral.ABSENT));
            }
        }
        return out;
    }

    Dialect with(Deferral other) {
        return new Dialect(keepsNulls, argumentsFirst, other);
    }
}
