package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.JournalFolder;
import io.penstock.dataplane.journal.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A journal's folder as a source.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class JournalSource implements TailSource {
    private final Path folder;
    private Object opened;

    /** The journal in a folder, which may come later. */
    public JournalSource(Path folder) {
        this.folder = folder;
    }

    @Override
    public TraceReader open(long sinceMs) {
        Object found = key();
        if (found == null || !JournalFolder.isJournal(folder)) {
            return null;
        }
        opened = found;
        return JournalFolder.reader(folder, sinceMs);
    }

    @Override
    public boolean replaced() {
        return !Objects.equals(key(), opened);
    }

    /** What tells this folder from another of the same name; null if there is none. */
    private Object key() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
            // File numbers are used again at once by some file systems, so the time counts too.
            return attributes.fileKey() + " " + attributes.creationTime();
        } catch (IOException none) {
            return null;
        }
    }
}
