package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Reads files of Dynamo's request trace, whoever wrote them, as records of a journal.
 *
 * <p>Takes bare rows and rows in an envelope, fields it does not know, several gzip members in a file, and a last line
 * that was cut off. What is not a row of the schema, rows of content and rows that say too little are stepped over and
 * counted ({@link #steppedOver}). What Dynamo measures and a router does not see is left behind.
 *
 * <p>Positions are numbers of lines over all files, from 1.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class DynamoTraceReader implements TraceReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER_BYTES = 1 << 16;

    /** Why a line gave no record. */
    public enum Reason {
        /** No object, or one of another schema or event. */
        OTHER_SCHEMA,
        /** A row of content. */
        PAYLOAD,
        /** A row without what its event must say: {@code request_id}, a tool's call, class or session. */
        INCOMPLETE,
        /** A last line that ends before its end: its writer died. */
        CUT_OFF
    }

    private final List<Path> files;
    private final Map<Reason, Long> steppedOver = new EnumMap<>(Reason.class);
    private int file = -1;
    private BufferedReader lines;
    private long lineInFile;
    private long line;
    private long position;

    /**
     * Reads files one after the other; names that end in {@code .gz} are unpacked.
     *
     * @throws IllegalArgumentException if there is none, or one is missing
     */
    public DynamoTraceReader(List<Path> files) {
        this.files = List.copyOf(files);
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no file of a trace was given: files=" + files);
        }
        for (Path each : files) {
            if (!Files.isReadable(each)) {
                throw new IllegalArgumentException("this trace cannot be read: file=" + each);
            }
        }
    }

    /** Lines stepped over so far, by reason. */
    public Map<Reason, Long> steppedOver() {
        return Map.copyOf(steppedOver);
    }

    @Override
    public TraceRecord next() {
        while (true) {
            String text = nextLine();
            if (text == null) {
                return null;
            }
            TraceRecord record = text.isBlank() ? null : record(text);
            if (record != null) {
                position = line;
                return record;
            }
        }
    }

    private TraceRecord record(String text) {
        JsonNode row;
        try {
            row = JSON.readTree(text);
        } catch (JacksonException e) {
            if (isLastLine()) {
                return stepOver(Reason.CUT_OFF);
            }
            throw new IllegalStateException(
                    "not a line of JSON: line=" + files.get(file) + ":" + lineInFile + " (" + e.getOriginalMessage()
                            + ")",
                    e);
        }
        JsonNode event = row.path("event").isObject() ? row.get("event") : row;
        DynamoEvent kind = DynamoEvent.of(event.path("event_type").asText());
        if (kind == null || !DynamoRow.SCHEMA.equals(event.path("schema").asText())) {
            return stepOver(Reason.OTHER_SCHEMA);
        }
        if (kind == DynamoEvent.REQUEST_PAYLOAD) {
            return stepOver(Reason.PAYLOAD);
        }
        TraceRecord record = DynamoRowFields.record(kind, event);
        return record == null ? stepOver(Reason.INCOMPLETE) : record;
    }

    private TraceRecord stepOver(Reason reason) {
        steppedOver.merge(reason, 1L, Long::sum);
        return null;
    }

    private boolean isLastLine() {
        try {
            return lines == null || lines.read() < 0;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private String nextLine() {
        while (lines != null || file + 1 < files.size()) {
            try {
                if (lines == null) {
                    lines = open(files.get(++file));
                    lineInFile = 0;
                }
                String text = lines.readLine();
                if (text != null) {
                    line++;
                    lineInFile++;
                    return text;
                }
            } catch (IOException e) {
                throw failed(e);
            }
            shut();
        }
        return null;
    }

    private BufferedReader open(Path path) throws IOException {
        InputStream raw = Files.newInputStream(path);
        InputStream bytes = path.toString().endsWith(".gz") ? new Unpacked(raw) : raw;
        return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8), BUFFER_BYTES);
    }

    /** Gunzips member after member; a last one without its end ends where its bytes do. */
    private static final class Unpacked extends InputStream {
        private final InputStream raw;
        private InputStream members;

        Unpacked(InputStream raw) {
            this.raw = raw;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                if (members == null) {
                    members = new GZIPInputStream(raw, BUFFER_BYTES);
                }
                return members.read(target, offset, length);
            } catch (EOFException cut) {
                return -1;
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public void close() throws IOException {
            raw.close();
        }
    }

    private UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("this trace cannot be read: file=" + files.get(file), e);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean moveTo(long wanted) {
        rewind();
        while (line < wanted && nextLine() != null) {
            position = line;
        }
        return line == wanted;
    }

    @Override
    public void toEnd() {
        while (nextLine() != null) {
            position = line;
        }
    }

    private void rewind() {
        shut();
        file = -1;
        line = 0;
        position = 0;
    }

    private void shut() {
        try {
            if (lines != null) {
                lines.close();
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lines = null;
        }
    }

    @Override
    public void close() {
        shut();
        file = files.size();
    }
}
