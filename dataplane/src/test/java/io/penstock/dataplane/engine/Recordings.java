package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Assumptions;

/** Recordings of a real vLLM 0.32. */
final class Recordings {
    private Recordings() {}

    static JsonNode events() throws IOException {
        return read("vllm_kv_events.json");
    }

    static JsonNode http() throws IOException {
        return read("vllm_http_samples.json");
    }

    private static JsonNode read(String name) throws IOException {
        Path file = Path.of(System.getProperty("penstock.shared", "../shared"), "data", name);
        if (!Files.exists(file)) {
            Assumptions.abort("recorded vLLM data is absent: " + file);
        }
        return new ObjectMapper().readTree(file.toFile());
    }

    static byte[] payload(JsonNode frame) {
        return HexFormat.of().parseHex(frame.get("payload_hex").asText());
    }

    static int[] ints(JsonNode array) {
        int[] values = new int[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).asInt();
        }
        return values;
    }
}
