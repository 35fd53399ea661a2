package io.penstock.dataplane.sinks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * The sink to a log collector: OTLP, protobuf over HTTP, up to 512 rows or 4 MiB a request.
 *
 * <p>A collector that says to come back later (429, 502, 503, 504) or cannot be reached is asked again, three times in all;
 * then these rows are lost. A row of content that is too long goes without its content; another one is refused.
 *
 * <p><b>Threading:</b> owned by the sink's thread.
 */
final class OtelLogs implements TraceSink {
    private static final int MAX_ROWS = 512;
    private static final int MAX_BYTES = 4 << 20;
    private static final int ATTEMPTS = 3;
    private static final long FIRST_PAUSE_MS = 200;
    private static final long FLUSH_INTERVAL_MS = 1000;

    private final OtelSettings settings;
    private final HttpClient http;
    private final List<byte[]> waiting = new ArrayList<>();
    private int waitingBytes;
    private long lost;

    OtelLogs(OtelSettings settings) {
        this.settings = settings;
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(settings.timeoutMs()))
                .build();
    }

    @Override
    public void write(DynamoRow row) throws IOException {
        byte[] record = OtelLogRecord.of(fitting(row), System.currentTimeMillis() * 1_000_000);
        waiting.add(record);
        waitingBytes += record.length;
        if (waiting.size() >= MAX_ROWS || waitingBytes >= MAX_BYTES) {
            flush();
        }
    }

    private DynamoRow fitting(DynamoRow row) throws RowRefusedException {
        long max = settings.maxPayloadBytes();
        int bytes = row.json().length;
        if (bytes <= max) {
            return row;
        }
        String reason = "otel_payload_too_large:max_bytes=" + max + ":actual_bytes=" + bytes;
        if (row.event() == DynamoEvent.REQUEST_PAYLOAD) {
            return PayloadRow.marker(row, reason);
        }
        throw new RowRefusedException(reason);
    }

    @Override
    public void flush() throws IOException {
        if (waiting.isEmpty()) {
            return;
        }
        int rows = waiting.size();
        byte[] body = OtelLogRecord.request(settings.serviceName(), settings.resource(), waiting);
        waiting.clear();
        waitingBytes = 0;
        try {
            send(body);
        } catch (IOException e) {
            lost += rows;
            throw e;
        }
    }

    private void send(byte[] body) throws IOException {
        HttpRequest request = request(body);
        long pauseMs = FIRST_PAUSE_MS;
        for (int attempt = 1; ; attempt++) {
            String problem;
            try {
                HttpResponse<Void> answer = http.send(request, HttpResponse.BodyHandlers.discarding());
                int status = answer.statusCode();
                if (status / 100 == 2) {
                    return;
                }
                problem = "status=" + status;
                if (status != 429 && status != 502 && status != 503 && status != 504) {
                    throw new IOException("the collector refuses: url=" + settings.endpoint() + " " + problem);
                }
            } catch (java.net.ConnectException | java.net.http.HttpTimeoutException e) {
                problem = e.toString();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("given up at the end: url=" + settings.endpoint(), e);
            }
            if (attempt == ATTEMPTS) {
                throw new IOException("the collector does not answer: url=" + settings.endpoint() + " " + problem);
            }
            pause(pauseMs);
            pauseMs *= 2;
        }
    }

    private static void pause(long pauseMs) throws IOException {
        try {
            Thread.sleep(pauseMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("given up at the end", e);
        }
    }

    private HttpRequest request(byte[] body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.endpoint())
                .timeout(Duration.ofMillis(settings.timeoutMs()))
                .header("Content-Type", "application/x-protobuf");
        settings.headers().forEach(request::header);
        if (settings.packed()) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(body);
            }
            return request.header("Content-Encoding", "gzip")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
                    .build();
        }
        return request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
    }

    @Override
    public long flushIntervalMs() {
        return FLUSH_INTERVAL_MS;
    }

    @Override
    public long takeLost() {
        long taken = lost;
        lost = 0;
        return taken;
    }

    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            http.shutdownNow();
        }
    }
}
