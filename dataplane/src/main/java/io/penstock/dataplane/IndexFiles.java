package io.penstock.dataplane;

/**
 * Where the prefix indexes lie and how large they are made: one file per base model and block size.
 *
 * @param folder folder of the files; empty: {@code index} in the data folder
 * @param capacityBlocks distinct blocks that a new file has room for; 0: 1.25 times what the workers advertise, at least a
 *     million. A file keeps its own
 * @param pageBytes bytes of a page, a power of two from 64 KiB to 64 MiB
 * @param imageIntervalS seconds between two checkpoint images, from which a file comes back after a loss of power; 0: none
 * @param exerciseMs how long the index's code is exercised at the start before the router is ready, milliseconds; 0: not
 */
public record IndexFiles(String folder, long capacityBlocks, int pageBytes, int imageIntervalS, int exerciseMs) {
    private static final int DAY_SECONDS = 86_400;
    private static final int MOST_EXERCISE_MS = 60_000;

    /** Checks the ranges. */
    public IndexFiles {
        folder = folder == null ? "" : folder;
        if (imageIntervalS < 0 || imageIntervalS > DAY_SECONDS) {
            throw new IllegalArgumentException("not in 0..86400: imageIntervalS=" + imageIntervalS);
        }
        if (exerciseMs < 0 || exerciseMs > MOST_EXERCISE_MS) {
            throw new IllegalArgumentException("not in 0..60000: exerciseMs=" + exerciseMs);
        }
        if (capacityBlocks < 0 || capacityBlocks > 1L << 31) {
            throw new IllegalArgumentException("not in 0..2^31: capacityBlocks=" + capacityBlocks);
        }
        if (pageBytes < 1 << 16 || pageBytes > 1 << 26 || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("not a power of two in 64 KiB..64 MiB: pageBytes=" + pageBytes);
        }
    }

    /** Capacity by what is advertised, pages of 4 MiB, no images, half a second of exercise. */
    public static IndexFiles defaults() {
        return new IndexFiles("", 0, 4 << 20, 0, 500);
    }
}
