package io.penstock.dataplane.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Short questions to engines: GET, one attempt, a time limit, at most 16 MiB of answer.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class EngineHttp implements AutoCloseable {
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final int CLASS = 100;
    private static final int CLIENT_ERRORS = 4;

    private final HttpClient client;
    private final ObjectMapper mapper = new ObjectMapper();

    EngineHttp(int connectTimeoutMs) {
        // HTTP/1.1, since engines answer an offered upgrade to HTTP/2 in various ways.
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(NoTls.context())
                .connectTimeout(Duration.ofMillis(connectTimeoutMs))
                .build();
    }

    /** Answer as text; null when the engine has no such path or keeps it to itself (a status of 4xx). */
    String text(String url, int timeoutMs) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                get(url, timeoutMs),
                HttpResponse.BodyHandlers.limiting(
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_ANSWER_BYTES));
        if (response.statusCode() == OK) {
            return response.body();
        }
        if (response.statusCode() / CLASS == CLIENT_ERRORS) {
            return null;
        }
        throw new IOException("status " + response.statusCode() + " from the engine: url=" + url);
    }

    /** Answer as JSON; null as for {@link #text}, and for anything but JSON. */
    JsonNode json(String url, int timeoutMs) throws IOException, InterruptedException {
        String text = text(url, timeoutMs);
        if (text == null) {
            return null;
        }
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Whether the URL answers 200; false also for every failure. */
    CompletableFuture<Boolean> isOk(String url, int timeoutMs) {
        return client.sendAsync(get(url, timeoutMs), HttpResponse.BodyHandlers.discarding())
                .handle((response, failure) -> failure == null && response.statusCode() == OK);
    }

    private static HttpRequest get(String url, int timeoutMs) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMillis(timeoutMs))
                .GET()
                .build();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
