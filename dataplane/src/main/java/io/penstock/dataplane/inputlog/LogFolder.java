package io.penstock.dataplane.inputlog;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What lies in a log's folder: files named by their first number, checkpoints named by the last input they contain.
 *
 * <p><b>Threading:</b> stateless; another process may write and delete meanwhile.
 */
final class LogFolder {
    private static final String CHECKPOINT = ".checkpoint";
    private static final String LOCK = "writer.lock";
    private static final String MAKING = "making.tmp";

    private final Path folder;

    LogFolder(Path folder) {
        this.folder = folder;
    }

    /** A file or checkpoint and the number in its name. */
    record Entry(Path path, long seq) {}

    Path path() {
        return folder;
    }

    /**
     * Takes the folder for one writer; the lock goes with the process, however it ends.
     *
     * @throws IOException in one line, when another has it
     */
    FileChannel lock() throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock taken;
        try {
            taken = channel.tryLock();
        } catch (OverlappingFileLockException held) {
            taken = null;
        }
        if (taken == null) {
            channel.close();
            throw new IOException("another router writes there");
        }
        return channel;
    }

    /** The files, oldest first. */
    List<Entry> segments() throws IOException {
        return entries(SegmentLayout.SUFFIX);
    }

    /** The whole checkpoints, oldest first. */
    List<Entry> checkpoints() throws IOException {
        return entries(CHECKPOINT);
    }

    /** Where a checkpoint is made. */
    Path making() {
        return folder.resolve(MAKING);
    }

    Path checkpoint(long seq) {
        return folder.resolve("%019d%s".formatted(seq, CHECKPOINT));
    }

    private List<Entry> entries(String suffix) throws IOException {
        List<Entry> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.sorted().toList()) {
                String name = path.getFileName().toString();
                if (name.matches("\\d{19}\\" + suffix)) {
                    found.add(new Entry(path, Long.parseLong(name.substring(0, 19))));
                }
            }
        }
        return found;
    }

    /** Bytes of a file, or of all files in a folder. */
    static long bytes(Path path) throws IOException {
        long bytes = 0;
        try (Stream<Path> all = Files.walk(path)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** Deletes a file, or a folder with its files. */
    static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
