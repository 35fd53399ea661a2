package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.sinks.DynamoRow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * OpenTelemetry logs in files: a line is an {@code ExportLogsServiceRequest} in OTLP's JSON, as the collector's file
 * receiver takes it. A record's body is its event, its attribute {@code payload} the row of Dynamo's trace, as Dynamo's
 * own sink sends it.
 *
 * <p><b>Threading:</b> one thread.
 */
final class OtlpExport implements StreamExport {
    private static final int ROWS_A_LINE = 64;
    private static final long NANOS_A_MS = 1_000_000;
    private static final int SEVERITY_INFO = 9;

    @Override
    public void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException {
        long count = 0;
        List<DynamoRow> batch = new ArrayList<>(ROWS_A_LINE);
        try (JsonRows rows = new JsonRows(out);
                TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                DynamoRow row = DynamoExport.row(record, options, notices);
                if (row != null) {
                    count++;
                    batch.add(row);
                }
                if (batch.size() == ROWS_A_LINE) {
                    rows.add(json -> line(batch, json));
                    batch.clear();
                }
            }
            if (!batch.isEmpty()) {
                rows.add(json -> line(batch, json));
            }
        }
        notices.add("written: log records", count);
    }

    private static void line(List<DynamoRow> batch, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("resourceLogs");
        json.writeStartObject();
        json.writeObjectFieldStart("resource");
        json.writeArrayFieldStart("attributes");
        attribute("service.name", "penstock", json);
        json.writeEndArray();
        json.writeEndObject();
        json.writeArrayFieldStart("scopeLogs");
        json.writeStartObject();
        json.writeObjectFieldStart("scope");
        json.writeStringField("name", "dynamo.request_trace");
        json.writeEndObject();
        json.writeArrayFieldStart("logRecords");
        for (DynamoRow row : batch) {
            log(row, json);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    private static void log(DynamoRow row, JsonGenerator json) throws IOException {
        json.writeStartObject();
        // 64-bit numbers are strings in OTLP's JSON.
        json.writeStringField("timeUnixNano", Long.toString(row.epochMs() * NANOS_A_MS));
        json.writeNumberField("severityNumber", SEVERITY_INFO);
        json.writeStringField("severityText", "INFO");
        json.writeObjectFieldStart("body");
        json.writeStringField("stringValue", row.event().wire());
        json.writeEndObject();
        json.writeArrayFieldStart("attributes");
        attribute("schema", DynamoRow.SCHEMA, json);
        attribute("event_type", row.event().wire(), json);
        attribute("rid", row.requestId(), json);
        attribute("model", row.model(), json);
        attribute("payload", new String(row.json(), StandardCharsets.UTF_8), json);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void attribute(String name, String value, JsonGenerator json) throws IOException {
        if (value == null) {
            return;
        }
        json.writeStartObject();
        json.writeStringField("key", name);
        json.writeObjectFieldStart("value");
        json.writeStringField("stringValue", value);
        json.writeEndObject();
        json.writeEndObject();
    }
}
