package io.penstock.perf.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A deterministic stream of KV events and prefix queries with their expected answers ({@code ops_*.bin}, version 1),
 * read into columns: one entry per operation, payload words in one array.
 *
 * <p><b>Threading:</b> immutable after {@link #read}.
 */
final class OpsStream {
    static final int STORED = 1;
    static final int REMOVED = 2;
    static final int QUERY = 3;

    private static final long MAGIC = 0x3130_3053_504f_564bL; // "KVOPS001", little-endian
    private static final int HEADER_BYTES = 128;
    private static final int OP_HEADER_BYTES = 16;

    final int workers;
    final int blockSize;
    final int size;
    final long blocksStored;
    final long blocksRemoved;
    final long livePairs;
    final byte[] type;
    final short[] worker;
    final int[] count;
    final long[] aux;
    final int[] offset;
    final long[] words;

    private OpsStream(ByteBuffer bytes) {
        if (bytes.getLong(0) != MAGIC || bytes.getInt(8) != 1) {
            throw new IllegalArgumentException("not an operations file of version 1");
        }
        workers = bytes.getInt(12);
        blockSize = bytes.getInt(16);
        size = Math.toIntExact(bytes.getLong(24));
        blocksStored = bytes.getLong(48);
        blocksRemoved = bytes.getLong(64);
        livePairs = bytes.getLong(88);
        type = new byte[size];
        worker = new short[size];
        count = new int[size];
        aux = new long[size];
        offset = new int[size];
        words = new long[(bytes.limit() - HEADER_BYTES - size * OP_HEADER_BYTES) / Long.BYTES];
        int at = HEADER_BYTES;
        int next = 0;
        for (int i = 0; i < size; i++) {
            type[i] = bytes.get(at);
            worker[i] = bytes.getShort(at + 2);
            count[i] = bytes.getInt(at + 4);
            aux[i] = bytes.getLong(at + 8);
            offset[i] = next;
            int length = type[i] == STORED ? 2 * count[i] : count[i];
            bytes.slice(at + OP_HEADER_BYTES, length * Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer()
                    .get(words, next, length);
            next += length;
            at += OP_HEADER_BYTES + length * Long.BYTES;
        }
    }

    static OpsStream read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new OpsStream(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    /** Expected sum over all workers of matched leading blocks. */
    long expectedSum(int op) {
        return aux[op] & 0xffff_ffffL;
    }

    /** Expected number of workers with at least one matched block. */
    long expectedHolders(int op) {
        return aux[op] >>> 32;
    }
}
