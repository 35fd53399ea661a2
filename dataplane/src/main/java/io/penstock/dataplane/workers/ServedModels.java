package io.penstock.dataplane.workers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * An engine's {@code /v1/models}: entries with a parent are adapters, those without are names of the base model.
 *
 * @param bases names of the base model, the engine's first one first
 * @param adapters names of its adapters
 */
record ServedModels(List<String> bases, List<String> adapters) {

    /** Reads the answer; null gives no names. */
    static ServedModels of(JsonNode answer) {
        List<String> bases = new ArrayList<>();
        List<String> adapters = new ArrayList<>();
        if (answer != null) {
            for (JsonNode model : answer.path("data")) {
                String id = model.path("id").textValue();
                if (id != null && !id.isBlank()) {
                    (model.path("parent").isTextual() ? adapters : bases).add(id);
                }
            }
        }
        return new ServedModels(List.copyOf(bases), List.copyOf(adapters));
    }
}
