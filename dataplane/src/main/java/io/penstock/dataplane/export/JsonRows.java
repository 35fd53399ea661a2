package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a JSON object a line.
 *
 * <p><b>Threading:</b> one thread.
 */
final class JsonRows implements AutoCloseable {
    /** Fills one object. */
    interface Row {
        void write(JsonGenerator json) throws IOException;
    }

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final JsonGenerator json;

    /** The stream is flushed and stays open. */
    JsonRows(OutputStream out) throws IOException {
        json = MAPPER.getFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setRootValueSeparator(null);
    }

    void add(Row row) throws IOException {
        json.writeStartObject();
        row.write(json);
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
