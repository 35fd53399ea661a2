package io.penstock.dataplane.workers;

import java.util.List;

/**
 * A worker as configured or added at run time.
 *
 * @param name unique name; null takes the URL
 * @param url base URL of the engine, {@code http://host:port[/path]}
 * @param model base model that it serves (the configured model's name)
 * @param engine {@code vllm}, {@code sglang}, {@code trtllm}, or {@code none} (no KV events)
 * @param blockSize tokens of a KV block; 0 = ask the engine
 * @param dpSize data-parallel ranks; 0 = ask the engine
 * @param kvEvents ZMQ endpoint of rank 0's KV events ({@code tcp://host:port}); null = ask the engine
 * @param kvReplay ZMQ endpoint of rank 0's replay socket; null = ask the engine
 * @param kvTopic topic to subscribe to, empty for all
 * @param adapters LoRA adapters it serves beside the base model
 * @param taints labels that requests may require or prefer
 */
public record WorkerSpec(
        String name,
        String url,
        String model,
        String engine,
        int blockSize,
        int dpSize,
        String kvEvents,
        String kvReplay,
        String kvTopic,
        List<String> adapters,
        List<String> taints) {
    /** Fills what was left out. */
    public WorkerSpec {
        if (url == null || url.isBlank()) {
            throw new IllegalArgumentException("a worker needs a URL: url=" + url);
        }
        name = name == null ? url : name;
        engine = engine == null ? "vllm" : engine;
        kvTopic = kvTopic == null ? "" : kvTopic;
        adapters = adapters == null ? List.of() : List.copyOf(adapters);
        taints = taints == null ? List.of() : List.copyOf(taints);
    }
}
