package io.penstock.dataplane.sinks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Rows as OTLP's log records. Source: {@code opentelemetry/proto/logs/v1/logs.proto}.
 *
 * <p><b>Threading:</b> immutable, thread-safe.
 */
final class OtelLogRecord {
    /** Scope of all records. */
    static final String SCOPE = "dynamo.request_trace";

    private static final int SEVERITY_INFO = 9;

    private OtelLogRecord() {}

    /** One record, to be put into {@link #request}. */
    static byte[] of(DynamoRow row, long nowNs) {
        ProtoWriter record = new ProtoWriter()
                .fixed64(1, row.epochMs() * 1_000_000)
                .number(2, SEVERITY_INFO)
                .text(3, "INFO")
                .message(5, new ProtoWriter().text(1, row.event().wire()));
        attribute(record, "schema", DynamoRow.SCHEMA);
        attribute(record, "event_type", row.event().wire());
        attribute(record, "rid", row.requestId());
        attribute(record, "model", row.model());
        attribute(record, "endpoint", row.endpoint());
        if (row.payloadComplete() != null) {
            record.message(
                    6,
                    new ProtoWriter()
                            .text(1, "payload_complete")
                            .message(2, new ProtoWriter().number(2, row.payloadComplete() ? 1 : 0)));
        }
        attribute(record, "payload_drop_reason", row.payloadDropReason());
        attribute(record, "payload", new String(row.json(), StandardCharsets.UTF_8));
        return record.fixed64(11, nowNs).toBytes();
    }

    private static void attribute(ProtoWriter record, String key, String value) {
        if (value != null) {
            record.message(6, pair(key, value));
        }
    }

    private static ProtoWriter pair(String key, String value) {
        return new ProtoWriter().text(1, key).message(2, new ProtoWriter().text(1, value));
    }

    /** An {@code ExportLogsServiceRequest} of these records. */
    static byte[] request(String service, Map<String, String> resource, List<byte[]> records) {
        ProtoWriter attributes = new ProtoWriter().message(1, pair("service.name", service));
        resource.forEach((key, value) -> attributes.message(1, pair(key, value)));
        ProtoWriter scoped = new ProtoWriter().message(1, new ProtoWriter().text(1, SCOPE));
        records.forEach(record -> scoped.bytes(2, record));
        return new ProtoWriter()
                .message(1, new ProtoWriter().message(1, attributes).message(2, scoped))
                .toBytes();
    }
}
