package io.penstock.dataplane.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A journal's folder: files by cycle, one writer at a time, any number of readers.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class JournalFolder {
    private static final String LOCK = "writer.lock";

    private JournalFolder() {}

    /** Whether the folder holds a journal, also an empty one. */
    public static boolean isJournal(Path folder) {
        return Files.isDirectory(folder) && (Files.exists(folder.resolve(LOCK)) || roll(folder) != null);
    }

    /**
     * Records of the journal in {@code folder}, from the oldest kept; the router may run meanwhile, or start later.
     *
     * @throws IllegalArgumentException in one line, if there is no such folder
     */
    public static TraceReader reader(Path folder) {
        return reader(folder, 0);
    }

    /**
     * The same without the files that were done before a time.
     *
     * @param sinceMs ms since 1970; records of the first file may still be older
     */
    public static TraceReader reader(Path folder, long sinceMs) {
        if (!isJournal(folder)) {
            throw new IllegalArgumentException("no trace journal lies there: folder=" + folder);
        }
        JournalRoll roll = roll(folder);
        return new QueueReader(folder, roll == null ? -1 : roll.before(sinceMs));
    }

    /** How the folder's files roll, or null while it has none. */
    static JournalRoll roll(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            Iterator<Path> all = files.iterator();
            while (all.hasNext()) {
                JournalRoll roll = JournalRoll.ofFile(all.next().getFileName().toString());
                if (roll != null) {
                    return roll;
                }
            }
            return null;
        } catch (NoSuchFileException | NotDirectoryException none) {
            return null;
        } catch (IOException failed) {
            throw new UncheckedIOException("folder cannot be read: " + folder, failed);
        }
    }

    /** Files by cycle, the oldest first. */
    static NavigableMap<Integer, Path> files(Path folder, JournalRoll roll) {
        NavigableMap<Integer, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                int cycle = roll.cycleOf(file.getFileName().toString());
                if (cycle >= 0) {
                    found.put(cycle, file);
                }
            });
            return found;
        } catch (IOException | UncheckedIOException failed) {
            throw new IllegalStateException("folder cannot be read: folder=" + folder, failed);
        }
    }

    /**
     * Makes the folder and takes it for this process, until the channel is closed or the process ends.
     *
     * @throws IllegalArgumentException in one line, if it cannot be had
     */
    static FileChannel take(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(channel)) {
                channel.close();
                throw new IllegalArgumentException("another router writes this journal: folder=" + folder);
            }
            return channel;
        } catch (IOException failed) {
            throw new IllegalArgumentException("journal cannot be written (" + failed + "): folder=" + folder, failed);
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException held) {
            return false;
        }
    }
}
