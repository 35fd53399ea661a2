package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Numbers of a JSON line as figures: {@code PREFIX.field}, and {@code PREFIX.DEPTH.HOLDERS.KIND.field} where the line is of
 * one depth.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Lines {
    private Lines() {}

    static void add(JsonNode line, String prefix, Figures into, int round) {
        String name = line.has("depth")
                ? String.join(
                        ".",
                        prefix,
                        line.get("depth").asText(),
                        line.get("holders").asText(),
                        line.get("kind").asText())
                : prefix;
        line.fieldNames().forEachRemaining(field -> {
            if (line.get(field).isNumber()) {
                into.add(name + "." + field, round, line.get(field).asDouble());
            }
        });
    }
}
