package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.JournalFolder;
import io.penstock.dataplane.journal.TraceReader;
import java.nio.file.Path;

/**
 * A router's journal as a source, whether the router runs or not.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param folder of the journal
 */
public record JournalSource(Path folder) implements TraceSource {
    @Override
    public String format() {
        return "penstock-journal";
    }

    @Override
    public TraceReader open() {
        return JournalFolder.reader(folder);
    }
}
