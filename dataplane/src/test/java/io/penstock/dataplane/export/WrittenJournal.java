package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalRoll;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.nio.file.Path;
import java.util.List;

/** Puts records into a journal as a router does. */
public final class WrittenJournal {
    private WrittenJournal() {}

    /** Appends the records of {@link TraceScript#agents} to a journal in the folder. */
    public static void agents(Path folder) {
        write(folder, TraceScript.agents().source().records());
    }

    static void write(Path folder, List<TraceRecord> records) {
        JournalConfig config = new JournalConfig(folder.toString(), JournalRoll.HOURLY, 0, 0, 0, "", 8);
        JournalWriter writer = new JournalWriter(
                config,
                folder,
                (counter, amount) -> {
                    throw new AssertionError("dropped: " + counter);
                },
                failure -> {
                    throw new AssertionError(failure);
                });
        writer.onStart();
        DecisionRecord event = new DecisionRecord();
        for (int i = 0; i < records.size(); i++) {
            event.trace = records.get(i);
            writer.onEvent(event, i, true);
        }
        writer.onShutdown();
        writer.close();
    }
}
