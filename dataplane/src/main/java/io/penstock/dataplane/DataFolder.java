package io.penstock.dataplane;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The router's folder, taken by one process at a time: a second one must not get as far as setting the first one's counters
 * aside. The lock goes with the process, however it ends.
 *
 * <p><b>Threading:</b> owned by the router.
 */
final class DataFolder implements AutoCloseable {
    private static final String LOCK = "router.lock";

    private final FileChannel channel;

    private DataFolder(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder, made if absent.
     *
     * @throws IllegalArgumentException in one line, if it cannot be had
     */
    static DataFolder take(String dataDir) {
        Path file = Path.of(dataDir, LOCK);
        try {
            Files.createDirectories(file.getParent());
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                String owner = Files.readString(file).strip();
                channel.close();
                throw new IllegalArgumentException(
                        "another router (pid " + owner + ") uses this folder: dataDir=" + dataDir);
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            return new DataFolder(channel);
        } catch (IOException failed) {
            throw new IllegalArgumentException("folder cannot be used (" + failed + "): dataDir=" + dataDir, failed);
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException held) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
