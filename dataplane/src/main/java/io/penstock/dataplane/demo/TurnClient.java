package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.Exchange.End;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Sends turns as an agent does: streams the answer, and sends again what was refused or broken off before its first
 * byte. What broke after the first byte is not retried here: the caller decides.
 *
 * <p><b>Threading:</b> thread-safe; {@link #send} blocks and belongs on a virtual thread.
 */
final class TurnClient implements AutoCloseable {
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);
    static final double NOT_ASKED = -1;

    private final HttpClient http;
    private final TurnWire wire;
    private final URI address;
    private final String model;
    private final RetryPolicy retry;
    private final BooleanSupplier stopped;

    /**
     * A client of one server.
     *
     * @param base {@code http://host:port}
     * @param stopped true once the replay's time is up: broken exchanges are then {@link End#CUT}
     */
    TurnClient(TurnWire wire, URI base, String model, RetryPolicy retry, BooleanSupplier stopped) {
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        this.wire = wire;
        address = base.resolve(wire.path());
        this.model = model;
        this.retry = retry;
        this.stopped = stopped;
    }

    /** One request with its retries. */
    Exchange send(TurnCall call) {
        HttpRequest request = request(call);
        long start = System.nanoTime();
        int attempt = 0;
        while (true) {
            attempt++;
            AnswerSoFar outcome = attempt(request);
            if (outcome.end != null) {
                long seen = outcome.firstNs == 0 ? System.nanoTime() : outcome.firstNs;
                return outcome.exchange(seen - start, attempt - 1);
            }
            if (!pause(attempt, start, outcome.askedSeconds)) {
                outcome.end = stopped.getAsBoolean() ? End.CUT : End.FAILED;
                return outcome.exchange(System.nanoTime() - start, attempt - 1);
            }
        }
    }

    private HttpRequest request(TurnCall call) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(address).timeout(ANSWER_TIMEOUT).header("Content-Type", "application/json");
        wire.fill(builder, model, call);
        return builder.build();
    }

    private boolean pause(int attempt, long startNs, double askedSeconds) {
        long elapsedMs = (System.nanoTime() - startNs) / 1_000_000;
        OptionalLong delay = retry.delayMs(attempt, elapsedMs, askedSeconds, ThreadLocalRandom.current());
        if (delay.isEmpty() || stopped.getAsBoolean()) {
            return false;
        }
        try {
            Thread.sleep(delay.getAsLong());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private AnswerSoFar attempt(HttpRequest request) {
        AnswerSoFar outcome = new AnswerSoFar();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() == 200) {
                    readStream(body, outcome);
                } else {
                    refused(response, body, outcome);
                }
            }
        } catch (IOException e) {
            outcome.broke(e.getClass().getSimpleName() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome.end = End.CUT;
        }
        if (outcome.end != null && outcome.end != End.ANSWERED && stopped.getAsBoolean()) {
            outcome.end = End.CUT;
        }
        return outcome;
    }

    private static void refused(HttpResponse<InputStream> response, InputStream body, AnswerSoFar outcome)
            throws IOException {
        String text = new String(body.readNBytes(2_000), StandardCharsets.UTF_8);
        outcome.cause = "status " + response.statusCode() + ": " + text.strip();
        outcome.askedSeconds = response.headers()
                .firstValue("Retry-After")
                .map(TurnClient::seconds)
                .orElse(NOT_ASKED);
        if (!RetryPolicy.retriable(response.statusCode())) {
            outcome.end = End.FAILED;
        }
    }

    private static double seconds(String header) {
        try {
            return Double.parseDouble(header.trim());
        } catch (NumberFormatException e) {
            // The HTTP-date form: no engine sends it; our own back-off serves.
            return NOT_ASKED;
        }
    }

    private void readStream(InputStream body, AnswerSoFar outcome) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8), 1 << 12);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.startsWith("data:")) {
                continue;
            }
            wire.event(line.substring(5).strip(), outcome);
            if (outcome.end != null || outcome.cause != null) {
                return;
            }
        }
        outcome.broke("the stream ended without its end mark");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
