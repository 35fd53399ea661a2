package io.penstock.index.pages;

import io.penstock.index.IndexConfig;
import io.penstock.index.IndexFileException;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.layout.PoolLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * An index file from lock to close: makes it, or checks and opens it, and keeps its header's state.
 *
 * <p>A file is made under {@code FILE.tmp} and renamed when complete, so that under its own name it always is. While open
 * it is marked dirty; a close in order sums all pages and marks it clean.
 *
 * <p><b>Threading:</b> owned by the opener.
 */
public final class IndexFile implements AutoCloseable {
    /** What the content of the file is worth. */
    public enum Content {
        /** Just made; the structures must be formatted. */
        FRESH,
        /** Closed in order, sums hold. */
        CLEAN,
        /** The writer was killed under this boot: the step in flight is to be undone. */
        KILLED,
        /** Left dirty under another boot. */
        OTHER_BOOT,
        /** Sums do not hold. */
        DAMAGED
    }

    private final WriterLock lock;
    private final IndexConfig config;
    private final PageFile pages;
    private final Geometry geometry;
    private final Content content;
    private final boolean prefixRestored;
    private final boolean poolHolds;

    private IndexFile(
            WriterLock lock,
            IndexConfig config,
            PageFile pages,
            Geometry geometry,
            Content content,
            boolean prefixRestored,
            boolean poolHolds) {
        this.lock = lock;
        this.config = config;
        this.pages = pages;
        this.geometry = geometry;
        this.content = content;
        this.prefixRestored = prefixRestored;
        this.poolHolds = poolHolds;
    }

