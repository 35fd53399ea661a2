package io.penstock.index.read;

import io.penstock.index.layout.Geometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The linear space of an index file for reading: pages at even distances in one stretch of memory, which is a mapping of
 * the reader's own or the writer's pages in the same process.
 *
 * <p>Every access is held against the number of pages, then against the stretch, which also knows whether it is still
 * mapped: an offset from a damaged or changing word is an exception, never a crash. A file cut beneath a mapping raises
 * an {@link InternalError} at or soon after the access (the JVM's answer to SIGBUS).
 *
 * <p><b>Threading:</b> thread-safe, immutable; what a load finds is ordered by the caller. <b>Cost:</b> about 1 ns a
 * load, nothing allocated.
 */
final class PageView {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_ACCESS = LONG.varHandle();

    private final MemorySegment memory;
    private final Geometry geometry;
    private final long firstPage;
    private final long gap;
    private final int pageShift;
    private final long bytes;

    /** Pages {@code stride} bytes apart, the first at {@code firstPage} of {@code memory}. */
    PageView(MemorySegment memory, Geometry geometry, long firstPage, long stride) {
        this.memory = memory;
        this.geometry = geometry;
        this.firstPage = firstPage;
        gap = stride - geometry.pageBytes;
        pageShift = Integer.numberOfTrailingZeros(geometry.pageBytes);
        bytes = (long) geometry.pageCount << pageShift;
    }

    Geometry geometry() {
        return geometry;
    }

    /** Bytes of the linear space. */
    long bytes() {
        return bytes;
    }

    /** Loads a word at a multiple of 8. */
    long longAt(long offset) {
        return memory.get(LONG, place(offset, Long.BYTES));
    }

    /**
     * Place in memory of bytes that lie in one page, for loads of several of its words by {@link #longIn}: the page is
     * looked for once.
     */
    long stretch(long offset, int count) {
        return place(offset, count);
    }

    /** Loads a word at a place of {@link #stretch}. */
    long longIn(long place) {
        return memory.get(LONG, place);
    }

    /** Loads a word at a place of {@link #stretch} before all that is loaded later. */
    long longInAcquire(long place) {
        return (long) LONG_ACCESS.getAcquire(memory, place);
    }

    /** Loads half a word at a multiple of 4. */
    int intAt(long offset) {
        return memory.get(INT, place(offset, Integer.BYTES));
    }

    /** Loads a word before all that is loaded later. Partner: the writer's barrier before it stores the word. */
    long longAcquire(long offset) {
        return (long) LONG_ACCESS.getAcquire(memory, place(offset, Long.BYTES));
    }

    /** Copies bytes that lie in one page. */
    void copy(long offset, byte[] to, int count) {
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, place(offset, count), to, 0, count);
    }

    private long place(long offset, int count) {
        if (offset < 0 || offset > bytes - count || (offset & geometry.pageBytes - 1) + count > geometry.pageBytes) {
            throw outside(offset, count);
        }
        return firstPage + offset + (offset >>> pageShift) * gap;
    }

    private IndexOutOfBoundsException outside(long offset, int count) {
        return new IndexOutOfBoundsException("access outside of the index's pages: offset=" + offset + ", bytes="
                + count + ", of " + bytes + " in pages of " + geometry.pageBytes);
    }
}
