package io.penstock.dataplane.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The files of a journal's folder as a reader sees them; listed again when the folder may have changed.
 *
 * <p><b>Threading:</b> one thread.
 */
final class CycleFiles {
    /** File systems stamp with the clock's tick: what changed so lately may change once more under the same stamp. */
    private static final long UNSURE_MS = 2_000;

    private final Path folder;
    private NavigableMap<Integer, Path> files = new TreeMap<>();
    private JournalRoll roll;
    private long listedMs = -1;

    CycleFiles(Path folder) {
        this.folder = folder;
    }

    /** How they roll, once there is one. */
    JournalRoll roll() {
        return roll;
    }

    /** The cycle after {@code cycle}, or -1; after -1 the oldest. */
    int after(int cycle) {
        list();
        Integer later = files.higherKey(cycle);
        return later == null ? -1 : later;
    }

    int last() {
        list();
        return files.isEmpty() ? -1 : files.lastKey();
    }

    boolean has(int cycle) {
        list();
        return files.containsKey(cycle);
    }

    Path path(int cycle) {
        return folder.resolve(roll.fileOf(cycle));
    }

    private void list() {
        try {
            long changedMs = Files.getLastModifiedTime(folder).toMillis();
            if (changedMs == listedMs && changedMs < System.currentTimeMillis() - UNSURE_MS) {
                return;
            }
            if (roll == null) {
                roll = JournalFolder.roll(folder);
            }
            if (roll != null) {
                files = JournalFolder.files(folder, roll);
            }
            listedMs = changedMs;
        } catch (NoSuchFileException gone) {
            throw new IllegalStateException("the journal's folder is gone: folder=" + folder, gone);
        } catch (IOException failed) {
            throw new IllegalStateException("folder cannot be read: folder=" + folder, failed);
        }
    }
}
