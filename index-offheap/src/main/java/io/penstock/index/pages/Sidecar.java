package io.penstock.index.pages;

import io.penstock.index.IndexFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The copy beside the file ({@code FILE.header}): the file's length, where its pages lie, and all bytes before the first
 * page, which are Chronicle's own header, lock words and hash table and never change after creation.
 *
 * <pre>
 *   0 magic u64   8 fileBytes u64   16 firstPage u64   24 stride u64   32 sum u64: CRC32C of all the rest   40 bytes before the first page
 * </pre>
 *
 * @param fileBytes length of the index file
 * @param firstPage offset of page 0 in the file
 * @param stride distance of the pages in the file
 * @param prefix the file's bytes before page 0
 *
 * <p><b>Threading:</b> immutable by convention; the buffer is never changed.
 */
public record Sidecar(long fileBytes, long firstPage, long stride, ByteBuffer prefix) {
    /** "PSTKHEAD" read as a little-endian number. */
    static final long MAGIC = 0x444145484B545350L;

    private static final int SUM = 32;
    private static final int HEADER_BYTES = 40;
    private static final long MAX_PREFIX_BYTES = 1L << 28;

    static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".header");
    }

    /** Describes a file just made: page 0 is found by the header's magic. */
    static Sidecar of(Path file, long stride, long pageMagic) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (long at = 0; at < Math.min(channel.size(), MAX_PREFIX_BYTES); at += Long.BYTES * 8) {
                channel.read(word.clear(), at);
                if (word.getLong(0) == pageMagic) {
                    return new Sidecar(channel.size(), at, stride, read(channel, 0, (int) at));
                }
            }
            throw new IOException("page 0 is not in the file: file=" + file);
        }
    }

    /** Reads and checks the copy; throws {@link IndexFileException} naming what is wrong. */
    public static Sidecar load(Path file) throws IOException {
        Path path = beside(file);
        if (!Files.exists(path)) {
            throw new IndexFileException("index file has no header copy beside it, not ours: file=" + file);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < HEADER_BYTES || bytes.getLong(0) != MAGIC) {
            throw new IndexFileException("header copy has a foreign magic: file=" + path);
        }
        if (bytes.getLong(SUM) != sum(bytes)) {
            throw new IndexFileException("header copy is damaged: CRC32C differs, file=" + path);
        }
        return new Sidecar(
                bytes.getLong(8),
                bytes.getLong(16),
                bytes.getLong(24),
                bytes.slice(HEADER_BYTES, bytes.limit() - HEADER_BYTES));
    }

    /** Publishes the copy under its name in one step. */
    void store(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + prefix.limit()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0, MAGIC).putLong(8, fileBytes).putLong(16, firstPage).putLong(24, stride);
        bytes.put(HEADER_BYTES, prefix, 0, prefix.limit());
        bytes.putLong(SUM, sum(bytes));
        Path path = beside(file);
        Path fresh = path.resolveSibling(path.getFileName() + ".tmp");
        Files.write(fresh, bytes.array());
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes Chronicle's part back where the file differs from the copy; answers whether it did. */
    boolean restorePrefix(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (read(channel, 0, prefix.limit()).equals(prefix.duplicate().clear())) {
                return false;
            }
            channel.write(prefix.duplicate().clear(), 0);
            return true;
        }
    }

    static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
            // the channel may give less than was asked for
        }
        return buffer.flip();
    }

    private static long sum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().position(0).limit(SUM));
        sum.update(bytes.duplicate().position(HEADER_BYTES).limit(bytes.capacity()));
        return sum.getValue();
    }
}
