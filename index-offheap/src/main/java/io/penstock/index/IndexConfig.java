package io.penstock.index;

import java.nio.file.Path;

/**
 * How an index file is made; an existing file must have been made with the same numbers, but for its capacity, which it keeps.
 *
 * @param file the Chronicle Map file; {@code .header} and {@code .lock} lie beside it
 * @param blockSize tokens a block
 * @param capacityBlocks distinct blocks that a new file has room for; {@link #AUTOMATIC} for {@link #LEAST_AUTOMATIC}
 * @param pageBytes bytes of a page, a power of two from 64 KiB to 64 MiB
 * @param maxSlots worker ranks at a time, at most 16,384
 * @param poolPages logical pages of a shared pool that the file has room for; 0 for none, then an existing file keeps its own
 * @param poolObjects physical objects of such a page, as the engines' layout says, at most 4,096
 *
 * <p><b>Threading:</b> immutable.
 */
public record IndexConfig(
        Path file, int blockSize, long capacityBlocks, int pageBytes, int maxSlots, long poolPages, int poolObjects) {
    /** Capacity left open. */
    public static final long AUTOMATIC = 0;

    /** Capacity of a new file where it was left open, and nothing better is known. */
    public static final long LEAST_AUTOMATIC = 1 << 20;

    private static final long MAX_BLOCKS = 1L << 31;
    private static final long MAX_POOL_PAGES = 1L << 28;

    /** Checks the ranges; throws {@link IllegalArgumentException} with one line. */
    public IndexConfig {
        require(file != null, "index file is missing", "file", null);
        require(blockSize > 0, "block size must be positive", "blockSize", blockSize);
        require(
                capacityBlocks >= AUTOMATIC && capacityBlocks <= MAX_BLOCKS,
                "capacity is out of range 0..2^31",
                "capacityBlocks",
                capacityBlocks);
        require(
                Integer.bitCount(pageBytes) == 1 && pageBytes >= 1 << 16 && pageBytes <= 1 << 26,
                "page size must be a power of two from 65536 to 67108864",
                "pageBytes",
                pageBytes);
        require(maxSlots >= 1 && maxSlots <= 1 << 14, "slots are out of range 1..16384", "maxSlots", maxSlots);
        require(
                poolPages >= 0 && poolPages <= MAX_POOL_PAGES,
                "shared pool's pages are out of range 0..2^28",
                "poolPages",
                poolPages);
        require(
                poolObjects >= (poolPages > 0 ? 1 : 0) && poolObjects <= 1 << 12,
                "objects of a shared pool's page are out of range 1..4096",
                "poolObjects",
                poolObjects);
    }

    /** The same without a shared pool. */
    public IndexConfig(Path file, int blockSize, long capacityBlocks, int pageBytes, int maxSlots) {
        this(file, blockSize, capacityBlocks, pageBytes, maxSlots, 0, 0);
    }

    /** A million blocks of 16 tokens for up to 1,024 worker ranks, pages of 4 MiB. */
    public static IndexConfig defaults() {
        return new IndexConfig(Path.of("penstock-index.pst"), 16, 1 << 20, 1 << 22, 1024);
    }

    /** The same with another capacity. */
    public IndexConfig withCapacity(long blocks) {
        return new IndexConfig(file, blockSize, blocks, pageBytes, maxSlots, poolPages, poolObjects);
    }

    /** The same with room for a shared pool. */
    public IndexConfig withPool(long pages, int objects) {
        return new IndexConfig(file, blockSize, capacityBlocks, pageBytes, maxSlots, pages, objects);
    }

    /** The same in another file. */
    public IndexConfig in(Path other) {
        return new IndexConfig(other, blockSize, capacityBlocks, pageBytes, maxSlots, poolPages, poolObjects);
    }

    /** The capacity of a file that is made: as given, or the least where it was left open. */
    public IndexConfig resolved() {
        return capacityBlocks == AUTOMATIC ? withCapacity(LEAST_AUTOMATIC) : this;
    }

    private static void require(boolean condition, String what, String name, Object value) {
        if (!condition) {
            throw new IllegalArgumentException(what + ": " + name + "=" + value);
        }
    }
}
