package io.penstock.dataplane.inputlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The records of a log in order, over all its files, from a number on.
 *
 * <p><b>Threading:</b> owned by the reader; the log may be written meanwhile.
 */
final class LogReader implements AutoCloseable {
    private final Deque<LogFolder.Entry> files = new ArrayDeque<>();
    private final long after;
    private SegmentReader file;
    private ByteBuffer frame;
    private InputRecord ahead;
    private boolean aheadRead;
    private String torn;

    /**
     * Begins.
     *
     * @param after records up to this number are left out; gaps that end later are not
     */
    LogReader(LogFolder folder, long after) throws IOException {
        this.after = after;
        List<LogFolder.Entry> all = folder.segments();
        int first = 0;
        for (int i = 0; i < all.size(); i++) {
            // A file may begin with the decision of the last request of the one before.
            first = all.get(i).seq() <= after ? i : first;
        }
        files.addAll(all.subList(first, all.size()));
        nextFile();
    }

    /** The last number in the log, 0 of an empty one. */
    static long lastSeq(LogFolder folder) throws IOException {
        List<LogFolder.Entry> all = folder.segments();
        long last = all.isEmpty() ? 0 : all.getLast().seq();
        for (LogFolder.Entry entry : all.reversed()) {
            // Its own number is used up, whatever became of the file.
            last = Math.max(last, entry.seq());
            try (SegmentReader file = SegmentReader.open(entry.path())) {
                if (file != null) {
                    return Math.max(last, file.lastSeq());
                }
            }
        }
        return last;
    }

    private void nextFile() throws IOException {
        if (file != null) {
            torn = file.torn() == null ? torn : file.torn();
            file.close();
            file = null;
        }
        while (file == null && !files.isEmpty()) {
            LogFolder.Entry next = files.poll();
            file = SegmentReader.open(next.path());
            if (file == null) {
                torn = "has no whole header: " + next.path().getFileName();
            } else {
                file.skipTo(after);
            }
        }
    }

    /** JSON of what the core of the last record was made with. */
    String settings() {
        return file.settings();
    }

    /** Wall clock of a router's time, Unix milliseconds. */
    long epochMs(long timeNs) {
        return file.epochMs(timeNs);
    }

    /** What a kill left at the end of a file, or null. */
    String torn() {
        return torn;
    }

    /** The next record, or null at the end of the log. */
    InputRecord next() throws IOException {
        InputRecord record = peek();
        // The end stays the end.
        aheadRead = record == null;
        return record;
    }

    /** The next record, which stays the next. */
    InputRecord peek() throws IOException {
        if (!aheadRead) {
            ahead = read();
            aheadRead = true;
        }
        return ahead;
    }

    private InputRecord read() throws IOException {
        while (file != null) {
            if (frame == null || !frame.hasRemaining()) {
                frame = file.next();
                if (frame == null && files.isEmpty()) {
                    torn = file.torn() == null ? torn : file.torn();
                    return null;
                }
                if (frame == null) {
                    SegmentReader ended = file;
                    nextFile();
                    if (file == null) {
                        // What follows has not even a header: the settings of the last records are still asked for.
                        file = ended;
                        return null;
                    }
                    continue;
                }
            }
            InputRecord record = record();
            long end = record.kind() == RecordLayout.GAP ? record.gapEnd() : record.seq();
            if (end > after) {
                return record;
            }
        }
        return null;
    }

    private InputRecord record() throws IOException {
        int from = frame.position();
        int length = frame.remaining() < RecordLayout.BODY ? 0 : frame.getInt(from + RecordLayout.LENGTH);
        if (length < RecordLayout.BODY || length > frame.remaining()) {
            throw new IOException("record of a length that cannot be: length=" + length);
        }
        frame.position(from + length);
        return new InputRecord(
                frame.get(from + RecordLayout.KIND),
                frame.get(from + RecordLayout.FLAGS),
                frame.getLong(from + RecordLayout.SEQ),
                frame.getLong(from + RecordLayout.TIME),
                frame.slice(from + RecordLayout.BODY, length - RecordLayout.BODY)
                        .order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
