package io.penstock.dataplane.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/**
 * What the router's admin port says about its workers.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param healthy workers that take requests
 * @param proven ranks whose blocks count, since their engine proved to be the one that the index knows
 * @param deviceBlocks blocks that the index holds for those ranks
 */
record WorkersView(int healthy, int proven, long deviceBlocks) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final WorkersView UNKNOWN = new WorkersView(0, 0, 0);

    /** Asks the router; nothing is known while it does not answer. */
    static WorkersView read(URI admin) {
        try (InputStream answer = admin.resolve("/workers").toURL().openStream()) {
            return parse(JSON.readTree(answer));
        } catch (IOException e) {
            // Starting or killed: the caller waits for it.
            return UNKNOWN;
        }
    }

    /** Reads the answer of {@code /workers}. */
    static WorkersView parse(JsonNode workers) {
        int healthy = 0;
        int proven = 0;
        long blocks = 0;
        for (JsonNode worker : workers) {
            healthy += worker.path("state").asText().equals("healthy") ? 1 : 0;
            for (JsonNode rank : worker.path("ranks")) {
                if (rank.path("state").asText().equals("proven")) {
                    proven++;
                    blocks += rank.path("blocks").path("device").asLong();
                }
            }
        }
        return new WorkersView(healthy, proven, blocks);
    }
}
