package io.penstock.index.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * An image while it is written: under {@code FILE.image.tmp}, renamed when all of it is on the disk, so that under its own
 * name it is always whole.
 *
 * <p><b>Threading:</b> owned by the image's thread.
 */
final class RecordSink implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path image;
    private final Path making;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private CRC32C sum = new CRC32C();
    private long written = ImageLayout.BYTES;

    RecordSink(Path image) throws IOException {
        this.image = image;
        making = image.resolveSibling(image.getFileName() + ".tmp");
        channel = FileChannel.open(
                making, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        channel.position(written);
    }

    void words(long[] words, int count) throws IOException {
        int done = 0;
        while (done < count) {
            if (buffer.remaining() < Long.BYTES) {
                flush();
            }
            int part = Math.min(count - done, buffer.remaining() / Long.BYTES);
            buffer.asLongBuffer().put(words, done, part);
            buffer.position(buffer.position() + part * Long.BYTES);
            done += part;
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        sum.update(buffer.duplicate());
        written += buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** Ends a section and answers its sum. */
    long endSection() throws IOException {
        flush();
        long value = sum.getValue();
        sum = new CRC32C();
        return value;
    }

    /** Bytes written so far, header included; whole sections only. */
    long written() {
        return written;
    }

    /** Writes the header and gives the image its name, durably: content, then name. */
    void publish(ByteBuffer header) throws IOException {
        channel.write(header, 0);
        channel.force(true);
        channel.close();
        Files.move(making, image, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(image.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    /** Lets go; what was not published is deleted. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(making);
    }
}
