package io.penstock.dataplane.sinks;

import java.io.IOException;
import java.io.PrintStream;

/**
 * Bare rows, one a line, on a stream such as standard error.
 *
 * <p><b>Threading:</b> owned by the sink's thread; the stream is shared, a line goes out in one call.
 */
final class RowStream implements TraceSink {
    private static final long FLUSH_INTERVAL_MS = 1000;

    private final PrintStream stream;

    RowStream(PrintStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(DynamoRow row) throws IOException {
        byte[] line = java.util.Arrays.copyOf(row.json(), row.json().length + 1);
        line[line.length - 1] = '\n';
        stream.write(line, 0, line.length);
        stream.flush();
        if (stream.checkError()) {
            throw new RowRefusedException("standard error cannot be written");
        }
    }

    @Override
    public void flush() {
        // Nothing waits.
    }

    @Override
    public long flushIntervalMs() {
        return FLUSH_INTERVAL_MS;
    }

    @Override
    public long takeLost() {
        return 0;
    }

    @Override
    public void close() {
        // The stream is not ours.
    }
}
