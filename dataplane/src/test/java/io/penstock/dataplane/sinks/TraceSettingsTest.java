package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.sinks.TraceSettings.FileFormat;
import io.penstock.dataplane.sinks.TraceSettings.Rows;
import io.penstock.dataplane.sinks.TraceSettings.Sink;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row of Dynamo's list of variables. */
class TraceSettingsTest {
    private static final String T = "DYN_REQUEST_TRACE_";

    private static TraceSettings of(String... pairs) {
        Map<String, String> environment = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            environment.put(pairs[i], pairs[i + 1]);
        }
        return TraceSettings.of(environment);
    }

    private static TraceSettings on(String... pairs) {
        String[] all = java.util.Arrays.copyOf(pairs, pairs.length + 2);
        all[pairs.length] = "DYN_REQUEST_TRACE";
        all[pairs.length + 1] = "1";
        return of(all);
    }

    @Test
    void shouldBeOffWithDynamosDefaultsWhenNothingIsSet() {
        TraceSettings settings = of();

        assertEquals(Set.of(), settings.rows());
        assertEquals(Set.of(), settings.sinks());
        assertEquals(Path.of("/tmp/dynamo-request-trace"), settings.file());
        assertEquals(FileFormat.JSONL_GZ, settings.fileFormat());
        assertEquals(1024, settings.capacity());
        assertEquals(1_048_576, settings.bufferBytes());
        assertEquals(1000, settings.flushIntervalMs());
        assertEquals(268_435_456, settings.rollBytes());
        assertEquals(0, settings.rollLines());
        assertEquals(4_194_304, settings.otel().maxPayloadBytes());
        assertEquals(Set.of(), settings.capturedHeaders());
        assertNull(settings.toolEndpoint());
        assertEquals("agent-tool-events", settings.toolTopic());
        assertTrue(settings.warnings().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "on", "yes", " TRUE ", "On"})
    void shouldTellEndsAndToolsWhenSwitchedOn(String yes) {
        TraceSettings settings = of("DYN_REQUEST_TRACE", yes);

        assertEquals(Set.of(Rows.REQUEST_END, Rows.TOOL), settings.rows());
        assertEquals(Set.of(Sink.FILE), settings.sinks());
        assertFalse(settings.wantsPayload());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "false", "off", "no", "", "  ", "2", "enabled"})
    void shouldStayOffWhenTheSwitchSaysNoYes(String no) {
        assertEquals(Set.of(), of("DYN_REQUEST_TRACE", no).rows());
    }

    @ParameterizedTest
    @CsvSource({
        "request_end, REQUEST_END",
        "REQUEST_PAYLOAD, REQUEST_PAYLOAD",
        "tool, TOOL",
        "tools, TOOL",
        "tool_start, TOOL",
        "tool_end, TOOL",
        "tool_error, TOOL"
    })
    void shouldReplaceTheDefaultsAndSwitchOnWhenRecordsAreNamed(String word, Rows rows) {
        assertEquals(Set.of(rows), of(T + "RECORDS", " " + word + ", ").rows());
        assertEquals(
                Set.of(rows), of("DYN_REQUEST_TRACE", "0", T + "RECORDS", word).rows());
        assertEquals(Set.of(rows), on(T + "RECORDS", word).rows());
    }

    @Test
    void shouldWarnAndIgnoreWhenRecordsAreUnknown() {
        TraceSettings settings = of(T + "RECORDS", "request_start,tool");

        assertEquals(Set.of(Rows.TOOL), settings.rows());
        assertEquals(1, settings.warnings().size());
        assertTrue(settings.warnings().getFirst().contains("request_start"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file|FILE|JSONL_GZ",
                "jsonl|FILE|JSONL",
                "jsonl_gz|FILE|JSONL_GZ",
                "jsonl,jsonl_gz|FILE|JSONL_GZ",
                "stderr|STDERR|JSONL_GZ",
                "otel|OTEL|JSONL_GZ",
                "' , ,'|STDERR|JSONL_GZ"
            })
    void shouldTakeSinksByNameAndByOldName(String list, Sink sink, FileFormat format) {
        for (String variable : new String[] {T + "SINKS", "DYN_AUDIT_SINKS"}) {
            TraceSettings settings = on(variable, list);
            assertEquals(Set.of(sink), settings.sinks());
            assertEquals(format, settings.fileFormat());
        }
    }

    @Test
    void shouldTakeSeveralSinksAndWarnOfUnknownOnes() {
        TraceSettings settings = on(T + "SINKS", "stderr, kafka ,file", "DYN_AUDIT_SINKS", "otel");

        assertEquals(Set.of(Sink.STDERR, Sink.FILE), settings.sinks());
        assertEquals(1, settings.warnings().size());
        assertTrue(settings.warnings().getFirst().contains("kafka"));
    }

    @Test
    void shouldWarnOnceEachWhenASinkIsNotBuilt() {
        TraceSettings settings =
                on(T + "SINKS", "nats,s3", T + "S3_BUCKET", "b", T + "S3_REGION", "r", T + "S3_PREFIX", "p");

        assertEquals(Set.of(), settings.sinks());
        assertEquals(2, settings.warnings().size());
        assertTrue(settings.warnings().get(0).endsWith("sink=nats subject=dynamo.request_trace.v1"));
        assertTrue(settings.warnings()
                .get(1)
                .endsWith("sink=s3 bucket=b region=r prefix=p rollBytes=67108864 flushIntervalMs=10000"));
        assertTrue(of(T + "SINKS", "nats").warnings().isEmpty(), "nothing is asked of it while tracing is off");
    }

    @Test
    void shouldNameTheSubjectThatDynamoWouldUse() {
        assertTrue(on("DYN_AUDIT_SINKS", "nats").warnings().getFirst().endsWith("subject=dynamo.audit.v1"));
        assertTrue(on(T + "SINKS", "nats", "DYN_AUDIT_NATS_SUBJECT", "x")
                .warnings()
                .getFirst()
                .endsWith("subject=x"));
        assertTrue(on(T + "SINKS", "nats", T + "NATS_SUBJECT", "y", "DYN_AUDIT_NATS_SUBJECT", "x")
                .warnings()
                .getFirst()
                .endsWith("subject=y"));
    }

    @ParameterizedTest
    @ValueSource(strings = {T + "FILE_PATH", T + "OUTPUT_PATH", "DYN_AUDIT_OUTPUT_PATH"})
    void shouldTakeThePathByAnyOfItsNames(String name) {
        assertEquals(Path.of("/x/y"), on(name, " /x/y ").file());
    }

    @Test
    void shouldPreferTheNewestName() {
        assertEquals(
                Path.of("a"),
                on("DYN_AUDIT_OUTPUT_PATH", "c", T + "OUTPUT_PATH", "b", T + "FILE_PATH", "a")
                        .file());
        assertEquals(
                Path.of("b"),
                on("DYN_AUDIT_OUTPUT_PATH", "c", T + "OUTPUT_PATH", "b", T + "FILE_PATH", " ")
                        .file());
    }

    @ParameterizedTest
    @CsvSource({"jsonl,JSONL", "jsonl_gz,JSONL_GZ", "jsonl.gz,JSONL_GZ", "parquet,JSONL_GZ"})
    void shouldTakeTheFormatOverTheOldNameOfTheSink(String word, FileFormat format) {
        assertEquals(format, on(T + "SINKS", "jsonl", T + "FILE_FORMAT", word).fileFormat());
        assertEquals(
                format, on(T + "SINKS", "jsonl_gz", T + "FILE_FORMAT", word).fileFormat());
    }

    @ParameterizedTest
    @CsvSource({
        "CAPACITY, CAPACITY, CAPACITY",
        "FILE_BUFFER_BYTES, JSONL_BUFFER_BYTES, JSONL_BUFFER_BYTES",
        "FILE_FLUSH_INTERVAL_MS, JSONL_FLUSH_INTERVAL_MS, JSONL_FLUSH_INTERVAL_MS",
        "FILE_ROLL_BYTES, JSONL_GZ_ROLL_BYTES, JSONL_GZ_ROLL_BYTES",
        "FILE_ROLL_LINES, JSONL_GZ_ROLL_LINES, JSONL_GZ_ROLL_LINES",
        "OTEL_MAX_PAYLOAD_BYTES, OTEL_MAX_PAYLOAD_BYTES, OTEL_MAX_PAYLOAD_BYTES"
    })
    void shouldTakeNumbersByTheFirstNameThatHoldsOne(String name, String alias, String audit) {
        ToLongFunction<TraceSettings> value = settings -> switch (name) {
            case "CAPACITY" -> settings.capacity();
            case "FILE_BUFFER_BYTES" -> settings.bufferBytes();
            case "FILE_FLUSH_INTERVAL_MS" -> settings.flushIntervalMs();
            case "FILE_ROLL_BYTES" -> settings.rollBytes();
            case "FILE_ROLL_LINES" -> settings.rollLines();
            default -> settings.otel().maxPayloadBytes();
        };
        long otherwise = value.applyAsLong(of());

        assertEquals(7, value.applyAsLong(of(T + name, "7", "DYN_AUDIT_" + audit, "9")));
        assertEquals(8, value.applyAsLong(of(T + alias, "8", "DYN_AUDIT_" + audit, "9")));
        assertEquals(9, value.applyAsLong(of("DYN_AUDIT_" + audit, "9")));
        assertEquals(9, value.applyAsLong(of(T + name, "many", "DYN_AUDIT_" + audit, "9")));
        assertEquals(otherwise, value.applyAsLong(of(T + name, "-1")));
        assertEquals(1, of(T + name, "1e6").warnings().size());
    }

    @Test
    void shouldHoldNumbersWithinTheirBounds() {
        assertEquals(1024, of(T + "CAPACITY", "0").capacity());
        assertEquals(1, of(T + "FILE_FLUSH_INTERVAL_MS", "0").flushIntervalMs());
    }

    @Test
    void shouldCaptureHeadersByCommaAndBlank() {
        assertEquals(
                Set.of("x-a", "x-b", "x-c"),
                on(T + "HTTP_HEADER_CAPTURE_LIST", " X-A,x-b  x-c,, ").capturedHeaders());
    }

    @Test
    void shouldTakeToolEventsWhereTheEndpointIsNamed() {
        TraceSettings settings = of(T + "TOOL_EVENTS_ZMQ_ENDPOINT", "tcp://127.0.0.1:20390");
        assertEquals("tcp://127.0.0.1:20390", settings.toolEndpoint());
        assertEquals("agent-tool-events", settings.toolTopic());
        assertEquals("t", of(T + "TOOL_EVENTS_ZMQ_TOPIC", "t").toolTopic());
    }

    @Test
    void shouldAddContentWhenAuditLoggingIsForced() {
        assertEquals(
                Set.of(Rows.REQUEST_PAYLOAD),
                of("DYN_AUDIT_FORCE_LOGGING", "true").rows());
        assertTrue(on("DYN_AUDIT_FORCE_LOGGING", "1").wantsPayload());
        assertEquals(3, on("DYN_AUDIT_FORCE_LOGGING", "1").rows().size());
        assertTrue(of(T + "RECORDS", "request_payload").wantsPayload());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-|-|-|http://localhost:4318/v1/logs|1",
                "grpc|-|-|http://localhost:4318/v1/logs|1",
                "grpc|http://c:4317|-|http://c:4318/v1/logs|1",
                "-|https://c|-|https://c:4318/v1/logs|1",
                "grpc|c:4317|-|http://c:4318/v1/logs|1",
                "http/protobuf|-|-|http://localhost:4318/v1/logs|0",
                "http/protobuf|http://c:9|-|http://c:9/v1/logs|0",
                "http/protobuf|http://c/base/|-|http://c/base/v1/logs|0",
                "http/protobuf|http://c:9|http://d:7/x|http://d:7/x|0",
                "http/json|http://c:9|-|http://c:9/v1/logs|1"
            })
    void shouldFindTheCollectorAsOpenTelemetrySays(
            String protocol, String endpoint, String logs, URI expected, int warnings) {
        Map<String, String> environment = new HashMap<>(Map.of("DYN_REQUEST_TRACE", "1", T + "SINKS", "otel"));
        if (protocol != null) {
            environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", protocol);
        }
        if (endpoint != null) {
            environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
        }
        if (logs != null) {
            environment.put("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", logs);
        }
        TraceSettings settings = TraceSettings.of(environment);

        assertEquals(expected, settings.otel().endpoint());
        assertEquals(warnings, settings.warnings().size(), settings.warnings()::toString);
    }

    @Test
    void shouldTakeTheRestOfTheCollectorsSettings() {
        OtelSettings defaults = of().otel();
        assertEquals("dynamo", defaults.serviceName());
        assertEquals(10_000, defaults.timeoutMs());
        assertFalse(defaults.packed());
        OtelSettings settings = of(
                        "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "http/protobuf",
                        "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
                        "OTEL_SERVICE_NAME", "penstock",
                        "OTEL_RESOURCE_ATTRIBUTES", "service.name=no,deployment=a%20b+c",
                        "OTEL_EXPORTER_OTLP_HEADERS", "api-key=k=1,x=100%",
                        "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip",
                        "OTEL_EXPORTER_OTLP_TIMEOUT", "500")
                .otel();
        assertEquals("penstock", settings.serviceName());
        assertEquals(Map.of("deployment", "a b+c"), settings.resource());
        assertEquals(Map.of("api-key", "k=1", "x", "100%"), settings.headers());
        assertEquals(500, settings.timeoutMs());
        assertTrue(settings.packed());
    }

    @Test
    void shouldRefuseACollectorThatIsNoUrl() {
        IllegalArgumentException told = assertThrows(
                IllegalArgumentException.class,
                () -> of(
                        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "ftp://c", "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"));
        assertTrue(told.getMessage().endsWith("=ftp://c"), told.getMessage());
    }
}
