package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtelLogsTest {
    private static final String GOLDEN =
            "0aa6020a210a150a0c736572766963652e6e616d6512050a037376630a080a016b12030a01761280020a160a1464796e"
                    + "616d6f2e726571756573745f747261636512e5010940420f000000000010091a04494e464f2a110a0f72657175657374"
                    + "5f7061796c6f616432230a06736368656d6112190a1764796e616d6f2e726571756573742e74726163652e7631321f0a"
                    + "0a6576656e745f7479706512110a0f726571756573745f7061796c6f6164320a0a0372696412030a0172320c0a056d6f"
                    + "64656c12030a016d320f0a08656e64706f696e7412030a016532160a107061796c6f61645f636f6d706c657465120210"
                    + "00321c0a137061796c6f61645f64726f705f726561736f6e12050a03776879320f0a077061796c6f616412040a027b7d"
                    + "590200000000000000";

    private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
    private final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Integer> answers = new ConcurrentLinkedQueue<>();
    private HttpServer collector;

    @BeforeEach
    void start() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/logs", exchange -> {
            bodies.add(exchange.getRequestBody().readAllBytes());
            headers.add(Map.copyOf(exchange.getRequestHeaders()));
            Integer status = answers.poll();
            exchange.sendResponseHeaders(status == null ? 200 : status, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private OtelSettings settings(String... more) {
        Map<String, String> environment = new HashMap<>();
        environment.put("DYN_REQUEST_TRACE", "1");
        environment.put("DYN_REQUEST_TRACE_SINKS", "otel");
        environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
        environment.put(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + collector.getAddress().getPort());
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return TraceSettings.of(environment).otel();
    }

    private static DynamoRow tool() {
        return DynamoTraceJson.row(TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", "c"));
    }

    private static DynamoRow payload() {
        TraceRecord record = TraceRecords.request("r1", TraceRecords.agent("s", null));
        record.requestPayload = "{\"model\":\"my-model\"}".getBytes(StandardCharsets.UTF_8);
        record.responsePayload = "{\"choices\":[]}".getBytes(StandardCharsets.UTF_8);
        return PayloadRow.of(record);
    }

    /** OpenTelemetry's own classes (opentelemetry-proto 1.45 for Python) read these bytes and write them again alike. */
    @Test
    void shouldWriteTheBytesOfTheProtocol() {
        DynamoRow row = new DynamoRow(
                DynamoEvent.REQUEST_PAYLOAD, 1, "r", "m", "e", false, "why", "{}".getBytes(StandardCharsets.UTF_8));
        byte[] record = OtelLogRecord.of(row, 2);
        byte[] request = OtelLogRecord.request("svc", Map.of("k", "v"), List.of(record));

        assertEquals(GOLDEN, HexFormat.of().formatHex(request));
    }

    @Test
    void shouldPostWhatWaitsWhenFlushed() throws IOException {
        try (OtelLogs sink = new OtelLogs(settings("OTEL_EXPORTER_OTLP_HEADERS", "api-key=k"))) {
            sink.write(tool());
            sink.write(payload());
            assertEquals(0, bodies.size());
            sink.flush();
            sink.flush();
        }
        assertEquals(1, bodies.size());
        String text = new String(bodies.getFirst(), StandardCharsets.UTF_8);
        for (String part : List.of(
                "dynamo.request_trace",
                "service.name",
                "dynamo",
                "INFO",
                "tool_end",
                "request_payload",
                "openai.chat_completion",
                new String(tool().json(), StandardCharsets.UTF_8),
                new String(payload().json(), StandardCharsets.UTF_8))) {
            assertTrue(text.contains(part), part);
        }
        assertEquals(List.of("application/x-protobuf"), headers.getFirst().get("Content-type"));
        assertEquals(List.of("k"), headers.getFirst().get("Api-key"));
    }

    @Test
    void shouldPackWhenAskedTo() throws IOException {
        try (OtelLogs sink = new OtelLogs(settings("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"))) {
            sink.write(tool());
        }
        assertEquals(List.of("gzip"), headers.getFirst().get("Content-encoding"));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bodies.getFirst()))) {
            assertTrue(new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("tool_end"));
        }
    }

    @Test
    void shouldAskAgainWhenTheCollectorIsBusy() throws IOException {
        answers.addAll(List.of(503, 429));
        try (OtelLogs sink = new OtelLogs(settings())) {
            sink.write(tool());
            sink.flush();
            assertEquals(0, sink.takeLost());
        }
        assertEquals(3, bodies.size());
    }

    @Test
    void shouldLoseAndCountWhatTheCollectorRefuses() throws IOException {
        answers.add(400);
        try (OtelLogs sink = new OtelLogs(settings())) {
            sink.write(tool());
            sink.write(tool());
            IOException told = assertThrows(IOException.class, sink::flush);
            assertTrue(told.getMessage().endsWith("status=400"), told.getMessage());
            assertEquals(2, sink.takeLost());
            sink.write(tool());
        }
        assertEquals(2, bodies.size());
    }

    @Test
    void shouldLeaveOutContentThatIsTooLongAndRefuseOtherRows() throws IOException {
        int bytes = payload().json().length;
        OtelSettings settings = settings("DYN_REQUEST_TRACE_OTEL_MAX_PAYLOAD_BYTES", "100");
        try (OtelLogs sink = new OtelLogs(settings)) {
            TraceSink.RowRefusedException told =
                    assertThrows(TraceSink.RowRefusedException.class, () -> sink.write(tool()));
            assertTrue(told.getMessage().startsWith("otel_payload_too_large:max_bytes=100:actual_bytes="));
            sink.write(payload());
        }
        String text = new String(bodies.getFirst(), StandardCharsets.UTF_8);
        assertTrue(text.contains("{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_payload\","
                + "\"event_time_unix_ms\":1777312800000,\"payload\":{\"request_id\":\"r1\","
                + "\"endpoint\":\"openai.chat_completion\",\"model\":\"my-model\",\"payload_complete\":false,"
                + "\"payload_drop_reason\":\"otel_payload_too_large:max_bytes=100:actual_bytes=" + bytes + "\"}}"));
    }
}