    /** Locks and opens, or makes, the file; throws {@link IndexFileException} with the check that failed. */
    public static IndexFile open(IndexConfig config) {
        Path file = config.file();
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            WriterLock lock = WriterLock.take(file);
            try {
                NameExchange.settle(file);
                return Files.exists(file) ? existing(lock, config) : fresh(lock, config.resolved());
            } catch (IOException | RuntimeException refused) {
                lock.close();
                throw refused;
            }
        } catch (IOException failed) {
            throw new IndexFileException("index file cannot be opened: file=" + file + ", cause=" + failed, failed);
        }
    }

    private static IndexFile existing(WriterLock lock, IndexConfig config) throws IOException {
        Preflight found = Preflight.check(config.file(), config);
        Geometry geometry = found.geometry();
        PageFile pages = PageFile.open(config.file(), geometry.pageBytes, geometry.pageCount);
        Content content;
        boolean poolHolds = false;
        if (found.state() == HeaderLayout.CLEAN) {
            content = sumsHold(pages, geometry) ? Content.CLEAN : Content.DAMAGED;
            poolHolds = content == Content.CLEAN && sumsHold(pages, geometry, geometry.ownPages(), pages.pageCount());
        } else if (found.state() != HeaderLayout.DIRTY) {
            content = Content.DAMAGED;
        } else {
            content = BootId.current().sameAs(found.boot()) ? Content.KILLED : Content.OTHER_BOOT;
        }
        if (content == Content.CLEAN || content == Content.KILLED) {
            markDirty(pages);
        }
        if (geometry.pool != null && !poolHolds) {
            Memory.putLong(pages.address(geometry.pool.header) + PoolLayout.STATE, PoolLayout.EMPTIED);
        }
        return new IndexFile(lock, found.config(), pages, geometry, content, found.prefixRestored(), poolHolds);
    }

    /**
     * How a file was made, without opening it for writing.
     *
     * @throws IndexFileException when it is none, or was left open under another boot, so that its content is not believed
     */
    public static IndexConfig believable(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IndexFileException("no such index file: file=" + file);
        }
        Preflight found = Preflight.asMade(file);
        if (found.state() != HeaderLayout.CLEAN && !BootId.current().sameAs(found.boot())) {
            throw new IndexFileException(
                    "index file was left open under another boot, its content is not believed: file=" + file);
        }
        return found.config();
    }

    /** Makes the file; one of that name is replaced. */
    private static IndexFile fresh(WriterLock lock, IndexConfig config) throws IOException {
        Geometry geometry = new Geometry(config);
        Path making = config.file().resolveSibling(config.file().getFileName() + ".tmp");
        Files.deleteIfExists(making);
        PageFile pages = create(making, config, geometry);
        try {
            writeStatic(pages, config, geometry);
            markDirty(pages);
            return new IndexFile(lock, config, pages, geometry, Content.FRESH, false, true);
        } catch (RuntimeException unusable) {
            pages.close();
            throw unusable;
        }
    }

    private static PageFile create(Path making, IndexConfig config, Geometry geometry) throws IOException {
        long bytes = (long) geometry.pageCount * geometry.pageBytes;
        long free = Files.getFileStore(making.toAbsolutePath().getParent()).getUsableSpace();
        try {
            if (free < bytes) {
                throw new IOException("no room on the disk");
            }
            return PageFile.create(making, geometry.pageBytes, geometry.pageCount);
        } catch (IOException | RuntimeException failed) {
            Files.deleteIfExists(making);
            throw new IndexFileException(
                    "index file cannot be made: file=" + config.file() + ", bytes=" + bytes + ", free=" + free
                            + ", cause=" + failed.getMessage(),
                    failed);
        }
    }

    /** Gives the fresh file, formatted by now, its name. */
    public void publish() {
        if (!Ladder.PAGES) {
            return;
        }
        Path making = config.file().resolveSibling(config.file().getFileName() + ".tmp");
        try {
            Files.deleteIfExists(config.file());
            Sidecar.of(making, pages.stride(), HeaderLayout.MAGIC_VALUE).store(config.file());
            Files.move(making, config.file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new IndexFileException(
                    "index file cannot be made: file=" + config.file() + ", cause=" + failed, failed);
        }
    }

    /** Lets go of a file that is not believed and makes an empty one in its place, under the same lock. */
    public IndexFile replaced() {
        return replaced(config);
    }

    /** The same with other numbers; the former file keeps its name until {@link #publish}. */
    public IndexFile replaced(IndexConfig other) {
        pages.close();
        try {
            return fresh(lock, other);
        } catch (IOException failed) {
            lock.close();
            throw new IndexFileException(
                    "index file cannot be made: file=" + config.file() + ", cause=" + failed, failed);
        }
    }

    private static void writeStatic(PageFile pages, IndexConfig config, Geometry geometry) {
        long header = pages.address(0);
        Memory.putInt(header + HeaderLayout.LAYOUT_VERSION, HeaderLayout.VERSION_VALUE);
        Memory.putInt(header + HeaderLayout.HEADER_BYTES, HeaderLayout.BYTES);
        Memory.putInt(header + HeaderLayout.PAGE_BYTES, geometry.pageBytes);
        Memory.putInt(header + HeaderLayout.PAGE_COUNT, geometry.pageCount);
        Memory.putInt(header + HeaderLayout.BLOCK_SIZE, config.blockSize());
        Memory.putInt(header + HeaderLayout.MAX_SLOTS, config.maxSlots());
        Memory.putLong(header + HeaderLayout.CAPACITY_BLOCKS, config.capacityBlocks());
        int[] counts = geometry.counts();
        for (int i = 0; i < counts.length; i++) {
            Memory.putInt(header + HeaderLayout.HOLDER_COUNT + (long) i * Integer.BYTES, counts[i]);
        }
        long[] offsets = geometry.regionOffsets();
        for (int i = 0; i < offsets.length; i++) {
            Memory.putLong(header + HeaderLayout.REGION_OFFSETS + (long) i * Long.BYTES, offsets[i]);
        }
        Memory.putLong(header + HeaderLayout.MAGIC, HeaderLayout.MAGIC_VALUE);
        Memory.putLong(header + HeaderLayout.STATIC_SUM, Preflight.staticSum(Memory.view(header, HeaderLayout.BYTES)));
        if (geometry.pool != null) {
            writeStatic(pages.address(geometry.pool.header), geometry.pool);
        }
    }

    private static void writeStatic(long header, PoolGeometry pool) {
        Memory.putLong(header + PoolLayout.CAPACITY_PAGES, pool.capacityPages);
        Memory.putInt(header + PoolLayout.OBJECTS, pool.objects);
        Memory.putInt(header + PoolLayout.RECORD_BYTES, pool.recordBytes);
        Memory.putInt(header + PoolLayout.LINE_COUNT, pool.lineCount);
        long[] offsets = pool.offsets();
        for (int i = 0; i < offsets.length; i++) {
            Memory.putLong(header + PoolLayout.OFFSETS + (long) i * Long.BYTES, offsets[i]);
        }
        Memory.putLong(header + PoolLayout.MAGIC, PoolLayout.MAGIC_VALUE);
        Memory.putLong(header + PoolLayout.POOL_SUM, PoolGeometry.sum(Memory.view(header, PoolLayout.BYTES)));
    }

    private static void markDirty(PageFile pages) {
        long header = pages.address(0);
        BootId boot = BootId.current();
        Memory.putLong(header + HeaderLayout.OWNER_PID, ProcessHandle.current().pid());
        Memory.putLong(header + HeaderLayout.OWNER_SINCE, System.currentTimeMillis());
        Memory.putLong(header + HeaderLayout.BOOT_HIGH, boot.high());
        Memory.putLong(header + HeaderLayout.BOOT_LOW, boot.low());
        Memory.storeBarrier();
        Memory.putLong(header + HeaderLayout.STATE, HeaderLayout.DIRTY);
        Memory.storeBarrier();
    }

    private static boolean sumsHold(PageFile pages, Geometry geometry) {
        if (Memory.getLong(pages.address(0) + HeaderLayout.CONTENT_SUM) != contentSum(pages, geometry)) {
            return false;
        }
        return sumsHold(pages, geometry, 0, geometry.ownPages());
    }

    private static boolean sumsHold(PageFile pages, Geometry geometry, int from, int to) {
        return new PageSums(
                        from,
                        to,
                        page -> Memory.getLong(sumAddress(pages, geometry, page)) == pageSum(pages, geometry, page))
                .hold();
    }

    private static long sumAddress(PageFile pages, Geometry geometry, int page) {
        return pages.address(geometry.pageSums + (long) page * Long.BYTES);
    }

    /** Sum of a page's bytes after the header and the sums themselves. */
    private static long pageSum(PageFile pages, Geometry geometry, int page) {
        long begin = Math.max((long) page * geometry.pageBytes, geometry.undo);
        int bytes = (int) ((page + 1L) * geometry.pageBytes - begin);
        if (bytes <= 0) {
            return 0;
        }
        CRC32C sum = new CRC32C();
        sum.update(Memory.view(pages.address(begin), bytes));
        return sum.getValue();
    }

    private static long contentSum(PageFile pages, Geometry geometry) {
        CRC32C sum = new CRC32C();
        sum.update(Memory.view(pages.address(HeaderLayout.ROOTS), HeaderLayout.ROOTS_END - HeaderLayout.ROOTS));
        for (int page = 0; page < pages.pageCount(); page++) {
            sum.update(Memory.view(sumAddress(pages, geometry, page), Long.BYTES));
        }
        return sum.getValue();
    }

    /** The pages. */
    public PageFile pages() {
        return pages;
    }

    /** How the file was made. */
    public IndexConfig config() {
        return config;
    }

    /** Where everything lies. */
    public Geometry geometry() {
        return geometry;
    }

    /** What the content is worth. */
    public Content content() {
        return content;
    }

    /** Whether the shared pool's region, if there is one, is new or was closed in order and holds its sums. */
    public boolean poolHolds() {
        return poolHolds;
    }

    /** Whether Chronicle's part of the file differed from its copy and was put back. */
    public boolean prefixRestored() {
        return prefixRestored;
    }

    /** Sums all pages, marks the file clean, unmaps and unlocks it. */
    @Override
    public void close() {
        for (int page = 0; page < pages.pageCount(); page++) {
            Memory.putLong(sumAddress(pages, geometry, page), pageSum(pages, geometry, page));
        }
        long header = pages.address(0);
        Memory.putLong(header + HeaderLayout.CONTENT_SUM, contentSum(pages, geometry));
        Memory.storeBarrier();
        Memory.putLong(header + HeaderLayout.STATE, HeaderLayout.CLEAN);
        abandon();
    }

    /** Unmaps and unlocks without marking it clean. */
    public void abandon() {
        pages.close();
        lock.close();
    }
}
