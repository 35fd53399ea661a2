package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.perf.journal.JournalBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What the trace journal costs: time and bytes of an append, bytes of a long session, what a slow disk does.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "journal",
        description = "Times appends to the trace journal, counts their bytes, and slows its disk down.",
        mixinStandardHelpOptions = true)
final class JournalBenchCommand implements Callable<Integer> {
    @Option(names = "--records", paramLabel = "N", description = "Appends of each row. Default: ${DEFAULT-VALUE}.")
    private int records = 100_000;

    @Option(names = "--folder", paramLabel = "DIR", description = "Where; default: a temporary folder.")
    private Path folder;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> result = JournalBench.run(folder, records);
        PrintWriter out = spec.commandLine().getOut();
        result.forEach((name, value) -> out.printf(Locale.ROOT, "%-32s %12s%n", name, value));
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        }
        out.flush();
        return 0;
    }
}
