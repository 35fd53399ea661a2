package io.penstock.dataplane;

/**
 * Where the prefix indexes lie and how large they are made: one file per base model and block size.
 *
 * @param folder folder of the files; empty: {@code index} in the data folder
 * @param capacityBlocks distinct blocks that a new file has room for; fixed when it is made
 * @param pageBytes bytes of a page, a power of two from 64 KiB to 64 MiB
 * @param imageIntervalS seconds between two checkpoint images, which a power loss leaves behind; 0: none are taken
 */
public record IndexFiles(String folder, long capacityBlocks, int pageBytes, int imageIntervalS) {
    /** Checks the ranges. */
    public IndexFiles {
        folder = folder == null ? "" : folder;
        if (capacityBlocks < 1 || capacityBlocks > 1L << 31) {
            throw new IllegalArgumentException("not in 1..2^31: capacityBlocks=" + capacityBlocks);
        }
        if (pageBytes < 1 << 16 || pageBytes > 1 << 26 || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("not a power of two in 64 KiB..64 MiB: pageBytes=" + pageBytes);
        }
        if (imageIntervalS < 0) {
            throw new IllegalArgumentException("negative: imageIntervalS=" + imageIntervalS);
        }
    }

    /** A million blocks, pages of 4 MiB, no images. */
    public static IndexFiles defaults() {
        return new IndexFiles("", 1 << 20, 4 << 20, 0);
    }
}
