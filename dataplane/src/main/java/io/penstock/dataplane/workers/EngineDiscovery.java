package io.penstock.dataplane.workers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks an engine for what its configuration leaves open. What is configured is never overruled.
 *
 * <p><b>Threading:</b> thread-safe; blocks while the engine answers.
 */
final class EngineDiscovery {
    private final EngineHttp http;
    private final int timeoutMs;

    EngineDiscovery(EngineHttp http, int timeoutMs) {
        this.http = http;
        this.timeoutMs = timeoutMs;
    }

    /** Whether the configuration leaves anything open. */
    static boolean isNeeded(WorkerSpec spec) {
        boolean open = spec.model() == null || spec.engine().equals("auto");
        boolean openEvents =
                spec.blockSize() == 0 || spec.dpSize() == 0 || spec.kvEvents() == null || spec.kvReplay() == null;
        return open || !spec.hasNoEvents() && !spec.engine().equals("trtllm") && openEvents;
    }

    /** The worker as configured, where that leaves nothing open. */
    static EngineFacts configured(WorkerSpec spec) {
        return new Draft(spec, spec.engine(), new ServedModels(List.of(), List.of())).facts();
    }

    /**
     * Asks the engine.
     *
     * @throws IOException when it does not answer, or not what was needed; the message is one line for the operator
     */
    EngineFacts resolve(WorkerSpec spec) throws IOException, InterruptedException {
        ServedModels served = ServedModels.of(http.json(spec.url() + "/v1/models", timeoutMs));
        if (served.bases().isEmpty()) {
            throw new IOException("no model in the engine's /v1/models: url=" + spec.url());
        }
        if (spec.model() != null && !served.bases().contains(spec.model())) {
            throw new IOException("the engine serves " + served.bases() + ": model=" + spec.model());
        }
        return switch (spec.engine()) {
            case "vllm" -> vllm(spec, served, http.text(spec.url() + "/metrics", timeoutMs));
            case "sglang" -> sglang(spec, served, serverInfo(spec));
            case "auto" -> either(spec, served);
            default -> new Draft(spec, spec.engine(), served).facts();
        };
    }

    private EngineFacts either(WorkerSpec spec, ServedModels served) throws IOException, InterruptedException {
        String metrics = http.text(spec.url() + "/metrics", timeoutMs);
        if (VllmAnswers.ofMetrics(metrics).blockSize() > 0) {
            return vllm(spec, served, metrics);
        }
        JsonNode info = serverInfo(spec);
        if (SglangAnswers.isSglang(info)) {
            return sglang(spec, served, info);
        }
        Draft draft = new Draft(spec, "none", served);
        draft.problem = "neither vLLM nor SGLang: its KV events cannot be read";
        return draft.facts();
    }

    private EngineFacts vllm(WorkerSpec spec, ServedModels served, String metrics)
            throws IOException, InterruptedException {
        Draft draft = new Draft(spec, "vllm", served);
        VllmAnswers said = VllmAnswers.ofMetrics(metrics);
        draft.blockSize = said.blockSize();
        draft.dpSize = said.ranks();
        draft.kvBlocks = said.kvBlocks();
        if (spec.kvEvents() == null || spec.kvReplay() == null || spec.dpSize() == 0) {
            JsonNode sources = http.json(spec.url() + "/kv_event_sources", timeoutMs);
            draft.found = VllmAnswers.feeds(sources, spec.uri().getHost(), spec.kvTopic());
        }
        return draft.facts();
    }

    private EngineFacts sglang(WorkerSpec spec, ServedModels served, JsonNode info) throws IOException {
        if (info == null) {
            throw new IOException("no answer from the engine's /server_info: url=" + spec.url());
        }
        SglangAnswers said = SglangAnswers.of(info, spec.uri().getHost(), spec.kvTopic());
        Draft draft = new Draft(spec, "sglang", served);
        draft.blockSize = said.blockSize();
        draft.dpSize = said.dpSize();
        draft.kvBlocks = said.kvBlocks();
        draft.maxBatchedTokens = said.maxBatchedTokens();
        draft.found = said.feeds();
        return draft.facts();
    }

    private JsonNode serverInfo(WorkerSpec spec) throws IOException, InterruptedException {
        JsonNode info = http.json(spec.url() + "/server_info", timeoutMs);
        // The path's name before SGLang 0.5.
        return info != null ? info : http.json(spec.url() + "/get_server_info", timeoutMs);
    }

    /** What an engine said, before the configuration is laid over it. */
    private static final class Draft {
        private final WorkerSpec spec;
        private final String engine;
        private final ServedModels served;
        private int blockSize;
        private int dpSize;
        private long kvBlocks;
        private long maxBatchedTokens;
        private List<RankFeed> found = List.of();
        private String problem;

        Draft(WorkerSpec spec, String engine, ServedModels served) {
            this.spec = spec;
            this.engine = engine;
            this.served = served;
        }

        EngineFacts facts() {
            String model = spec.model() != null ? spec.model() : served.bases().getFirst();
            List<String> aliases = new ArrayList<>(served.bases());
            aliases.remove(model);
            Set<String> adapters = new LinkedHashSet<>(spec.adapters());
            adapters.addAll(served.adapters());
            int ranks = spec.dpSize() > 0 ? spec.dpSize() : Math.max(1, Math.max(dpSize, found.size()));
            List<RankFeed> feeds = engine.equals("none") ? List.of() : feeds(ranks);
            int size = spec.blockSize() > 0 ? spec.blockSize() : blockSize;
            if (size == 0) {
                size = EngineFacts.DEFAULT_BLOCK_SIZE;
                // Without its block size an engine's events cannot be placed.
                problem = feeds.isEmpty() ? problem : "block size unknown, KV events not read: configure blockSize";
                feeds = List.of();
            }
            if (feeds.isEmpty() && problem == null && !engine.equals("none")) {
                problem = "no KV events: the engine publishes none, or configure kvEvents";
            }
            return new EngineFacts(
                    engine,
                    model,
                    List.copyOf(aliases),
                    List.copyOf(adapters),
                    size,
                    ranks,
                    feeds,
                    kvBlocks,
                    maxBatchedTokens,
                    problem);
        }

        private List<RankFeed> feeds(int ranks) {
            if (spec.kvEvents() == null && found.size() != ranks) {
                problem = found.isEmpty() ? null : "events of " + found.size() + " ranks found, not of dpSize=" + ranks;
                return List.of();
            }
            List<RankFeed> feeds = new ArrayList<>();
            String host = spec.uri().getHost();
            for (int rank = 0; rank < ranks; rank++) {
                RankFeed there = rank < found.size() ? found.get(rank) : new RankFeed(null, null, spec.kvTopic());
                String events =
                        spec.kvEvents() == null ? there.kvEvents() : ZmqEndpoint.resolve(spec.kvEvents(), host, rank);
                String replay =
                        spec.kvReplay() == null ? there.kvReplay() : ZmqEndpoint.resolve(spec.kvReplay(), host, rank);
                if (events == null) {
                    problem = "not an endpoint for rank " + rank + ": kvEvents=" + spec.kvEvents();
                    return List.of();
                }
                feeds.add(new RankFeed(events, replay, there.topic()));
            }
            return List.copyOf(feeds);
        }
    }
}
