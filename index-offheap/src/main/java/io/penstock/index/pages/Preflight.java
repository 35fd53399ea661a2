package io.penstock.index.pages;

import io.penstock.index.IndexConfig;
import io.penstock.index.IndexFileException;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.layout.PoolLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The check that an existing file passes before Chronicle or any raw access touches it: Chronicle believes its own
 * header, and a wrong one hangs or crashes the process.
 *
 * @param state {@link HeaderLayout#CLEAN} or {@link HeaderLayout#DIRTY}
 * @param config how the file was made: what was asked for, with the file's own capacity and pool
 * @param geometry its geometry
 * @param boot boot under which the last writer ran
 * @param prefixRestored whether Chronicle's part differed from its copy and was put back
 *
 * <p><b>Threading:</b> immutable.
 */
record Preflight(long state, IndexConfig config, Geometry geometry, BootId boot, boolean prefixRestored) {

    /** Checks {@code file}; throws {@link IndexFileException} with the check that failed. */
    static Preflight check(Path file, IndexConfig wanted) throws IOException {
        Sidecar sidecar = Sidecar.load(file);
        ByteBuffer header = header(file, sidecar);
        IndexConfig config =
                withPool(wanted.withCapacity(header.getLong(HeaderLayout.CAPACITY_BLOCKS)), header, file, sidecar);
        return checked(header, config, file, sidecar.restorePrefix(file));
    }

    /** The same for whatever numbers the file was made with; changes nothing. */
    static Preflight asMade(Path file) throws IOException {
        Sidecar sidecar = Sidecar.load(file);
        ByteBuffer header = header(file, sidecar);
        IndexConfig config = new IndexConfig(
                file,
                header.getInt(HeaderLayout.BLOCK_SIZE),
                header.getLong(HeaderLayout.CAPACITY_BLOCKS),
                header.getInt(HeaderLayout.PAGE_BYTES),
                header.getInt(HeaderLayout.MAX_SLOTS));
        return checked(header, withPool(config, header, file, sidecar), file, false);
    }

    /** With the numbers of the file's own shared pool. */
    private static IndexConfig withPool(IndexConfig config, ByteBuffer header, Path file, Sidecar sidecar)
            throws IOException {
        int page = header.getInt(HeaderLayout.POOL_PAGE);
        if (page == 0) {
            return config.withPool(0, 0);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer pool = Sidecar.read(channel, sidecar.firstPage() + page * sidecar.stride(), PoolLayout.BYTES);
            PoolGeometry found = PoolGeometry.ofHeader(pool, (long) page * header.getInt(HeaderLayout.PAGE_BYTES));
            return config.withPool(found.capacityPages, found.objects);
        } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
            throw new IndexFileException("shared pool's header is damaged: page=" + page + ", file=" + file, damaged);
        }
    }

    private static ByteBuffer header(Path file, Sidecar sidecar) throws IOException {
        long length = Files.size(file);
        if (length != sidecar.fileBytes()) {
            throw refused(
                    "index file has another length than when it was made", "bytes", length, sidecar.fileBytes(), file);
        }
        ByteBuffer header;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            header = Sidecar.read(channel, sidecar.firstPage(), HeaderLayout.BYTES);
        }
        checkStatic(header, file);
        return header;
    }

    private static Preflight checked(ByteBuffer header, IndexConfig config, Path file, boolean prefixRestored) {
        Geometry geometry = new Geometry(config);
        checkConfig(header, config, geometry, file);
        return new Preflight(
                header.getLong(HeaderLayout.STATE),
                config,
                geometry,
                new BootId(header.getLong(HeaderLayout.BOOT_HIGH), header.getLong(HeaderLayout.BOOT_LOW)),
                prefixRestored);
    }

    private static void checkStatic(ByteBuffer header, Path file) {
        long magic = header.getLong(HeaderLayout.MAGIC);
        if (magic != HeaderLayout.MAGIC_VALUE) {
            throw refused("index file has a foreign magic", "magic", magic, HeaderLayout.MAGIC_VALUE, file);
        }
        int version = header.getInt(HeaderLayout.LAYOUT_VERSION);
        if (version != HeaderLayout.VERSION_VALUE) {
            throw refused(
                    "index file has another layout version",
                    "layoutVersion",
                    version,
                    HeaderLayout.VERSION_VALUE,
                    file);
        }
        long sum = staticSum(header);
        if (header.getLong(HeaderLayout.STATIC_SUM) != sum) {
            throw refused(
                    "index file's header is damaged", "crc32c", header.getLong(HeaderLayout.STATIC_SUM), sum, file);
        }
    }

    private static void checkConfig(ByteBuffer header, IndexConfig config, Geometry geometry, Path file) {
        same("page size", "pageBytes", header.getInt(HeaderLayout.PAGE_BYTES), config.pageBytes(), file);
        same("block size", "blockSize", header.getInt(HeaderLayout.BLOCK_SIZE), config.blockSize(), file);
        same("number of slots", "maxSlots", header.getInt(HeaderLayout.MAX_SLOTS), config.maxSlots(), file);
        same("number of pages", "pageCount", header.getInt(HeaderLayout.PAGE_COUNT), geometry.pageCount, file);
        long[] offsets = geometry.regionOffsets();
        for (int region = 0; region < offsets.length; region++) {
            same(
                    "region",
                    "offset",
                    header.getLong(HeaderLayout.REGION_OFFSETS + region * Long.BYTES),
                    offsets[region],
                    file);
        }
    }

    private static void same(String what, String name, long found, long wanted, Path file) {
        if (found != wanted) {
            throw refused("index file was made with another " + what, name, found, wanted, file);
        }
    }

    private static IndexFileException refused(String what, String name, long found, long wanted, Path file) {
        return new IndexFileException(what + ": " + name + "=" + found + ", expected " + wanted + ", file=" + file);
    }

    /** CRC32C of the header's part that never changes. */
    static long staticSum(ByteBuffer header) {
        CRC32C sum = new CRC32C();
        sum.update(header.duplicate().position(0).limit(HeaderLayout.STATIC_SUM));
        return sum.getValue();
    }
}
