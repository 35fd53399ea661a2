package io.penstock.index.pages;

import io.penstock.index.IndexFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One writer a file: an exclusive lock on {@code FILE.lock}, whose text names the owner. The kernel drops the lock with
 * the process, so a killed writer never bars the next.
 *
 * <p><b>Threading:</b> owned by the opener.
 */
public final class WriterLock implements AutoCloseable {
    private static final int MAX_TEXT_BYTES = 256;

    private final FileChannel channel;

    private WriterLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock or throws {@link IndexFileException} naming the owner. */
    public static WriterLock take(Path file) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".lock");
        FileChannel channel =
                FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw new IndexFileException(
                        "index file is open for writing elsewhere: file=" + file + ", owner: " + text(channel));
            }
            ByteBuffer owner = StandardCharsets.UTF_8.encode("pid="
                    + ProcessHandle.current().pid() + ", since=" + Instant.now().truncatedTo(ChronoUnit.SECONDS));
            channel.truncate(0);
            channel.write(owner, 0);
            return new WriterLock(channel);
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ownedByThisProcess) {
            return null;
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_TEXT_BYTES);
        channel.read(text, 0);
        return StandardCharsets.UTF_8.decode(text.flip()).toString().strip();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            throw new IllegalStateException("lock file cannot be closed", alreadyGone);
        }
    }
}
