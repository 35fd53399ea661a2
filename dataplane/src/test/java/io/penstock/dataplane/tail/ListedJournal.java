package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A journal in a list, which tests write to while it is read.
 *
 * <p><b>Threading:</b> thread-safe list; each reader for one thread.
 */
public final class ListedJournal {
    private final List<TraceRecord> records = new CopyOnWriteArrayList<>();

    /** Writes. */
    public ListedJournal add(TraceRecord record) {
        records.add(record);
        return this;
    }

    /** Writes all. */
    public void addAll(List<TraceRecord> all) {
        records.addAll(all);
    }

    /** Reads from the start. */
    public TraceReader reader() {
        return new TraceReader() {
            private int at;

            @Override
            public TraceRecord next() {
                return at < records.size() ? records.get(at++) : null;
            }

            @Override
            public long position() {
                return at - 1L;
            }

            @Override
            public boolean moveTo(long position) {
                at = (int) position + 1;
                return true;
            }

            @Override
            public void toEnd() {
                at = records.size();
            }

            @Override
            public void close() {
                at = Integer.MAX_VALUE;
            }
        };
    }
}
