package io.penstock.dataplane.inputlog;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One file of the log, read frame by frame, also while it is written. What a kill or a loss of power left of the last frame is
 * no frame.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class SegmentReader implements AutoCloseable {
    private static final int MOST_FRAME_BYTES = 1 << 30;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer header;
    private final String settings;
    private final ByteBuffer frameHeader =
            ByteBuffer.allocate(SegmentLayout.FRAME_RECORDS).order(ByteOrder.LITTLE_ENDIAN);
    private long at;
    private String torn;

    private SegmentReader(Path file, FileChannel channel, ByteBuffer header, String settings) {
        this.file = file;
        this.channel = channel;
        this.header = header;
        this.settings = settings;
        at = header.getInt(SegmentLayout.HEADER_BYTES);
    }

    /**
     * Opens it.
     *
     * @return null when its header is not whole: it is just being begun, or its writer was killed then
     * @throws IOException in one line, when it is not one of ours
     */
    static SegmentReader open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        SegmentReader opened = null;
        try {
            ByteBuffer header = ByteBuffer.allocate(SegmentLayout.TEXT).order(ByteOrder.LITTLE_ENDIAN);
            if (fill(channel, header, 0)) {
                check(file, header);
                String settings = text(channel, header);
                opened = settings == null ? null : new SegmentReader(file, channel, header, settings);
            }
            return opened;
        } finally {
            if (opened == null) {
                channel.close();
            }
        }
    }

    private static void check(Path file, ByteBuffer header) throws IOException {
        if (header.getLong(SegmentLayout.MAGIC) != SegmentLayout.MAGIC_VALUE) {
            throw new IOException("not a file of the input log: file=" + file);
        }
        int version = header.getInt(SegmentLayout.VERSION);
        if (version != SegmentLayout.VERSION_VALUE) {
            throw new IOException("input log of another version: version=" + version + ", file=" + file);
        }
    }

    private static String text(FileChannel channel, ByteBuffer header) throws IOException {
        int length = header.getInt(SegmentLayout.TEXT_BYTES);
        if (length < 0 || length > channel.size()) {
            return null;
        }
        ByteBuffer text = ByteBuffer.allocate(length);
        CRC32C sum = new CRC32C();
        if (fill(channel, text, SegmentLayout.TEXT)) {
            sum.update(text.array());
        }
        return (int) sum.getValue() == header.getInt(SegmentLayout.TEXT_SUM)
                ? new String(text.array(), StandardCharsets.UTF_8)
                : null;
    }

    /** JSON of what the core was made with. */
    String settings() {
        return settings;
    }

    /** Whether a process began with this file. */
    boolean runBegins() {
        return (header.getInt(SegmentLayout.FLAGS) & SegmentLayout.RUN_BEGINS) != 0;
    }

    /** Wall clock of a router's time, Unix milliseconds. */
    long epochMs(long timeNs) {
        return header.getLong(SegmentLayout.EPOCH_MS) + (timeNs - header.getLong(SegmentLayout.NANOS)) / 1_000_000;
    }

    /** What ended the file before its end, or null. */
    String torn() {
        return torn;
    }

    /** Goes past the frames that end at or before {@code seq}, looking at their headers only. */
    void skipTo(long seq) throws IOException {
        while (head() && frameHeader.getLong(SegmentLayout.FRAME_LAST) <= seq) {
            at += SegmentLayout.FRAME_RECORDS + (long) frameHeader.getInt(SegmentLayout.FRAME_LENGTH);
        }
    }

    /** Number of the last whole frame's last record, or -1. */
    long lastSeq() throws IOException {
        long last = -1;
        while (head()) {
            last = Math.max(last, frameHeader.getLong(SegmentLayout.FRAME_LAST));
            at += SegmentLayout.FRAME_RECORDS + (long) frameHeader.getInt(SegmentLayout.FRAME_LENGTH);
        }
        return last;
    }

    /** Reads the next frame's header; false at the end. */
    private boolean head() throws IOException {
        frameHeader.clear();
        if (!fill(channel, frameHeader, at)) {
            torn = at < channel.size() ? "ends within a frame's header at byte " + at : torn;
            return false;
        }
        int length = frameHeader.getInt(SegmentLayout.FRAME_LENGTH);
        if (length <= 0 || length > MOST_FRAME_BYTES) {
            torn = "frame of a length that cannot be at byte " + at;
            return false;
        }
        if (at + SegmentLayout.FRAME_RECORDS + length > channel.size()) {
            torn = "ends within a frame at byte " + at;
            return false;
        }
        return true;
    }

    /** Records of the next frame, or null at the end. */
    ByteBuffer next() throws IOException {
        if (!head()) {
            return null;
        }
        int length = frameHeader.getInt(SegmentLayout.FRAME_LENGTH);
        ByteBuffer records = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (!fill(channel, records, at + SegmentLayout.FRAME_RECORDS)) {
            throw new EOFException("file was cut while it was read: file=" + file);
        }
        CRC32C sum = new CRC32C();
        sum.update(frameHeader.duplicate().position(SegmentLayout.FRAME_FIRST).limit(SegmentLayout.FRAME_RECORDS));
        sum.update(records.array());
        if ((int) sum.getValue() != frameHeader.getInt(SegmentLayout.FRAME_SUM)) {
            torn = "frame does not hold its sum at byte " + at;
            return null;
        }
        at += SegmentLayout.FRAME_RECORDS + length;
        return records.rewind();
    }

    private static boolean fill(FileChannel channel, ByteBuffer into, long from) throws IOException {
        long position = from;
        while (into.hasRemaining()) {
            int read = channel.read(into, position);
            if (read < 0) {
                return false;
            }
            position += read;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
