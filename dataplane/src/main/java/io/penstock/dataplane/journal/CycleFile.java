package io.penstock.dataplane.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Walks the documents of one file of a Chronicle Queue, while somebody writes it, by the framing alone: each document is a
 * u32 header and its bytes, the next one at the next multiple of four.
 *
 * <p>The file is read, not mapped: its writer cuts it to length when it rolls, and what is mapped behind a file's end kills
 * the reader. A document whose header is in a buffer, but not yet its bytes, fails its checksum and is read again.
 *
 * <p><b>Threading:</b> one thread.
 */
final class CycleFile implements AutoCloseable {
    /** What was found. */
    enum Found {
        /** A document with data. */
        DOCUMENT,
        /** Nothing is written here yet, or it is being written. */
        NOTHING,
        /** The file goes on no more. */
        END
    }

    private static final int NOT_COMPLETE = 1 << 31;
    private static final int METADATA = 1 << 30;
    private static final int LENGTH_MASK = METADATA - 1;
    private static final int END_OF_FILE = NOT_COMPLETE | METADATA;
    private static final int HEADER_BYTES = 4;
    private static final int MARK_EVERY = 256;
    private static final int READ = 1 << 18;
    private static final int SMALL_READ = 1 << 12;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ).order(ByteOrder.LITTLE_ENDIAN);
    private long bufferAt;
    private long[] marks = new long[64];
    private long next;
    private long sequence = -1;
    private long at;
    private int length;
    private boolean atEnd;

    CycleFile(Path path) throws IOException {
        this.path = path;
        channel = FileChannel.open(path, StandardOpenOption.READ);
        buffer.limit(0);
    }

    /** The next document's header; then {@link #bytes} and {@link #sequence} are its. */
    Found next() {
        while (true) {
            int header = header();
            if (pending(header)) {
                // What is in the buffer may be old. Not much is read anew: most often nothing has come.
                buffer.limit(0);
                atEnd = true;
                header = header();
                if (pending(header)) {
                    return Found.NOTHING;
                }
            }
            if (header == END_OF_FILE) {
                return Found.END;
            }
            long begin = next + HEADER_BYTES;
            int bytes = header & LENGTH_MASK;
            long end = begin + bytes;
            next = end + 3 & ~3L;
            if ((header & METADATA) == 0) {
                at = begin;
                length = bytes;
                sequence++;
                mark(begin - HEADER_BYTES);
                return Found.DOCUMENT;
            }
        }
    }

    /** Where the file's last header ends, walking there. */
    long end() {
        Found found = Found.DOCUMENT;
        while (found == Found.DOCUMENT) {
            found = next();
        }
        return next + HEADER_BYTES;
    }

    private int header() {
        return buffered(next, HEADER_BYTES) ? buffer.getInt((int) (next - bufferAt)) : 0;
    }

    private static boolean pending(int header) {
        return header == 0 || header != END_OF_FILE && (header & NOT_COMPLETE) != 0;
    }

    private void mark(long offset) {
        if (sequence % MARK_EVERY == 0) {
            int mark = (int) (sequence / MARK_EVERY);
            if (mark == marks.length) {
                marks = Arrays.copyOf(marks, 2 * mark);
            }
            marks[mark] = offset;
        }
    }

    /** Number of the document found last, from 0. */
    long sequence() {
        return sequence;
    }

    /** Bytes of the document found last. */
    int length() {
        return length;
    }

    /** Goes to document {@code wanted}, so that {@link #next} finds the one behind it; false if it is not there. */
    boolean seek(long wanted) {
        if (wanted < sequence) {
            long mark = wanted / MARK_EVERY;
            next = marks[(int) mark];
            sequence = mark * MARK_EVERY - 1;
        }
        while (sequence < wanted) {
            if (next() != Found.DOCUMENT) {
                return false;
            }
        }
        return sequence == wanted;
    }

    /**
     * The document found last.
     *
     * @return its bytes, from the buffer's position to its limit
     * @throws IllegalStateException if its length or its checksum is wrong
     */
    ByteBuffer document(DocumentCheck check) {
        for (int tries = 0; ; tries++) {
            if (length <= TraceLayout.MAX_DOCUMENT_BYTES && buffered(at, length)) {
                ByteBuffer document =
                        buffer.slice((int) (at - bufferAt), length).order(ByteOrder.LITTLE_ENDIAN);
                if (check.sound(document)) {
                    return document;
                }
            }
            if (tries == 2) {
                throw new IllegalStateException("record is damaged: file=" + path + " offset=" + at);
            }
            buffer.limit(0);
        }
    }

    private boolean buffered(long from, int bytes) {
        if (from >= bufferAt && from + bytes <= bufferAt + buffer.limit()) {
            return true;
        }
        try {
            buffer.clear();
            buffer.limit(atEnd ? Math.max(bytes, SMALL_READ) : buffer.capacity());
            atEnd = false;
            bufferAt = from;
            while (buffer.hasRemaining() && channel.read(buffer, bufferAt + buffer.position()) > 0) {
                // Until the buffer is full or the file ends.
            }
            buffer.flip();
            return buffer.limit() >= bytes;
        } catch (IOException failed) {
            throw new UncheckedIOException("journal cannot be read: " + path, failed);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException("file does not close: " + path, failed);
        }
    }
}
