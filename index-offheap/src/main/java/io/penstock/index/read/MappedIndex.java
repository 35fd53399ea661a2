package io.penstock.index.read;

import io.penstock.index.IndexFileException;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * An index file mapped read-only, without Chronicle, without locks and without a byte written: while a router runs, after
 * it was killed, or on a copy taken elsewhere, of which neither {@code FILE.header} nor {@code FILE.lock} is needed.
 *
 * <p>Offsets count in the linear space ({@code docs/formats/index-file.md}); what lies where says {@link #geometry}, which
 * comes from the file's header and not from a configuration. While a writer runs, words change under the reader: single
 * words are whole, more than one belong together only under the versions.
 *
 * <p>A wild offset is an {@link IndexOutOfBoundsException}. A file that is cut while it is mapped makes {@link #longAt},
 * {@link #intAt} and {@link #bytesAt} throw {@link IndexFileException}; should the JVM report the fault only after the
 * call, its {@link InternalError} comes at the caller's next step instead. Nothing ends the process.
 *
 * <p><b>Threading:</b> thread-safe; {@link #close} may come while others read, who then get an
 * {@link IllegalStateException}.
 */
public final class MappedIndex implements AutoCloseable {
    private final Path file;
    private final Arena arena;
    private final PageView view;
    private final PagePlace place;

    private MappedIndex(Path file, Arena arena, PageView view, PagePlace place) {
        this.file = file;
        this.arena = arena;
        this.view = view;
        this.place = place;
    }

    /**
     * Maps a file of this layout version.
     *
     * @throws IndexFileException with one line naming the check that failed
     */
    // What is opened here closes it.
    @SuppressWarnings("MustBeClosedChecker")
    public static MappedIndex open(Path file) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return checked(file, arena, bytes);
        } catch (IOException failed) {
            arena.close();
            throw new IndexFileException("index file cannot be read: file=" + file + ", cause=" + failed, failed);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    private static MappedIndex checked(Path file, Arena arena, MemorySegment bytes) throws IOException {
        PagePlace place = PagePlace.find(file, bytes);
        ByteBuffer header = bytes.asSlice(place.firstPage(), HeaderLayout.BYTES)
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
        int version = header.getInt(HeaderLayout.LAYOUT_VERSION);
        if (version != HeaderLayout.VERSION_VALUE) {
            throw new IndexFileException("index file has another layout version: layoutVersion=" + version
                    + ", expected " + HeaderLayout.VERSION_VALUE + ", file=" + file);
        }
        CRC32C sum = new CRC32C();
        sum.update(header.duplicate().limit(HeaderLayout.STATIC_SUM));
        if (header.getLong(HeaderLayout.STATIC_SUM) != sum.getValue()) {
            throw new IndexFileException("index file's header is damaged: crc32c="
                    + header.getLong(HeaderLayout.STATIC_SUM) + ", expected " + sum.getValue() + ", file=" + file);
        }
        return new MappedIndex(
                file,
                arena,
                new PageView(bytes, geometry(file, bytes, header, place), place.firstPage(), place.stride()),
                place);
    }

    private static Geometry geometry(Path file, MemorySegment bytes, ByteBuffer header, PagePlace place) {
        Geometry geometry;
        try {
            geometry = Geometry.ofHeader(header);
        } catch (IllegalArgumentException impossible) {
            throw new IndexFileException(impossible.getMessage() + ", file=" + file, impossible);
        }
        long needed = place.firstPage() + (geometry.pageCount - 1) * place.stride() + geometry.pageBytes;
        if (place.stride() < geometry.pageBytes || needed > bytes.byteSize()) {
            throw new IndexFileException("index file is cut: bytes=" + bytes.byteSize() + ", expected at least "
                    + needed + ", file=" + file);
        }
        return geometry;
    }

    /** The file. */
    public Path file() {
        return file;
    }

    /** Where everything lies and how much of it there is. */
    public Geometry geometry() {
        return view.geometry();
    }

    /** Offset of page 0 in the file. */
    public long firstPage() {
        return place.firstPage();
    }

    /** Distance of the pages in the file. */
    public long stride() {
        return place.stride();
    }

    /** Whether {@code FILE.header} said where the pages lie; else they were found in the file itself. */
    public boolean foundBySidecar() {
        return place.bySidecar();
    }

    /** Bytes of the linear space. */
    public long bytes() {
        return view.bytes();
    }

    /** The word at a multiple of 8 of the linear space. */
    public long longAt(long offset) {
        try {
            return view.longAt(offset);
        } catch (InternalError fault) {
            throw cut(fault);
        }
    }

    /** Half a word at a multiple of 4. */
    public int intAt(long offset) {
        try {
            return view.intAt(offset);
        } catch (InternalError fault) {
            throw cut(fault);
        }
    }

    /** {@code count} bytes that lie in one page. */
    public byte[] bytesAt(long offset, int count) {
        byte[] copy = new byte[count];
        try {
            view.copy(offset, copy, count);
        } catch (InternalError fault) {
            throw cut(fault);
        }
        return copy;
    }

    /** The linear space, for look-ups. */
    PageView view() {
        return view;
    }

    private IndexFileException cut(InternalError fault) {
        return new IndexFileException("index file was cut while it was read: file=" + file, fault);
    }

    /** Unmaps. */
    @Override
    public void close() {
        arena.close();
    }
}
