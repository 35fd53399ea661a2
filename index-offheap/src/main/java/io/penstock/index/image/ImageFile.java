package io.penstock.index.image;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * An image as bytes: its sums, and how it comes onto the disk whole or not at all.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ImageFile {
    private static final long CHUNK = 1 << 22;

    private ImageFile() {}

    /** Puts the sums of sections and header in. */
    static void sum(MemorySegment image) {
        long from = ImageLayout.BYTES;
        for (int section = 0; section < ImageLayout.SECTIONS; section++) {
            long bytes = get(image, ImageLayout.SECTION_BYTES + section * Long.BYTES);
            put(image, ImageLayout.SECTION_SUMS + section * Long.BYTES, crc(image, from, bytes));
            from += bytes;
        }
        put(image, ImageLayout.HEADER_SUM, crc(image, 0, ImageLayout.HEADER_SUM));
    }

    /** Null when length and all sums hold, else one line. */
    static String check(MemorySegment image) {
        if (image.byteSize() < ImageLayout.BYTES || get(image, ImageLayout.MAGIC) != ImageLayout.MAGIC_VALUE) {
            return "not an image: bytes=" + image.byteSize();
        }
        if (get(image, ImageLayout.VERSION) != ImageLayout.VERSION_VALUE) {
            return "image has another version: version=" + get(image, ImageLayout.VERSION) + ", expected "
                    + ImageLayout.VERSION_VALUE;
        }
        if (get(image, ImageLayout.HEADER_SUM) != crc(image, 0, ImageLayout.HEADER_SUM)) {
            return "image's header is damaged: CRC32C differs";
        }
        long from = ImageLayout.BYTES;
        for (int section = 0; section < ImageLayout.SECTIONS; section++) {
            long bytes = get(image, ImageLayout.SECTION_BYTES + section * Long.BYTES);
            if (bytes < 0 || bytes % Long.BYTES != 0 || bytes > image.byteSize() - from) {
                return "image is shorter than it says: bytes=" + image.byteSize();
            }
            if (get(image, ImageLayout.SECTION_SUMS + section * Long.BYTES) != crc(image, from, bytes)) {
                return "image is damaged: CRC32C differs, section=" + section;
            }
            from += bytes;
        }
        return from == image.byteSize() ? null : "image is longer than it says: bytes=" + image.byteSize();
    }

    private static long crc(MemorySegment image, long from, long bytes) {
        CRC32C sum = new CRC32C();
        for (long at = 0; at < bytes; at += CHUNK) {
            sum.update(image.asSlice(from + at, Math.min(CHUNK, bytes - at)).asByteBuffer());
        }
        return sum.getValue();
    }

    /** Writes under another name, syncs, renames, syncs the folder. */
    static void publish(MemorySegment image, Path path) throws IOException {
        Path making = path.resolveSibling(path.getFileName() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(
                    making,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                for (long at = 0; at < image.byteSize(); ) {
                    at += channel.write(
                            image.asSlice(at, Math.min(CHUNK, image.byteSize() - at))
                                    .asByteBuffer(),
                            at);
                }
                channel.force(true);
            }
            Files.move(making, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            Files.deleteIfExists(making);
            throw failed;
        }
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    static long get(MemorySegment image, long offset) {
        return image.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    private static void put(MemorySegment image, long offset, long value) {
        image.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }
}
