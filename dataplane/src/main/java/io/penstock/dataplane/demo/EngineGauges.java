package io.penstock.dataplane.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * What an engine says about itself on {@code /metrics}, by vLLM's names.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param kvUse used share of the KV pool, 0..1, or NaN when the engine does not answer
 * @param running requests in its batch
 * @param waiting requests in its queue
 */
record EngineGauges(double kvUse, int running, int waiting) {
    private static final EngineGauges SILENT = new EngineGauges(Double.NaN, 0, 0);

    /** Asks an engine. */
    static EngineGauges read(HttpClient client, URI engine) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(engine.resolve("/metrics"))
                .timeout(Duration.ofSeconds(1))
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? parse(response.body()) : SILENT;
        } catch (IOException e) {
            // An engine that was killed is shown as silent.
            return SILENT;
        }
    }

    /** Reads the Prometheus text. */
    static EngineGauges parse(String text) {
        return new EngineGauges(
                value(text, "vllm:kv_cache_usage_perc"), (int) value(text, "vllm:num_requests_running"), (int)
                        value(text, "vllm:num_requests_waiting"));
    }

    /** Mean or sum over ranks is not needed: the demo's engines have one. */
    private static double value(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .mapToDouble(Double::parseDouble)
                .findFirst()
                .orElse(0);
    }
}
