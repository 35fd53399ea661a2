package io.penstock.dataplane.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads recorded traces: session files of Claude Code and Mooncake traces, plain or gzipped. The format is told from
 * the content, not from the name.
 *
 * <p>A file that cannot be read or understood is an IllegalArgumentException with its name and the reason.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class TraceFiles {
    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);

    private TraceFiles() {}

    /** All sessions of the files, which must be of one format. */
    public static TraceSet read(List<Path> files) {
        List<AgentSession> sessions = new ArrayList<>();
        Boolean openLoop = null;
        for (int i = 0; i < files.size(); i++) {
            boolean rows = readOne(files.get(i), i + 1, sessions);
            if (openLoop != null && openLoop != rows) {
                throw new IllegalArgumentException(
                        "session files and request rows cannot be mixed: trace=" + files.get(i));
            }
            openLoop = rows;
        }
        if (sessions.isEmpty()) {
            throw new IllegalArgumentException("no session in the trace: trace=" + files);
        }
        String source =
                files.size() == 1 ? files.getFirst().toString() : files.size() + " files, " + files.getFirst() + " ...";
        return new TraceSet(source, openLoop, sessions);
    }

    /** Adds a file's sessions; true when it holds request rows. */
    private static boolean readOne(Path file, int number, List<AgentSession> out) {
        try (InputStream in = open(file);
                MappingIterator<JsonNode> objects = READER.readValues(in)) {
            int row = 0;
            boolean rows = false;
            while (objects.hasNext()) {
                JsonNode object = objects.next();
                if (ClaudeCodeTrace.matches(object)) {
                    out.add(ClaudeCodeTrace.read(object, number));
                } else if (MooncakeTrace.matches(object)) {
                    rows = true;
                    out.add(MooncakeTrace.read(object, number, row));
                } else {
                    throw new IllegalArgumentException(
                            "neither a Claude Code session nor a Mooncake row: object " + row);
                }
                row++;
            }
            return rows;
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("trace file unreadable: trace=" + file + " (" + firstLine(e) + ")", e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        raw.mark(2);
        boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b;
        raw.reset();
        return gzip ? new GZIPInputStream(raw, 1 << 16) : raw;
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String line = message.lines().findFirst().orElse("");
        return e instanceof IOException && !(e instanceof com.fasterxml.jackson.core.JacksonException)
                ? e.getClass().getSimpleName() + ": " + line
                : line;
    }
}
