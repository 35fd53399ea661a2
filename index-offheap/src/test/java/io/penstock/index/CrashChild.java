package io.penstock.index;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Applies a seeded script for ever and counts, in a mapped file, the operations done. */
final class CrashChild {
    static final int WORKERS = 12;
    static final int NODES = 400;
    static final int MAX_BLOCKS = 200;

    private CrashChild() {}

    static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 14, 1 << 16, 64);
    }

    static Traffic traffic(long seed) {
        return new Traffic(seed, NODES, WORKERS, MAX_BLOCKS);
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        try (RandomAccessFile progress = new RandomAccessFile(file + ".progress", "rw")) {
            MappedByteBuffer done = progress.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
            OffHeapIndex index = OffHeapIndex.open(config(file));
            Traffic traffic = traffic(seed);
            long count = 0;
            for (Traffic.Operation opening : traffic.opening()) {
                opening.apply(index);
                done.putLong(0, ++count);
            }
            while (true) {
                traffic.next().apply(index);
                done.putLong(0, ++count);
            }
        }
    }
}
