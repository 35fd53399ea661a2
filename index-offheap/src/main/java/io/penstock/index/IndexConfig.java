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
 *
 * <p><b>Threading:</b> immutable.
 */
public record IndexConfig(Path file, int blockSize, long capacityBlocks, int pageBytes, int maxSlots) {
    /** Capacity left open. */
    public static final long AUTOMATIC = 0;

    /** Capacity of a new file where it was left open, and nothing better is known. */
    public static final long LEAST_AUTOMATIC = 1 << 20;

    private static final long MAX_BLOCKS = 1L << 31;

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
    }

    /** A million blocks of 16 tokens for up to 1,024 worker ranks, pages of 4 MiB. */
    public static IndexConfig defaults() {
        return new IndexConfig(Path.of("penstock-index.pst"), 16, 1 << 20, 1 << 22, 1024);
    }

    /** The same with another capacity. */
    public IndexConfig withCapacity(long blocks) {
        return new IndexConfig(file, blockSize, blocks, pageBytes, maxSlots);
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
