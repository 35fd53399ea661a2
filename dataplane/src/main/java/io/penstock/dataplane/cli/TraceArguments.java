package io.penstock.dataplane.cli;

import io.penstock.dataplane.export.DynamoTraceFiles;
import io.penstock.dataplane.export.JournalSource;
import io.penstock.dataplane.export.TraceSource;
import io.penstock.dataplane.journal.JournalFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a command line means by a journal: the router's folder, or files of a Dynamo request trace.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TraceArguments {
    private TraceArguments() {}

    /**
     * The source that the paths name.
     *
     * @throws IllegalArgumentException if there is no such file or folder
     */
    static TraceSource source(List<Path> paths) {
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new IllegalArgumentException("no such journal or trace: path=" + path);
            }
        }
        Path first = paths.getFirst();
        if (!Files.isDirectory(first)) {
            return new DynamoTraceFiles(paths);
        }
        if (paths.size() > 1) {
            throw new IllegalArgumentException("one journal at a time: path=" + paths.get(1));
        }
        // The data folder will do as well: the journal lies in it.
        Path inside = first.resolve("journal");
        return new JournalSource(!JournalFolder.isJournal(first) && JournalFolder.isJournal(inside) ? inside : first);
    }
}
