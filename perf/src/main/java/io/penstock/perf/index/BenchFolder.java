package io.penstock.perf.index;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder in which a measurement makes its index file, one at a time.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
record BenchFolder(Path path) {
    /** Deletes the files of the measurement before. */
    void clear() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /** How the folder's index is made. */
    IndexConfig config(int blockSize, long capacityBlocks, int slots) {
        return new IndexConfig(
                path.resolve("bench.pst"),
                blockSize,
                capacityBlocks,
                IndexConfig.defaults().pageBytes(),
                slots);
    }

    /** An empty index with slots 0 to {@code workers - 1} open; the one of the measurement before is gone. */
    OffHeapIndex fresh(int blockSize, long capacityBlocks, int workers) throws IOException {
        clear();
        OffHeapIndex index = OffHeapIndex.open(config(blockSize, capacityBlocks, Math.max(64, workers)));
        for (int worker = 0; worker < workers; worker++) {
            if (index.openSlot("worker-" + worker, 0) != worker) {
                throw new IllegalStateException("slots are not dense: worker=" + worker);
            }
        }
        return index;
    }
}
