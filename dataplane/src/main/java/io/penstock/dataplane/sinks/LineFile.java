package io.penstock.dataplane.sinks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file sink without packing: one file that is appended to, each row a line in its envelope.
 *
 * <p>I1: a write that fails half way is taken back, so that no line is cut.
 *
 * <p><b>Threading:</b> owned by the sink's thread.
 */
final class LineFile implements TraceSink {
    private final FileChannel channel;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private final int bufferBytes;
    private final long flushIntervalMs;
    private final long openedNs = System.nanoTime();
    private int rows;
    private long lost;

    /**
     * Opens it, with its folders.
     *
     * @throws IOException if it cannot be written
     */
    LineFile(Path file, int bufferBytes, long flushIntervalMs) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        this.bufferBytes = bufferBytes;
        this.flushIntervalMs = flushIntervalMs;
    }

    @Override
    public void write(DynamoRow row) throws IOException {
        row.writeLine(waiting, (System.nanoTime() - openedNs) / 1_000_000);
        rows++;
        if (waiting.size() >= bufferBytes) {
            flush();
        }
    }

    @Override
    public void flush() throws IOException {
        byte[] bytes = waiting.toByteArray();
        int count = rows;
        waiting.reset();
        rows = 0;
        try {
            append(channel, bytes);
        } catch (IOException e) {
            lost += count;
            throw e;
        }
    }

    /** Appends all of it or nothing. */
    static void append(FileChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long before = channel.size();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            takeBack(channel, before, before + buffer.position(), e);
            throw e;
        }
    }

    /** What lies behind {@code before} is ours only if nobody else has appended meanwhile. */
    private static void takeBack(FileChannel channel, long before, long after, IOException cause) {
        try {
            if (channel.size() == after) {
                channel.truncate(before);
            }
        } catch (IOException second) {
            cause.addSuppressed(second);
        }
    }

    @Override
    public long flushIntervalMs() {
        return flushIntervalMs;
    }

    @Override
    public long takeLost() {
        long taken = lost;
        lost = 0;
        return taken;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
        }
    }
}
