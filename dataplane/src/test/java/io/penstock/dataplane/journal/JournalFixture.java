package io.penstock.dataplane.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A journal with a clock of its own. */
final class JournalFixture {
    static final long HOUR_MS = 3_600_000;

    final Path folder;
    final List<Throwable> failures = new ArrayList<>();
    long nowMs = 500_000 * HOUR_MS;
    long dropped;

    JournalFixture(Path folder) {
        this.folder = folder;
    }

    /** A started writer that keeps everything. */
    JournalWriter writer(int fullEvery, String salt) {
        return writer(new JournalConfig("", JournalRoll.HOURLY, 0, 0, 0, salt, fullEvery));
    }

    JournalWriter writer(JournalConfig config) {
        JournalWriter writer =
                new JournalWriter(config, folder, (counter, amount) -> dropped += amount, failures::add, () -> nowMs);
        writer.onStart();
        return writer;
    }

    static void end(JournalWriter writer) {
        writer.onShutdown();
        writer.close();
    }

    static long bytes(JournalWriter writer) {
        return (long) writer.details().get("bytes");
    }

    /** All records that are there, with their positions. */
    List<TraceRecord> read(List<Long> positions) {
        List<TraceRecord> all = new ArrayList<>();
        try (TraceReader reader = JournalFolder.reader(folder)) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                all.add(record);
                positions.add(reader.position());
            }
        }
        return all;
    }

    List<TraceRecord> read() {
        return read(new ArrayList<>());
    }
}
