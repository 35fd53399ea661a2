package io.penstock.bindings.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Recorded answers of a real engine. */
final class SharedData {
    private SharedData() {}

    /** The recorded HTTP answers of vLLM; the test is aborted where they are absent. */
    static JsonNode vllmHttp() throws IOException {
        Path path = Path.of(System.getProperty("penstock.shared", "../shared"), "data", "vllm_http_samples.json");
        if (!Files.exists(path)) {
            Assumptions.abort("recorded vLLM answers absent: " + path);
        }
        return new ObjectMapper().readTree(path.toFile());
    }
}
