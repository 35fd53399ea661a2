package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.jinja.PyJson;
import io.penstock.dataplane.workers.NoTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Asks an engine for the tokens of a prompt: {@code /v1/chat/completions/render} where it is switched on, else
 * {@code /tokenize}. An answer that does not come in time, or is not one, counts as none.
 *
 * <p><b>Threading:</b> thread-safe; answers come on the HTTP client's threads.
 */
final class EngineTokens implements AutoCloseable {
    /** An engine that was replaced by a newer one may have the endpoint a minute later. */
    private static final long ABSENT_NS = 60_000_000_000L;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(NoTls.context())
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final TokenCounts counts;
    private final Semaphore open;
    /** Endpoints that answered 403, 404, 405, or 200 without tokens, and until when (nanoTime) they are not asked again. */
    private final Map<String, Long> absent = new ConcurrentHashMap<>();

    EngineTokens(TokenCounts counts, int mostOpen) {
        this.counts = counts;
        this.open = new Semaphore(mostOpen);
    }

    /** Tokens of a chat body, or null. {@code render} allows the render endpoint. */
    CompletableFuture<int[]> chat(String url, Map<String, Object> body, int timeoutMs, boolean render) {
        String endpoint = url + "/v1/chat/completions/render";
        if (!render || isAbsent(endpoint)) {
            return tokenize(url, body, timeoutMs);
        }
        return post(endpoint, body, timeoutMs)
                .thenCompose(answer -> isAbsent(endpoint)
                        ? tokenize(url, body, timeoutMs)
                        : CompletableFuture.completedFuture(ids(endpoint, answer, "token_ids")));
    }

    /** Tokens of what {@code /tokenize} takes: a chat's messages and tools, or a plain prompt. */
    CompletableFuture<int[]> tokenize(String url, Map<String, Object> body, int timeoutMs) {
        Map<String, Object> asked = new LinkedHashMap<>();
        for (String field : new String[] {
            "model",
            "prompt",
            "messages",
            "tools",
            "add_generation_prompt",
            "continue_final_message",
            "add_special_tokens",
            "chat_template",
            "chat_template_kwargs",
            "mm_processor_kwargs"
        }) {
            if (body.get(field) != null) {
                asked.put(field, body.get(field));
            }
        }
        String endpoint = url + "/tokenize";
        return isAbsent(endpoint)
                ? CompletableFuture.completedFuture(null)
                : post(endpoint, asked, timeoutMs).thenApply(answer -> ids(endpoint, answer, "tokens"));
    }

    /** Whether an engine would be asked at all: false while it is known to have neither endpoint. */
    boolean asks(String url, boolean render) {
        return !isAbsent(url + "/tokenize") || (render && !isAbsent(url + "/v1/chat/completions/render"));
    }

    private boolean isAbsent(String endpoint) {
        Long until = absent.get(endpoint);
        return until != null && until - System.nanoTime() > 0;
    }

    /** The engine's own count of an Anthropic body's prompt tokens, or -1. */
    CompletableFuture<Integer> countMessages(String url, Map<String, Object> body, int timeoutMs) {
        return post(url + "/v1/messages/count_tokens", body, timeoutMs).thenApply(answer -> {
            try {
                return answer == null || answer.status != 200
                        ? -1
                        : ChatBody.JSON
                                .readTree(answer.body)
                                .path("input_tokens")
                                .asInt(-1);
            } catch (IOException e) {
                return -1;
            }
        });
    }

    private record Answer(int status, byte[] body) {}

    private CompletableFuture<Answer> post(String url, Map<String, Object> body, int timeoutMs) {
        if (!open.tryAcquire()) {
            counts.endpointErrors.increment();
            return CompletableFuture.completedFuture(null);
        }
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofMillis(timeoutMs))
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(
                            PyJson.dumps(body, true).getBytes(StandardCharsets.UTF_8)))
                    .build();
        } catch (IllegalArgumentException e) {
            open.release();
            counts.endpointErrors.increment();
            return CompletableFuture.completedFuture(null);
        }
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()).handle((response, failure) -> {
            open.release();
            if (failure != null) {
                counts.endpointErrors.increment();
                return null;
            }
            int status = response.statusCode();
            if (status == 403 || status == 404 || status == 405) {
                leave(url);
            }
            return new Answer(status, response.body());
        });
    }

    private void leave(String endpoint) {
        if (absent.size() < 10_000) {
            absent.put(endpoint, System.nanoTime() + ABSENT_NS);
        }
    }

    private int[] ids(String endpoint, Answer answer, String field) {
        int[] found = null;
        if (answer != null && answer.status == 200) {
            try {
                found = TokenIdScan.find(answer.body, 0, answer.body.length, field);
            } catch (IOException e) {
                found = null;
            }
            if (found == null) {
                leave(endpoint); // whatever answers there does not know the question
            }
        }
        if (found == null && answer != null) {
            counts.endpointErrors.increment();
        }
        return found;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
