package io.penstock.dataplane.inputlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One file of the log while it is written. A frame is written whole or taken back.
 *
 * <p><b>Threading:</b> owned by the log's writer.
 */
final class SegmentWriter implements AutoCloseable {
    private final FileChannel channel;
    private final CRC32C sum = new CRC32C();
    private long length;

    /**
     * Begins a file.
     *
     * @param settings JSON of what a replay needs to know
     * @param runBegins whether its first record is that of an empty core
     */
    SegmentWriter(Path file, long firstSeq, String settings, boolean runBegins) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        byte[] text = settings.getBytes(StandardCharsets.UTF_8);
        sum.update(text);
        ByteBuffer header =
                ByteBuffer.allocate(SegmentLayout.TEXT + text.length).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(SegmentLayout.MAGIC, SegmentLayout.MAGIC_VALUE)
                .putInt(SegmentLayout.VERSION, SegmentLayout.VERSION_VALUE)
                .putInt(SegmentLayout.HEADER_BYTES, header.capacity())
                .putLong(SegmentLayout.FIRST_SEQ, firstSeq)
                .putLong(SegmentLayout.EPOCH_MS, System.currentTimeMillis())
                .putLong(SegmentLayout.NANOS, System.nanoTime())
                .putInt(SegmentLayout.FLAGS, runBegins ? SegmentLayout.RUN_BEGINS : 0)
                .putInt(SegmentLayout.TEXT_BYTES, text.length)
                .putInt(SegmentLayout.TEXT_SUM, (int) sum.getValue())
                .put(SegmentLayout.TEXT, text);
        write(header);
    }

    /** Bytes in the file. */
    long length() {
        return length;
    }

    /**
     * Appends a frame; its records stand from {@link SegmentLayout#FRAME_RECORDS} to the buffer's position.
     *
     * @throws IOException when it could not be written; nothing of it is left then
     */
    void append(ByteBuffer frame, long firstSeq, long lastSeq) throws IOException {
        int end = frame.position();
        frame.putInt(SegmentLayout.FRAME_LENGTH, end - SegmentLayout.FRAME_RECORDS)
                .putLong(SegmentLayout.FRAME_FIRST, firstSeq)
                .putLong(SegmentLayout.FRAME_LAST, lastSeq);
        sum.reset();
        sum.update(frame.duplicate().position(SegmentLayout.FRAME_FIRST).limit(end));
        frame.putInt(SegmentLayout.FRAME_SUM, (int) sum.getValue());
        frame.flip();
        write(frame);
    }

    private void write(ByteBuffer bytes) throws IOException {
        long from = length;
        try {
            while (bytes.hasRemaining()) {
                from += channel.write(bytes, from);
            }
            length = from;
        } catch (IOException failed) {
            channel.truncate(length);
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
