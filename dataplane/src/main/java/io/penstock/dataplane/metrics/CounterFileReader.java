package io.penstock.dataplane.metrics;

import static io.penstock.dataplane.metrics.CounterFileLayout.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

/**
 * Reads a counters file, of a living router or a dead one.
 *
 * <p><b>Threading:</b> many readers; never writes.
 */
public final class CounterFileReader implements AutoCloseable {
    private final MappedByteBuffer mapped;
    private final AtomicBuffer file;
    private final CountersReader counters;
    private final AtomicBuffer errors;

    /**
     * A distinct error.
     *
     * @param count how often it was seen
     * @param firstEpochMs first time, ms since 1970
     * @param lastEpochMs last time, ms since 1970
     * @param text type, message and stack
     */
    public record LoggedError(int count, long firstEpochMs, long lastEpochMs, String text) {}

    private CounterFileReader(MappedByteBuffer mapped) {
        this.mapped = mapped;
        file = new UnsafeBuffer(mapped);
        int metadata = file.getInt(METADATA_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        int values = file.getInt(VALUES_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        int errorLog = file.getInt(ERROR_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        counters = new CountersReader(
                new UnsafeBuffer(file, HEADER_LENGTH, metadata),
                new UnsafeBuffer(file, HEADER_LENGTH + metadata, values));
        errors = new UnsafeBuffer(file, HEADER_LENGTH + metadata + values, errorLog);
    }

    static CounterFileReader open(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long length = channel.size();
            if (length < HEADER_LENGTH || length > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("not a counters file: length=" + length);
            }
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, length);
            AtomicBuffer head = new UnsafeBuffer(mapped);
            // Acquire: pairs with the writer's release of the magic.
            long magic = head.getLongVolatile(MAGIC_OFFSET);
            if (magic != MAGIC) {
                throw new IllegalArgumentException("not a counters file: magic=" + Long.toHexString(magic));
            }
            int version = head.getInt(VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN);
            if (version != VERSION) {
                throw new IllegalArgumentException("another layout of counters file: version=" + version);
            }
            return new CounterFileReader(mapped);
        } catch (IOException e) {
            throw new UncheckedIOException("counters file: " + path, e);
        }
    }

    /** Process id of the router that writes, or wrote, the file. */
    public long pid() {
        return file.getLong(PID_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** Start of that router, ms since 1970. */
    public long startEpochMs() {
        return file.getLong(START_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** Value of one of the pipeline's counters. */
    public long value(Counter counter) {
        return counters.getCounterValue(counter.ordinal());
    }

    /** All counters by label, in the order of their ids. */
    public Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        counters.forEach((value, id, label) -> all.put(label, value));
        return all;
    }

    /** The distinct errors. */
    public List<LoggedError> errors() {
        List<LoggedError> found = new ArrayList<>();
        ErrorLogReader.read(errors, (count, first, last, text) -> found.add(new LoggedError(count, first, last, text)));
        return found;
    }

    /** Lets go of the mapping. */
    @Override
    public void close() {
        BufferUtil.free(mapped);
    }
}
