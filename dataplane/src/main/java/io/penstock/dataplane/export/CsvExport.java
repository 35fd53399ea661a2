package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table of all records, one a line, as they were written: RFC 4180 with a header, an empty field for what is not known.
 * Hashes and payloads are not in it.
 *
 * <p><b>Threading:</b> one thread.
 */
final class CsvExport implements StreamExport {
    private record Column(String name, Function<TraceRecord, Object> value) {}

    private static final List<Column> COLUMNS = columns();

    @Override
    public void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException {
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        writer.write(COLUMNS.stream().map(Column::name).collect(Collectors.joining(",")));
        writer.write("\r\n");
        long lines = 0;
        try (TraceReader reader = source.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                if (RecordFilter.takes(record, options, notices)) {
                    line(record, writer);
                    lines++;
                }
            }
        }
        writer.flush();
        notices.add("written: records", lines);
    }

    private static void line(TraceRecord record, Writer writer) throws IOException {
        for (int i = 0; i < COLUMNS.size(); i++) {
            if (i > 0) {
                writer.write(',');
            }
            writer.write(field(COLUMNS.get(i).value().apply(record)));
        }
        writer.write("\r\n");
    }

    private static String field(Object value) {
        if (value == null
                || value instanceof Integer count && count < 0
                || value instanceof Long count && count < 0
                || value instanceof Double number && !Double.isFinite(number)) {
            return "";
        }
        String text = value.toString();
        boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("kind", record -> word(record.kind)));
        columns.add(new Column("epoch_ms", record -> record.epochMs));
        columns.add(new Column("session_id", record -> record.agent.session()));
        columns.add(new Column("parent_session_id", record -> record.agent.parent()));
        columns.add(new Column("session_final", record -> record.agent.sessionFinal()));
        columns.add(new Column("input_trigger", record -> word(record.agent.inputTrigger())));
        columns.add(new Column("identity_source", record -> word(record.agent.source())));
        columns.add(new Column("session_group", record -> record.agent.group()));
        requestColumns(columns);
        timeColumns(columns);
        placeColumns(columns);
        toolColumns(columns);
        columns.add(new Column("action", record -> record.action));
        columns.add(new Column("amount", record -> record.amount));
        return List.copyOf(columns);
    }

    private static void requestColumns(List<Column> columns) {
        columns.add(new Column("request_id", record -> record.requestId));
        columns.add(new Column("x_request_id", record -> record.clientRequestId));
        columns.add(new Column("api", record -> record.api));
        columns.add(new Column("model", record -> record.model));
        columns.add(new Column("outcome", record -> word(record.outcome)));
        columns.add(new Column("status", record -> record.status));
        columns.add(new Column("attempts", ifRequest(record -> record.attempts)));
        columns.add(new Column("input_tokens", record -> record.inputTokens));
        columns.add(new Column("output_tokens", record -> record.outputTokens));
        columns.add(new Column("predicted_cached_tokens", record -> record.predictedCachedTokens));
        columns.add(new Column("cached_tokens", record -> record.cachedTokens));
        columns.add(new Column("finish_reason", record -> record.finishReason));
        columns.add(new Column("tool_calls", ifRequest(record -> record.toolCalls.size())));
        columns.add(new Column(
                "tool_call_ids",
                record -> record.toolCalls.stream()
                        .map(call -> call.id() == null ? "" : call.id())
                        .collect(Collectors.joining(" "))));
    }

    private static void timeColumns(List<Column> columns) {
        columns.add(new Column("received_ms", record -> record.receivedMs));
        columns.add(new Column("routed_ms", record -> record.routedMs));
        columns.add(new Column("first_token_ms", record -> record.firstTokenMs));
        columns.add(new Column("total_ms", record -> record.totalMs));
        columns.add(new Column("wait_ns", record -> record.waitNs));
    }

    private static void placeColumns(List<Column> columns) {
        columns.add(new Column("worker", record -> record.worker));
        columns.add(new Column("dp_rank", record -> record.rank));
        columns.add(new Column("slot", record -> record.slot));
        columns.add(new Column("overlap_blocks", record -> record.overlapBlocks));
        columns.add(new Column("block_size", record -> record.blockSize == 0 ? null : record.blockSize));
        columns.add(new Column("prompt_blocks", record -> record.blockSize == 0 ? null : record.traceHashCount()));
        columns.add(new Column("hashes_of", record -> record.blockSize == 0 ? null : record.exact ? "tokens" : "text"));
    }

    private static void toolColumns(List<Column> columns) {
        columns.add(new Column("tool_call_id", record -> record.toolCallId));
        columns.add(new Column("tool_class", record -> record.toolClass));
        columns.add(new Column("tool_status", record -> record.toolStatus));
        columns.add(new Column("tool_started_ms", record -> record.toolStartedMs));
        columns.add(new Column("tool_ended_ms", record -> record.toolEndedMs));
        columns.add(new Column("tool_ms", record -> record.toolMs));
        columns.add(new Column("tool_output_tokens", record -> record.toolOutputTokens));
        columns.add(new Column("tool_output_bytes", record -> record.toolOutputBytes));
        columns.add(new Column("tool_error_type", record -> record.toolErrorType));
    }

    private static Function<TraceRecord, Object> ifRequest(Function<TraceRecord, Object> value) {
        return record -> record.kind == TraceRecord.Kind.REQUEST_END ? value.apply(record) : null;
    }

    private static String word(Enum<?> value) {
        return value == null ? null : value.name().toLowerCase(java.util.Locale.ROOT);
    }
}
