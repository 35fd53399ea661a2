package io.penstock.dataplane.sinks;

import java.io.Closeable;
import java.io.IOException;

/**
 * Where rows go.
 *
 * <p><b>Threading:</b> made by one thread, then owned by the sink's own.
 */
interface TraceSink extends Closeable {
    /**
     * Takes a row; it may wait here for the next {@link #flush}.
     *
     * @throws RowRefusedException if this row cannot go this way; it is lost, others are not
     * @throws IOException if rows that waited could not be written; they are lost, {@link #takeLost} says how many
     */
    void write(DynamoRow row) throws IOException;

    /**
     * Writes what waits.
     *
     * @throws IOException as {@link #write}
     */
    void flush() throws IOException;

    /** Longest time that a row may wait, ms. */
    long flushIntervalMs();

    /** Rows lost since the last call. */
    long takeLost();

    /** Flushes and ends. */
    @Override
    void close() throws IOException;

    /** A row that cannot go this way. */
    final class RowRefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RowRefusedException(String message) {
            super(message);
        }
    }
}
