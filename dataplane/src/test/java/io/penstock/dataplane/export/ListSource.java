package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.List;

/** A trace of records in memory, in the order of their list; positions grow by 10. */
record ListSource(List<TraceRecord> records) implements TraceSource {
    private static final int STEP = 10;

    @Override
    public String format() {
        return "list";
    }

    @Override
    public TraceReader open() {
        return new TraceReader() {
            private int next;

            @Override
            public TraceRecord next() {
                return next < records.size() ? records.get(next++) : null;
            }

            @Override
            public long position() {
                return (long) next * STEP;
            }

            @Override
            public boolean moveTo(long position) {
                next = (int) (position / STEP);
                return true;
            }

            @Override
            public void toEnd() {
                next = records.size();
            }

            @Override
            public void close() {
                next = records.size();
            }
        };
    }
}
