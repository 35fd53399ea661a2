package io.penstock.dataplane.journal;

import io.penstock.dataplane.journal.HashLists.HashList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads the journal's files by Chronicle Queue's framing, without Chronicle: nothing is written to the folder, nothing
 * waits for a lock, and the first record is there in milliseconds.
 *
 * <p><b>Threading:</b> one thread.
 */
final class QueueReader implements TraceReader {
    private static final long SEQUENCE_MASK = (1L << JournalRoll.SEQUENCE_BITS) - 1;

    private final CycleFiles files;
    private final DocumentCheck check = new DocumentCheck();
    private final RecordParts parts = new RecordParts();
    private final RecordLookup lookup;
    private CycleFile file;
    private int cycle;
    private long begun;
    private long position;

    /**
     * @param after cycle after whose file to begin, -1 for the oldest
     */
    QueueReader(Path folder, int after) {
        cycle = after;
        files = new CycleFiles(folder);
        lookup = new RecordLookup(folder);
    }

    @Override
    public TraceRecord next() {
        while (document()) {
            if (!parts.amid()) {
                begun = (long) cycle << JournalRoll.SEQUENCE_BITS | file.sequence();
            }
            if (parts.take(file.document(check))) {
                position = begun;
                return resolved(parts.decode());
            }
        }
        return null;
    }

    private TraceRecord resolved(TraceDecoder decoded) {
        TraceRecord record = decoded.record();
        HashList full = lookup.hashes(files.roll(), position, decoded);
        if (full == null) {
            // What it builds on went with an older file.
            record.hashCount = 0;
        } else {
            record.hashes = full.hashes();
            record.traceHashes = full.traces();
        }
        return record;
    }

    /** Goes to the next document, also in a later file. */
    private boolean document() {
        while (true) {
            if (file == null) {
                if (!open(files.after(cycle))) {
                    return false;
                }
            }
            CycleFile.Found found = file.next();
            if (found == CycleFile.Found.DOCUMENT) {
                return true;
            }
            int later = files.after(cycle);
            if (later < 0) {
                if (file.sequence() < 0) {
                    // A writer that finds it without a record may make it anew.
                    release();
                    cycle--;
                }
                return false;
            }
            // The later file's writer has left this one; what it wrote here before was there before the later one.
            if (found == CycleFile.Found.NOTHING && file.next() == CycleFile.Found.DOCUMENT) {
                return true;
            }
            open(later);
        }
    }

    private boolean open(int wanted) {
        int from = wanted;
        while (from >= 0) {
            try {
                CycleFile opened = new CycleFile(files.path(from));
                release();
                file = opened;
                cycle = from;
                return true;
            } catch (NoSuchFileException deleted) {
                from = files.after(from);
            } catch (IOException failed) {
                throw new UncheckedIOException("journal cannot be read: " + files.path(from), failed);
            }
        }
        return false;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean moveTo(long wanted) {
        parts.forget();
        position = 0;
        int of = (int) (wanted >>> JournalRoll.SEQUENCE_BITS);
        if (files.has(of) && open(of) && cycle == of && file.seek(wanted & SEQUENCE_MASK)) {
            position = wanted;
            // Its further parts have no begin now and are passed over.
            return true;
        }
        release();
        cycle = -1;
        return false;
    }

    @Override
    public void toEnd() {
        parts.forget();
        int last = files.last();
        if (last < 0) {
            return;
        }
        if (last != cycle) {
            open(last);
        }
        while (document()) {
            position = (long) cycle << JournalRoll.SEQUENCE_BITS | file.sequence();
        }
    }

    private void release() {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public void close() {
        release();
        lookup.close();
    }
}
