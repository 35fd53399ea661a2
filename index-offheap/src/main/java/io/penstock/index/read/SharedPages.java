package io.penstock.index.read;

import io.penstock.index.layout.Geometry;
import io.penstock.index.pages.PageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The writer's pages as readers in the same process see them: no second mapping, and let go of before the writer unmaps.
 *
 * <p><b>Threading:</b> thread-safe. {@link #close} returns when no reader is inside the pages any more; a reader that comes
 * later gets an exception instead of unmapped memory.
 */
public final class SharedPages implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final PageView view;

    /** Shares the pages of an open file. */
    public SharedPages(PageFile pages, Geometry geometry) {
        long bytes = (geometry.pageCount - 1) * pages.stride() + geometry.pageBytes;
        MemorySegment memory = MemorySegment.ofAddress(pages.address(0)).reinterpret(bytes, arena, null);
        view = new PageView(memory, geometry, 0, pages.stride());
    }

    /** A reader for one thread. */
    public LiveReader reader() {
        return new LiveReader(view);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
