package io.penstock.index.read;

import io.penstock.index.IndexFileException;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Sidecar;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Where the pages lie in an index file: page n begins at {@code firstPage + n × stride}.
 *
 * <p>{@code FILE.header} says it. Without that copy, or where it does not fit the file, page 0 is found by its magic, and
 * the stride by the page numbers: Chronicle stores each value's key, here the page's number, in the gap before the value,
 * at the same distance in every gap.
 *
 * @param firstPage offset of page 0 in the file
 * @param stride distance of the pages
 * @param bySidecar whether the header copy said so; else found in the file itself
 *
 * <p><b>Threading:</b> immutable.
 */
record PagePlace(long firstPage, long stride, boolean bySidecar) {
    static final int ALIGNMENT = 4096;

    private static final int MAX_GAP_BYTES = 64 * ALIGNMENT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Finds the pages; throws {@link IndexFileException} when there are none. */
    static PagePlace find(Path file, MemorySegment bytes) throws IOException {
        PagePlace told = told(file, bytes);
        if (told != null) {
            return told;
        }
        for (long at = 0; at + HeaderLayout.BYTES <= bytes.byteSize(); at += ALIGNMENT) {
            if (bytes.get(LONG, at + HeaderLayout.MAGIC) == HeaderLayout.MAGIC_VALUE) {
                return new PagePlace(at, stride(file, bytes, at), false);
            }
        }
        throw new IndexFileException(
                "not an index file, page 0 is not found by its magic: bytes=" + bytes.byteSize() + ", file=" + file);
    }

    /** What the copy beside the file says, or null where there is none that fits. */
    private static PagePlace told(Path file, MemorySegment bytes) throws IOException {
        Sidecar copy;
        try {
            copy = Sidecar.load(file);
        } catch (IndexFileException noneOrDamaged) {
            return null;
        }
        long first = copy.firstPage();
        boolean fits = copy.fileBytes() == bytes.byteSize()
                && first >= 0
                && first % ALIGNMENT == 0
                && first + HeaderLayout.BYTES <= bytes.byteSize()
                && copy.stride() % ALIGNMENT == 0
                && bytes.get(LONG, first + HeaderLayout.MAGIC) == HeaderLayout.MAGIC_VALUE;
        return fits ? new PagePlace(first, copy.stride(), true) : null;
    }

    private static long stride(Path file, MemorySegment bytes, long firstPage) {
        int pageBytes = bytes.get(INT, firstPage + HeaderLayout.PAGE_BYTES);
        int pageCount = bytes.get(INT, firstPage + HeaderLayout.PAGE_COUNT);
        if (pageBytes < ALIGNMENT || pageBytes % ALIGNMENT != 0 || pageCount < 1) {
            throw new IndexFileException("index file's header is damaged: pageBytes=" + pageBytes + ", pageCount="
                    + pageCount + ", file=" + file);
        }
        if (pageCount == 1) {
            return pageBytes;
        }
        for (int gap = ALIGNMENT; gap <= MAX_GAP_BYTES; gap += ALIGNMENT) {
            long stride = (long) pageBytes + gap;
            if (firstPage + stride * (pageCount - 1) + pageBytes <= bytes.byteSize()
                    && numbered(bytes, firstPage, stride, gap, pageCount)) {
                return stride;
            }
        }
        throw new IndexFileException("index file is cut, or its pages do not lie evenly: bytes=" + bytes.byteSize()
                + ", pageBytes=" + pageBytes + ", pageCount=" + pageCount + ", file=" + file);
    }

    /** Whether at one distance before every page but the first its number stands, and nothing else but zeros in the gap. */
    private static boolean numbered(MemorySegment bytes, long firstPage, long stride, int gap, int pageCount) {
        int distance = 0;
        for (int before = gap; before > 0 && distance == 0; before -= Integer.BYTES) {
            if (bytes.get(INT, firstPage + stride - before) != 0) {
                distance = before;
            }
        }
        for (int page = 1; page < pageCount && distance > 0; page++) {
            if (bytes.get(INT, firstPage + page * stride - distance) != page) {
                return false;
            }
        }
        return distance > 0;
    }
}
