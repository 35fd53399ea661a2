package io.penstock.dataplane.tokens;

import java.util.ArrayList;
import java.util.List;

/**
 * Details in which engines and their versions differ when they hand tools to the template. Which one an engine speaks is
 * found by comparison ({@link RenderingCheck}).
 *
 * @param keepsNulls a tool's absent description and parameters reach the template as null
 * @param argumentsFirst in a tool call, {@code arguments} stands before {@code name}
 */
record Dialect(boolean keepsNulls, boolean argumentsFirst) {
    /** vLLM's, as far as known without asking. */
    static final Dialect VLLM = new Dialect(true, true);

    /** All, likeliest first. */
    static List<Dialect> all() {
        List<Dialect> out = new ArrayList<>();
        for (boolean nulls : new boolean[] {true, false}) {
            for (boolean first : new boolean[] {true, false}) {
                out.add(new Dialect(nulls, first));
            }
        }
        return out;
    }
}
