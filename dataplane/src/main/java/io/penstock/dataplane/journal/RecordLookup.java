package io.penstock.dataplane.journal;

import io.penstock.dataplane.journal.HashLists.HashList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Full hash lists of records by position, read back as far as the last full one.
 *
 * <p><b>Threading:</b> one thread.
 */
final class RecordLookup implements AutoCloseable {
    private final Path folder;
    private final HashLists lists = new HashLists();
    private final DocumentCheck check = new DocumentCheck();
    private JournalRoll roll;
    private CycleFile file;
    private int cycle = -1;

    RecordLookup(Path folder) {
        this.folder = folder;
    }

    /**
     * The hashes of a record just read.
     *
     * @return null if what it builds on is no longer kept
     */
    HashList hashes(JournalRoll ofFiles, long position, TraceDecoder record) {
        roll = ofFiles;
        HashList base = record.shared() == 0 ? null : at(record.base());
        if (record.shared() > 0 && base == null) {
            return null;
        }
        HashList full = HashLists.join(base, record);
        lists.put(position, full);
        return full;
    }

    private HashList at(long wanted) {
        Deque<TraceDecoder> chain = new ArrayDeque<>();
        Deque<Long> positions = new ArrayDeque<>();
        HashList known = lists.at(wanted);
        long position = wanted;
        while (known == null) {
            TraceDecoder record = read(position);
            if (record == null) {
                return null;
            }
            if (record.shared() > 0 && record.base() >= position) {
                throw new IllegalStateException("record builds on a later one: position=" + position);
            }
            chain.push(record);
            positions.push(position);
            if (record.shared() == 0) {
                break;
            }
            position = record.base();
            known = lists.at(position);
        }
        while (!chain.isEmpty()) {
            known = HashLists.join(known, chain.pop());
            lists.put(positions.pop(), known);
        }
        return known;
    }

    private TraceDecoder read(long position) {
        int wanted = (int) (position >>> JournalRoll.SEQUENCE_BITS);
        if (wanted != cycle && !open(wanted)) {
            return null;
        }
        if (!file.seek(position & (1L << JournalRoll.SEQUENCE_BITS) - 1)) {
            return null;
        }
        RecordParts parts = new RecordParts();
        while (!parts.take(file.document(check))) {
            if (file.next() != CycleFile.Found.DOCUMENT) {
                return null;
            }
        }
        return parts.decode();
    }

    private boolean open(int wanted) {
        close();
        Path path = folder.resolve(roll.fileOf(wanted));
        if (!Files.exists(path)) {
            return false;
        }
        try {
            file = new CycleFile(path);
            cycle = wanted;
            return true;
        } catch (NoSuchFileException deleted) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException("journal cannot be read: " + path, failed);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
            file = null;
            cycle = -1;
        }
    }
}
