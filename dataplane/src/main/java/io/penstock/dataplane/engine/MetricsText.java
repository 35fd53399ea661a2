package io.penstock.dataplane.engine;

import java.util.function.ToDoubleFunction;

/**
 * {@code GET /metrics}: the names, labels and units of vLLM 0.32.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class MetricsText {
    private final EngineState engine;
    private final StringBuilder out = new StringBuilder(16_384);

    private MetricsText(EngineState engine) {
        this.engine = engine;
    }

    /** The exposition text. */
    static String of(EngineState engine) {
        MetricsText text = new MetricsText(engine);
        text.gauges();
        text.counters();
        text.histograms();
        text.cacheConfig();
        return text.out.toString();
    }

    private void gauges() {
        each(
                "num_requests_running",
                "Number of requests in model execution batches.",
                "gauge",
                "",
                EngineStats::running);
        each("num_requests_waiting", "Number of requests waiting to be processed.", "gauge", "", EngineStats::waiting);
        String name = "num_requests_waiting_by_reason";
        each(name, "Number of waiting requests by reason.", "gauge", "reason=\"capacity\"", EngineStats::waiting);
        more(name, "reason=\"deferred\"", s -> 0);
        name = "engine_sleep_state";
        each(name, "Engine sleep state.", "gauge", "sleep_state=\"awake\"", s -> 1);
        more(name, "sleep_state=\"weights_offloaded\"", s -> 0);
        more(name, "sleep_state=\"discard_all\"", s -> 0);
        each("kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", "gauge", "", EngineStats::kvUsage);
    }

    private void counters() {
        each(
                "prefix_cache_queries_total",
                "Prefix cache queries, in terms of number of queried tokens.",
                "counter",
                "",
                s -> s.prefixQueries.get());
        each(
                "prefix_cache_hits_total",
                "Prefix cache hits, in terms of number of cached tokens.",
                "counter",
                "",
                s -> s.prefixHits.get());
        each("external_prefix_cache_queries_total", "External prefix cache queries, in tokens.", "counter", "", s -> 0);
        each("external_prefix_cache_hits_total", "External prefix cache hits, in tokens.", "counter", "", s -> 0);
        each(
                "num_preemptions_total",
                "Cumulative number of preemption from the engine.",
                "counter",
                "",
                s -> s.preemptions.get());
        each("prompt_tokens_total", "Number of prefill tokens processed.", "counter", "", s -> s.promptTokens.get());
        String name = "prompt_tokens_by_source_total";
        each(
                name,
                "Number of prompt tokens by source.",
                "counter",
                "source=\"local_compute\"",
                s -> s.promptTokens.get() - s.prefixHits.get());
        more(name, "source=\"local_cache_hit\"", s -> s.prefixHits.get());
        more(name, "source=\"external_kv_transfer\"", s -> 0);
        each(
                "prompt_tokens_cached_total",
                "Number of cached prompt tokens (local + external).",
                "counter",
                "",
                s -> s.prefixHits.get());
        name = "prompt_tokens_cached_by_source_total";
        each(
                name,
                "Prefix-cache hit tokens by the cache tier that supplied them.",
                "counter",
                "source=\"device\"",
                s -> s.prefixHits.get());
        for (String tier : new String[] {"host", "p2p", "disk", "external_unspecified"}) {
            more(name, "source=\"" + tier + "\"", s -> 0);
        }
        each(
                "generation_tokens_total",
                "Number of generation tokens processed.",
                "counter",
                "",
                s -> s.outputTokens.get());
        name = "request_success_total";
        header(name, "Count of successfully processed requests.", "counter");
        more(
                name,
                "finished_reason=\"stop\"",
                s -> s.finished.get(FinishReason.STOP.ordinal()) + s.finished.get(FinishReason.TOOL_CALLS.ordinal()));
        more(name, "finished_reason=\"length\"", s -> s.finished.get(FinishReason.LENGTH.ordinal()));
        more(name, "finished_reason=\"abort\"", s -> s.finished.get(FinishReason.ABORT.ordinal()));
        more(name, "finished_reason=\"error\"", s -> s.finished.get(FinishReason.ERROR.ordinal()));
    }

    private void histograms() {
        histogram("time_to_first_token_seconds", "Histogram of time to first token in seconds.", 0);
        histogram("inter_token_latency_seconds", "Histogram of inter-token latency in seconds.", 1);
        histogram("e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.", 2);
        histogram("request_queue_time_seconds", "Histogram of time spent in WAITING phase for request.", 3);
        histogram("request_prompt_tokens", "Number of prefill tokens processed.", 4);
        histogram("request_generation_tokens", "Number of generation tokens processed.", 5);
    }

    private void histogram(String name, String help, int which) {
        header(name, help, "histogram");
        for (int r = 0; r < engine.ranks.size(); r++) {
            EngineStats s = engine.ranks.get(r).stats();
            LatencyHistogram[] all = {
                s.timeToFirstToken,
                s.interTokenLatency,
                s.endToEnd,
                s.queueTime,
                s.promptTokensPerRequest,
                s.outputTokensPerRequest
            };
            all[which].appendTo(out, "vllm:" + name, labels(r, ""));
        }
    }

    private void cacheConfig() {
        EngineConfig.Cache cache = engine.config.cache();
        header("cache_config_info", "Information of the LLMEngine CacheConfig", "gauge");
        for (int r = 0; r < engine.ranks.size(); r++) {
            long tokens = (long) cache.blocks() * cache.blockSize();
            out.append("vllm:cache_config_info{block_size=\"").append(cache.blockSize());
            out.append("\",cache_dtype=\"auto\",enable_prefix_caching=\"True\",engine=\"")
                    .append(r);
            out.append("\",gpu_memory_utilization=\"0.92\",kv_cache_max_concurrency=\"")
                    .append((double) tokens / engine.config.maxModelLen());
            out.append("\",kv_cache_size_tokens=\"")
                    .append(tokens)
                    .append("\",num_cpu_blocks=\"None\",num_gpu_blocks=\"")
                    .append(cache.blocks());
            out.append("\",num_gpu_blocks_override=\"")
                    .append(cache.blocks())
                    .append("\",prefix_caching_hash_algo=\"")
                    .append(cache.hashAlgorithm().vllmName());
            out.append("\",sliding_window=\"None\",user_specified_block_size=\"True\"} 1.0\n");
        }
    }

    private void each(String name, String help, String type, String label, ToDoubleFunction<EngineStats> value) {
        header(name, help, type);
        more(name, label, value);
    }

    private void more(String name, String label, ToDoubleFunction<EngineStats> value) {
        for (int r = 0; r < engine.ranks.size(); r++) {
            out.append("vllm:")
                    .append(name)
                    .append('{')
                    .append(labels(r, label))
                    .append("} ")
                    .append(value.applyAsDouble(engine.ranks.get(r).stats()))
                    .append('\n');
        }
    }

    /**
     * Labels in alphabetical order, as Prometheus clients write them; all further labels sort behind {@code model_name}
     * but {@code finished_reason}.
     */
    private String labels(int rank, String further) {
        String model = "model_name=\"" + engine.config.model() + '"';
        String first = "engine=\"" + rank + "\",";
        if (further.isEmpty()) {
            return first + model;
        }
        return further.compareTo("model_name") < 0 ? first + further + ',' + model : first + model + ',' + further;
    }

    private void header(String name, String help, String type) {
        out.append("# HELP vllm:")
                .append(name)
                .append(' ')
                .append(help)
                .append("\n# TYPE vllm:")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
    }
}
