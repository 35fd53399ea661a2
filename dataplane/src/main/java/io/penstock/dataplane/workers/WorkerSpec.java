package io.penstock.dataplane.workers;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * A worker as configured or added at run time.
 *
 * @param name unique name; null takes the URL
 * @param url base URL of the engine, {@code http://host:port[/path]}
 * @param model base model that it serves (the configured model's name); null = ask the engine
 * @param engine {@code vllm}, {@code sglang}, {@code trtllm}, {@code none} (no KV events), or {@code auto} (ask it)
 * @param blockSize tokens of a KV block; 0 = ask the engine
 * @param dpSize data-parallel ranks; 0 = ask the engine
 * @param kvEvents ZMQ endpoint of rank 0's KV events ({@code tcp://host:port}); null = ask the engine
 * @param kvReplay ZMQ endpoint of rank 0's replay socket; null = ask the engine
 * @param kvTopic topic to subscribe to, empty for all
 * @param adapters LoRA adapters it serves beside the base model
 * @param taints labels that requests may require or prefer
 * @param role {@code both}, the default; engines that only prefill or only decode are not supported
 * @param hints its part in KvHints; null = none
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
        List<String> taints,
        String role,
        WorkerHints hints) {
    private static final Set<String> ENGINES = Set.of("vllm", "sglang", "trtllm", "none", "auto");
    private static final int MAX_RANKS = 1_024;

    /** Fills what was left out and refuses what cannot work. */
    public WorkerSpec {
        if (url == null || url.isBlank()) {
            throw new IllegalArgumentException("a worker needs a URL: url=" + url);
        }
        url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        checkUrl(url);
        name = name == null ? url : name;
        if (name.isBlank()) {
            throw new IllegalArgumentException("a worker's name must not be blank: url=" + url);
        }
        engine = engine == null ? "vllm" : engine;
        if (!ENGINES.contains(engine)) {
            throw new IllegalArgumentException("not one of vllm, sglang, trtllm, none, auto: engine=" + engine);
        }
        if (blockSize < 0) {
            throw new IllegalArgumentException("negative: blockSize=" + blockSize);
        }
        if (dpSize < 0 || dpSize > MAX_RANKS) {
            throw new IllegalArgumentException("out of 0.." + MAX_RANKS + ": dpSize=" + dpSize);
        }
        if (engine.equals("trtllm") && (blockSize == 0 || model == null)) {
            throw new IllegalArgumentException(
                    "a trtllm worker cannot be asked for its model and block size: worker=" + name);
        }
        role = role == null ? "both" : role;
        if (!role.equals("both")) {
            throw new IllegalArgumentException("prefill and decode workers are not supported, only both: role=" + role);
        }
        model = model == null || model.isBlank() ? null : model;
        kvEvents = kvEvents == null || kvEvents.isBlank() ? null : kvEvents;
        kvReplay = kvReplay == null || kvReplay.isBlank() ? null : kvReplay;
        kvTopic = kvTopic == null ? "" : kvTopic;
        adapters = adapters == null ? List.of() : List.copyOf(adapters);
        taints = taints == null ? List.of() : List.copyOf(taints);
        hints = hints == null ? WorkerHints.NONE : hints;
    }

    /** A worker that prefills and decodes. */
    public WorkerSpec(
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
        this(name, url, model, engine, blockSize, dpSize, kvEvents, kvReplay, kvTopic, adapters, taints, null, null);
    }

    /** A worker of which nothing is known but its URL. */
    public static WorkerSpec of(String name, String url) {
        return new WorkerSpec(name, url, null, "auto", 0, 0, null, null, null, null, null);
    }

    /** The URL, parsed. */
    public URI uri() {
        return URI.create(url);
    }

    /** Port of the URL, 80 where it names none. */
    public int port() {
        int port = uri().getPort();
        return port < 0 ? 80 : port;
    }

    /** Whether an engine without KV events was configured. */
    public boolean hasNoEvents() {
        return engine.equals("none");
    }

    private static void checkUrl(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a URL: url=" + url, e);
        }
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("not of the form http://host:port[/path]: url=" + url);
        }
    }
}
