package io.penstock.dataplane.export;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out of a journal is what went in. */
final class JournalExportTest {
    @TempDir
    Path folder;

    @Test
    void shouldWriteTheSameWhenTheRecordsWentThroughAJournal() throws IOException {
        List<TraceRecord> records = TraceScript.agents().source().records();
        WrittenJournal.write(folder, records);
        for (ExportFormat format : ExportFormat.values()) {
            // Their header names the source.
            if (!format.fillsFolder() && format != ExportFormat.AGENTIC_MOONCAKE) {
                assertEquals(
                        Exported.of(format, new ListSource(records)).text(),
                        Exported.of(format, new JournalSource(folder)).text(),
                        format.toString());
            }
        }
        assertEquals(
                Exported.of(ExportFormat.AGENTIC_MOONCAKE, new ListSource(records))
                        .text()
                        .replace("\"list\"", "\"penstock-journal\""),
                Exported.of(ExportFormat.AGENTIC_MOONCAKE, new JournalSource(folder))
                        .text());
    }
}
