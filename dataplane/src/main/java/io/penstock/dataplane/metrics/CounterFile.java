package io.penstock.dataplane.metrics;

import static io.penstock.dataplane.metrics.CounterFileLayout.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * Counters and the distinct-error log in a mapped file, so that a dead router can still be read ({@link
 * #map(Path)}). The layout is {@link CounterFileLayout}.
 *
 * <p><b>Threading:</b> counting and errors thread-safe; errors, and {@link #counter(String)} for set-up, take a lock.
 * <b>Cost:</b> one atomic add a count, nothing allocated; an error allocates, once per distinct one more.
 */
public final class CounterFile implements Counting, AutoCloseable {
    private static final int MAX_COUNTERS = 1_024;
    private static final int VALUES_LENGTH = MAX_COUNTERS * CountersReader.COUNTER_LENGTH;
    private static final int METADATA_LENGTH = MAX_COUNTERS * CountersReader.METADATA_LENGTH;
    private static final int ERROR_LENGTH = 256 * 1_024;

    private final MappedByteBuffer mapped;
    private final AtomicBuffer values;
    private final CountersManager manager;
    private final DistinctErrorLog errors;
    private boolean closed;

    private CounterFile(MappedByteBuffer mapped) {
        this.mapped = mapped;
        AtomicBuffer file = new UnsafeBuffer(mapped);
        int valuesAt = HEADER_LENGTH + METADATA_LENGTH;
        values = new UnsafeBuffer(file, valuesAt, VALUES_LENGTH);
        manager = new CountersManager(new UnsafeBuffer(file, HEADER_LENGTH, METADATA_LENGTH), values);
        errors = new DistinctErrorLog(
                new UnsafeBuffer(file, valuesAt + VALUES_LENGTH, ERROR_LENGTH), System::currentTimeMillis);
        for (Counter counter : Counter.values()) {
            int id = manager.allocate(counter.label());
            if (id != counter.ordinal()) {
                throw new IllegalStateException("counter " + counter + " has id " + id);
            }
        }
        file.putInt(VERSION_OFFSET, VERSION, ByteOrder.LITTLE_ENDIAN);
        file.putInt(METADATA_LENGTH_OFFSET, METADATA_LENGTH, ByteOrder.LITTLE_ENDIAN);
        file.putInt(VALUES_LENGTH_OFFSET, VALUES_LENGTH, ByteOrder.LITTLE_ENDIAN);
        file.putInt(ERROR_LENGTH_OFFSET, ERROR_LENGTH, ByteOrder.LITTLE_ENDIAN);
        file.putLong(PID_OFFSET, ProcessHandle.current().pid(), ByteOrder.LITTLE_ENDIAN);
        file.putLong(START_OFFSET, System.currentTimeMillis(), ByteOrder.LITTLE_ENDIAN);
        // Release: pairs with the reader's check of the magic; all before it is there when the magic is.
        file.putLongRelease(MAGIC_OFFSET, MAGIC);
    }

    /**
     * A fresh file; one of a former run is kept beside it as {@code NAME.previous}.
     *
     * @throws UncheckedIOException if it cannot be made
     */
    public static CounterFile create(Path path) {
        try {
            Path folder = path.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            if (Files.exists(path)) {
                Files.move(path, folder.resolve(path.getFileName() + ".previous"), StandardCopyOption.REPLACE_EXISTING);
            }
            long length = HEADER_LENGTH + (long) METADATA_LENGTH + VALUES_LENGTH + ERROR_LENGTH;
            try (FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                return new CounterFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("counters file: " + path, e);
        }
    }

    /**
     * Another process' file, read-only, whether that process lives or not.
     *
     * @throws IllegalArgumentException if it is not a counters file of this version
     */
    public static CounterFileReader map(Path path) {
        return CounterFileReader.open(path);
    }

    @Override
    public void add(Counter counter, long amount) {
        values.getAndAddLong(CountersReader.counterOffset(counter.ordinal()), amount);
    }

    /** Value now. */
    public long value(Counter counter) {
        return values.getLongVolatile(CountersReader.counterOffset(counter.ordinal()));
    }

    /** A further counter of that label, for another room's counts. */
    public synchronized AtomicCounter counter(String label) {
        return manager.newCounter(label);
    }

    /**
     * Notes an error: once in full, then as a count and the time of the last. One that comes after the end is not noted:
     * background work may fail because the router ends, and the memory is gone by then.
     */
    public synchronized void error(Throwable error) {
        if (!closed) {
            errors.record(error);
        }
    }

    /** Lets go of the mapping; nothing may be counted after it. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            BufferUtil.free(mapped);
        }
    }
}
