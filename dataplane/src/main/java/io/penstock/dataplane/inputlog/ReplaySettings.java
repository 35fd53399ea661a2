package io.penstock.dataplane.inputlog;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.routing.RoutingConfig;
import java.io.IOException;

/**
 * What a core is made with, as it stands in files and checkpoints.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param core bounds and times
 * @param routing weights, seed
 */
record ReplaySettings(CoreConfig core, RoutingConfig routing) {
    private static final ObjectMapper JSON = new ObjectMapper();

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JacksonException e) {
            throw new IllegalStateException("settings cannot be written", e);
        }
    }

    /**
     * Reads them.
     *
     * @throws IOException in one line, when they are of another version
     */
    static ReplaySettings of(String json) throws IOException {
        try {
            return JSON.readValue(json, ReplaySettings.class);
        } catch (JacksonException e) {
            throw new IOException("settings are those of another version: " + e.getOriginalMessage(), e);
        }
    }
}
