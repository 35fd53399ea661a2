package io.penstock.dataplane.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A row of a Mooncake trace: {@code timestamp} (ms), {@code input_length}, {@code output_length}, {@code hash_ids} of
 * 512-token blocks, the last one partial. Ids are global to the file; a row is a session of one turn.
 *
 * <p><b>Threading:</b> immutable.
 */
final class MooncakeTrace {
    /** Tokens of a block in the published traces. */
    static final int BLOCK_TOKENS = 512;

    private MooncakeTrace() {}

    /** Whether the object has this format's fields. */
    static boolean matches(JsonNode row) {
        return row.has("timestamp")
                && row.has("input_length")
                && row.path("hash_ids").isArray();
    }

    /** The session of a row. */
    static AgentSession read(JsonNode row, long fileNumber, int rowNumber) {
        JsonNode recorded = row.path("hash_ids");
        long[] ids = new long[recorded.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Mix.of(~fileNumber, recorded.get(i).asLong());
        }
        Prompt prompt = new Prompt(ids, row.path("input_length").asInt(), BLOCK_TOKENS);
        Turn turn = new Turn(0, prompt, row.path("output_length").asInt(), List.of());
        return new AgentSession(
                "row-" + fileNumber + "-" + rowNumber,
                null,
                row.path("timestamp").asDouble(),
                List.of(turn));
    }
}
