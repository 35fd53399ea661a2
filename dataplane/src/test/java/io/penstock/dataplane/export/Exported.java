package io.penstock.dataplane.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an export wrote, and what it said. */
record Exported(String text, Map<String, Long> notices) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Exported of(ExportFormat format, TraceSource source) throws IOException {
        return of(format, source, ExportOptions.ALL);
    }

    static Exported of(ExportFormat format, TraceSource source, ExportOptions options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceExport export = new TraceExport(source, format, options);
        export.to(out);
        return new Exported(
                out.toString(StandardCharsets.UTF_8), export.notices().counts());
    }

    List<String> lines() {
        return text.lines().toList();
    }

    List<JsonNode> rows() throws IOException {
        List<JsonNode> rows = new ArrayList<>();
        for (String line : lines()) {
            rows.add(JSON.readTree(line));
        }
        return rows;
    }

    /** The count of the notice that begins so; 0 without one. */
    long notice(String start) {
        return notices.entrySet().stream()
                .filter(notice -> notice.getKey().startsWith(start))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
