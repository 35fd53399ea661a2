package io.penstock.dataplane.inputlog;

import java.nio.file.Path;

/**
 * A file of the log: a header, then frames. A frame is what the writer took from the ring at one time, summed, so that the
 * end that a kill tore is known.
 *
 * <pre>
 * header  0 magic u64   8 version u32   12 header bytes u32, text included   16 first seq i64   24 wall clock i64, Unix ms
 *        32 router's nanoseconds i64 at that   40 flags u32   44 text bytes u32   48 CRC32C u32 of the text   52 zero u32
 *        56 text: JSON {"core": ..., "routing": ...}
 * frame   0 length u32, records only   4 CRC32C u32 of bytes 8 to the end   8 first seq i64   16 last seq i64   24 records
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
final class SegmentLayout {
    /** "PSTKINPT" read as a little-endian number. */
    static final long MAGIC_VALUE = 0x54504E494B545350L;

    static final int VERSION_VALUE = 2;

    static final int MAGIC = 0;
    static final int VERSION = MAGIC + Long.BYTES;
    static final int HEADER_BYTES = VERSION + Integer.BYTES;
    static final int FIRST_SEQ = HEADER_BYTES + Integer.BYTES;
    static final int EPOCH_MS = FIRST_SEQ + Long.BYTES;
    static final int NANOS = EPOCH_MS + Long.BYTES;
    static final int FLAGS = NANOS + Long.BYTES;
    static final int TEXT_BYTES = FLAGS + Integer.BYTES;
    static final int TEXT_SUM = TEXT_BYTES + Integer.BYTES;
    static final int TEXT = TEXT_SUM + 2 * Integer.BYTES;

    /** Flag: a process began with this file, its core empty. */
    static final int RUN_BEGINS = 1;

    static final int FRAME_LENGTH = 0;
    static final int FRAME_SUM = FRAME_LENGTH + Integer.BYTES;
    static final int FRAME_FIRST = FRAME_SUM + Integer.BYTES;
    static final int FRAME_LAST = FRAME_FIRST + Long.BYTES;
    static final int FRAME_RECORDS = FRAME_LAST + Long.BYTES;

    static final String SUFFIX = ".inputs";

    private SegmentLayout() {}

    /** Name of the file that begins with {@code firstSeq}: names in order are files in order. */
    static Path file(Path folder, long firstSeq) {
        return folder.resolve("%019d%s".formatted(firstSeq, SUFFIX));
    }
}
