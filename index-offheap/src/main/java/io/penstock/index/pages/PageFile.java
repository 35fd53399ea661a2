package io.penstock.index.pages;

import io.penstock.index.IndexFileException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import net.openhft.chronicle.hash.Data;
import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;
import net.openhft.chronicle.values.Values;

/**
 * The pages: values of a Chronicle Map (key = page number), resolved once to addresses. After that the map is not
 * touched until {@link #close}.
 *
 * <p>I1: the map's own locks are taken for writing only while the file is made under another name, so a kill can never
 * leave one behind. I2: page N+1 is refused by never asking for it; Chronicle would double the file. I3: no entry
 * checksums (a recovery of Chronicle's would delete every page) and no exit hook (it unmaps under running threads).
 *
 * <p><b>Threading:</b> owned by the opener; {@link #address} by whoever owns the content.
 */
public final class PageFile implements AutoCloseable {
    private static final int ALIGNMENT = 4096;
    private static final int OCCUPIED_AT_ONCE = 1 << 20;

    private final ChronicleMap<Integer, byte[]> map;
    private final long[] pages;
    private final int pageShift;
    private final long pageMask;
    private final long openNs;

    private PageFile(ChronicleMap<Integer, byte[]> map, long[] pages, int pageBytes, long openNs) {
        this.map = map;
        this.pages = pages;
        this.openNs = openNs;
        pageShift = Integer.numberOfTrailingZeros(pageBytes);
        pageMask = pageBytes - 1L;
        MappedPages.add(pages, pageBytes);
    }

    /** Makes a file of zeroed pages. */
    static PageFile create(Path file, int pageBytes, int pageCount) throws IOException {
        return open(file, pageBytes, pageCount, true);
    }

    /** Opens a file that passed {@link Preflight}. */
    static PageFile open(Path file, int pageBytes, int pageCount) throws IOException {
        return open(file, pageBytes, pageCount, false);
    }

    private static PageFile open(Path file, int pageBytes, int pageCount, boolean create) throws IOException {
        long begin = System.nanoTime();
        byte[] sample = new byte[pageBytes];
        ChronicleMap<Integer, byte[]> map = ChronicleMapBuilder.of(Integer.class, byte[].class)
                .name("penstock-index")
                .entries(pageCount)
                .constantValueSizeBySample(sample)
                .actualSegments(1)
                .maxBloatFactor(1.0)
                .checksumEntries(false)
                .entryAndValueOffsetAlignment(ALIGNMENT)
                .skipCloseOnExitHook(true)
                .putReturnsNull(true)
                .createPersistedTo(file.toFile());
        try {
            if (create) {
                occupy(file);
            }
            long[] pages = new long[pageCount];
            if (!Ladder.PAGES) {
                long bare = Arena.global()
                        .allocate((long) pageCount * pageBytes, ALIGNMENT)
                        .address();
                Arrays.setAll(pages, page -> bare + (long) page * pageBytes);
                return new PageFile(map, pages, pageBytes, System.nanoTime() - begin);
            }
            for (int page = 0; page < pageCount; page++) {
                pages[page] = create ? insert(map, page, sample) : resolve(map, page, pageBytes, file);
            }
            return new PageFile(map, pages, pageBytes, System.nanoTime() - begin);
        } catch (IOException | RuntimeException unusable) {
            map.close();
            throw unusable;
        }
    }

    /**
     * Takes the disk space of the file, which is sparse so far, by writing back what it reads: a full disk is an error here,
     * and not a signal when a page is first touched.
     */
    private static void occupy(Path file) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(OCCUPIED_AT_ONCE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long bytes = channel.size();
            for (long at = 0; at < bytes; at += chunk.limit()) {
                chunk.clear().limit((int) Math.min(OCCUPIED_AT_ONCE, bytes - at));
                for (long from = at; chunk.hasRemaining(); ) {
                    from += channel.read(chunk, from);
                }
                chunk.flip();
                for (long to = at; chunk.hasRemaining(); ) {
                    to += channel.write(chunk, to);
                }
            }
        }
    }

    private static long insert(ChronicleMap<Integer, byte[]> map, int page, byte[] zeros) {
        try (ExternalMapQueryContext<Integer, byte[], ?> query = map.queryContext(page)) {
            query.updateLock().lock();
            query.insert(query.absentEntry(), query.wrapValueAsData(zeros));
            return address(query.entry(), zeros.length);
        }
    }

    private static long resolve(ChronicleMap<Integer, byte[]> map, int page, int pageBytes, Path file) {
        try (ExternalMapQueryContext<Integer, byte[], ?> query = map.queryContext(page)) {
            query.readLock().lock();
            MapEntry<Integer, byte[]> entry = query.entry();
            if (entry == null || entry.value().size() != pageBytes) {
                throw new IndexFileException("index file lacks a page of the right size: page=" + page + ", pageBytes="
                        + pageBytes + ", file=" + file);
            }
            return address(entry, pageBytes);
        }
    }

    private static long address(MapEntry<Integer, byte[]> entry, int pageBytes) {
        Data<byte[]> value = entry.value();
        long address = value.bytes().addressForRead(value.offset());
        if (value.size() != pageBytes || address % Long.BYTES != 0) {
            throw new IllegalStateException("Chronicle Map laid a page out unexpectedly: size=" + value.size());
        }
        return address;
    }

    /** Has Chronicle's classes loaded and initialised, so that an open that comes soon finds them ready. */
    public static void prepare() {
        ChronicleMapBuilder.of(Integer.class, byte[].class);
        Values.nativeClassFor(VanillaGlobalMutableState.class);
    }

    /** What Chronicle Map's open and the resolving of pages took, nanoseconds. */
    public long openNs() {
        return openNs;
    }

    /** Address of a byte of the linear space. */
    public long address(long offset) {
        return pages[(int) (offset >>> pageShift)] + (offset & pageMask);
    }

    /** Bytes of a page. */
    public int pageBytes() {
        return (int) pageMask + 1;
    }

    /** Number of pages. */
    public int pageCount() {
        return pages.length;
    }

    /** Distance between consecutive pages in the mapping; also in the file. */
    public long stride() {
        long stride = pages.length == 1 ? pageBytes() : pages[1] - pages[0];
        for (int page = 1; page < pages.length; page++) {
            if (pages[page] - pages[page - 1] != stride) {
                throw new IllegalStateException("Chronicle Map did not lay the pages out evenly: page=" + page);
            }
        }
        return stride;
    }

    /** Unmaps; every address dies. */
    @Override
    public void close() {
        MappedPages.remove(pages);
        map.close();
    }
}
